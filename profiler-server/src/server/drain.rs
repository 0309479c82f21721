//! The steps from a shutdown request until no run is live. Each is logged, and systemd shows it.
//!
//! ```text
//!  SIGTERM ──▶ NOT_SERVING ──grace──▶ runs are refused ──the last run ends──▶ connections close
//!  SIGINT ─────────────────────────▶        │
//!                                           └── limit ──▶ runs are interrupted ──▶ (the same)
//! ```
//!
//! The port answers until the connections close, so that a health check gets `NOT_SERVING` instead
//! of a refused connection, and a caller can attach to its run again.

use super::systemd;
use crate::config::Config;
use crate::runs::LiveRuns;
use crate::telemetry::logging::TARGET;
use profiler_core::cancel::StopSignal;
use tokio::time::sleep;

/// Drains the live runs, and returns once no run is live. Health is `NOT_SERVING` already.
pub(crate) async fn drain(runs: &LiveRuns, config: &Config, signal: StopSignal) {
    let (grace, limit) = (config.drain_grace(), config.drain_limit());
    // A person who stops the server at a terminal does not wait for the grace.
    if signal == StopSignal::Terminate && !grace.is_zero() {
        let seconds = grace.as_secs_f64();
        step(&format!(
            "{signal}: health is NOT_SERVING, and runs are accepted for {seconds} s more"
        ));
        sleep(grace).await;
    }
    let live = runs.count().await;
    step(&format!("draining: {}, at most {} s", runs_text(live), limit.as_secs_f64()));
    runs.refuse_and_wait(limit).await;
    let left = runs.count().await;
    if left > 0 {
        step(&format!("interrupting {}: the drain limit has passed", runs_text(left)));
    }
    runs.interrupt().await;
    step("closing the connections");
}

fn step(text: &str) {
    tracing::info!(target: TARGET, "{text}");
    systemd::status(text);
}

fn runs_text(count: usize) -> String {
    if count == 1 { "1 run".into() } else { format!("{count} runs") }
}
