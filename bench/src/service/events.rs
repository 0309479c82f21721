//! The latency of an event from the profiler, which notes when a size was finished, to the client.
//! Both read the same machine's clock. The fake backend finishes all sizes of a job at once, so
//! this is the latency under the highest load.

use crate::failure::Failure;
use crate::service::server_process::{Served, job};
use crate::tools::spread::Spread;
use profiler_client::v1::event::Kind;
use std::time::SystemTime;

/// Minimum number of events.
const EVENTS: usize = 5_000;

/// Prints the latencies.
pub(crate) async fn run() -> Result<(), Failure> {
    let latencies = latencies(&Served::start()?, EVENTS).await?;
    println!("from the end of a size to the client over loopback, {} events", latencies.count());
    println!("{:>10} {:>10} {:>10} {:>10}", "p50 ms", "p90 ms", "p99 ms", "max ms");
    let [half, most, nearly, all] = [500, 900, 990, 1000].map(|rank| latencies.permille(rank));
    println!("{half:>10.3} {most:>10.3} {nearly:>10.3} {all:>10.3}");
    Ok(())
}

/// The latencies of at least this number of events.
pub(crate) async fn latencies(server: &Served, events: usize) -> Result<Spread, Failure> {
    let client = server.client().await?;
    let mut latencies = Vec::new();
    while latencies.len() < events {
        let mut run = client.submit(job()).await?;
        while let Some(event) = run.next().await? {
            if matches!(event.kind, Kind::SizeMeasured(_)) {
                latencies.push(SystemTime::now().duration_since(event.time)?.as_secs_f64() * 1e3);
            }
        }
    }
    Ok(latencies.into_iter().collect())
}
