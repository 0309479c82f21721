//! A service with more jobs than it can measure at once: how busy each processor is.

use super::programs::Case;
use super::ways::watched;
use crate::failure::Failure;
use crate::tools::host_load::HostLoad;
use futures::future::try_join_all;
use profiler_tests::swiftprof::Served;
use std::time::Instant;

/// Number of jobs that are submitted at once.
const BACKLOG: usize = 24;

/// Prints the throughput of default jobs of `case`, and the busy share of each processor: compiled
/// before, then each compiled once.
pub(super) async fn run(case: &Case, server: &Served) -> Result<(), Failure> {
    println!("\nthe service, natively; {BACKLOG} default jobs submitted at once");
    for is_cached in [true, false] {
        server.until_warm().await;
        let tag = |at| if is_cached { "cached".into() } else { format!("backlog {at}") };
        let client = server.client().await;
        let (host, begun) = (HostLoad::now()?, Instant::now());
        let jobs = (0..BACKLOG).map(async |at| {
            let run = client.submit(case.job(&tag(at))).await?;
            watched(run).await
        });
        try_join_all(jobs).await?;
        let rate = BACKLOG as f64 / begun.elapsed().as_secs_f64();
        let busy = host.busy()?.into_iter().map(|share| format!("{:.0} %", 100.0 * share));
        println!(
            "{:<34} {rate:>6.2} jobs/s, processors busy: {}",
            if is_cached { "compiled before" } else { "each compiled" },
            busy.collect::<Vec<_>>().join(", ")
        );
    }
    Ok(())
}
