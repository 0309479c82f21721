//! Joint cost of TLS, a token and metrics: the same work on a server with all three and on one
//! without them, in turn. Connections are kept, and the cost of opening them is a table of its own.

use crate::failure::Failure;
use crate::service::events::latencies;
use crate::service::load::{connect, flood};
use crate::service::metrics::{ADDRESS, scraped};
use crate::service::server_process::{Secrets, Served};
use crate::tools::series::{self, Series};
use std::fs;
use std::time::{Duration, Instant};

/// Rounds of both servers. The median of all such ratios lies between the least and the greatest of
/// nine with a confidence of 99.6 %: 1 - 2 / 2^9.
const ROUNDS: usize = 9;
/// Events of a round.
const EVENTS: usize = 2_000;
/// Callers at once, each with a connection of its own, and how long they submit in a round.
const CALLERS: usize = 100;
const FLOOD: Duration = Duration::from_secs(5);
/// Connections that are opened one after the other in a round.
const CONNECTIONS: u32 = 50;
/// The token, which is its own name, and its SHA-256.
const TOKEN: &str = "bench";
const TOKEN_HASH: &str = "1b32c28cb38c05480eccc1bd60ff97029b57a05c96718b96dad7e9d84894f549";

/// Prints the medians of both servers, and the ratio round by round.
pub(crate) async fn run() -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let issued = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()])?;
    let [cert, key, tokens] = ["cert.pem", "key.pem", "tokens"].map(|it| folder.path().join(it));
    fs::write(&cert, issued.cert.pem())?;
    fs::write(&key, issued.signing_key.serialize_pem())?;
    fs::write(&tokens, format!("{TOKEN}:{TOKEN_HASH}\n"))?;
    let [cert, key, tokens] = [cert, key, tokens].map(|path| path.display().to_string());
    let plain = Served::start()?;
    let mut secure = Served::start_with(&[
        ("PROFILER_TLS_CERT", &cert),
        ("PROFILER_TLS_KEY", &key),
        ("PROFILER_TOKENS", &tokens),
        ("PROFILER_X_CALLER", &format!("token {TOKEN}")),
        ("PROFILER_METRICS", &ADDRESS.to_string()),
    ])?;
    secure.url = secure.url.replace("http://", "https://");
    secure.secrets = Some(Secrets { ca: issued.cert.pem(), token: TOKEN.into() });
    let mut scrapes = scraped();
    let both = || ["none of them", "TLS, a token and metrics"].map(Series::new);
    let (mut events, mut load, mut opening) = (both(), both(), both());
    for _ in 0..ROUNDS {
        for (at, server) in [&plain, &secure].into_iter().enumerate() {
            let begin = Instant::now();
            for _ in 0..CONNECTIONS {
                connect(server).await?;
            }
            opening[at].add(begin.elapsed() / CONNECTIONS);
            let median_ms = latencies(server, EVENTS).await?.permille(500);
            events[at].add(Duration::from_secs_f64(median_ms / 1e3));
            load[at].add(flood(server, CALLERS, FLOOD).await?);
        }
    }
    if let Some(ended) = scrapes.try_join_next() {
        return Err(ended?.into());
    }
    series::print("the median latency of an event", &events);
    series::print(&format!("the time of the server for a job, {CALLERS} callers at once"), &load);
    series::print("opening a connection", &opening);
    Ok(())
}
