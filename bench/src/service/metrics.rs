//! Cost of metrics to the events: the same work on a server that is scraped and on one that is not,
//! in turn.

use crate::failure::Failure;
use crate::service::events::latencies;
use crate::service::server_process::Served;
use crate::tools::series::{self, Series};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval_at};

/// Rounds of both servers.
const ROUNDS: usize = 9;
/// Events of a round.
const EVENTS: usize = 2_000;
/// Interval between scrapes: a fifteenth of Prometheus's usual one.
const SCRAPE_INTERVAL: Duration = Duration::from_secs(1);
/// Address of the metrics. It can be fixed, because benchmarks run one at a time.
pub(crate) const ADDRESS: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 9464);

/// Prints the median latency of an event with and without metrics, and the ratio round by round.
pub(crate) async fn run() -> Result<(), Failure> {
    let plain = Served::start()?;
    let watched = Served::start_with(&[("PROFILER_METRICS", &ADDRESS.to_string())])?;
    let mut scrapes = scraped();
    let mut without = Series::new("without metrics");
    let mut with = Series::new("scraped every second");
    for _ in 0..ROUNDS {
        for (server, series) in [(&plain, &mut without), (&watched, &mut with)] {
            let median_ms = latencies(server, EVENTS).await?.permille(500);
            series.add(Duration::from_secs_f64(median_ms / 1e3));
        }
    }
    if let Some(ended) = scrapes.try_join_next() {
        return Err(ended?.into());
    }
    series::print("the median latency of an event", &[without, with]);
    Ok(())
}

/// Scrapes until it is dropped, or until an error, which it returns.
pub(crate) fn scraped() -> JoinSet<std::io::Error> {
    let mut scrapes = JoinSet::new();
    scrapes.spawn(async {
        // The server says where it listens before its metrics do.
        let mut due = interval_at(Instant::now() + SCRAPE_INTERVAL, SCRAPE_INTERVAL);
        loop {
            due.tick().await;
            if let Err(error) = scrape().await {
                break error;
            }
        }
    });
    scrapes
}

async fn scrape() -> Result<(), std::io::Error> {
    let mut stream = TcpStream::connect(ADDRESS).await?;
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n").await?;
    stream.read_to_end(&mut Vec::new()).await?;
    Ok(())
}
