//! Servers that are killed at random moments during a campaign of runs.

use crate::failure::Failure;
use profiler_tests::campaign::survive;

/// Number of kills on each backend.
const KILLS: usize = 20;

/// Prints the results.
pub(crate) async fn run() -> Result<(), Failure> {
    println!("{KILLS} times SIGKILL on each backend, with four runs under way or waiting");
    println!(
        "{:>8} {:>6} {:>9} {:>12} {:>11} | {:>11} {:>12} {:>10}",
        "backend",
        "runs",
        "finished",
        "interrupted",
        "sizes sent",
        "events lost",
        "run twice",
        "left over"
    );
    let mut failed = false;
    for backend in ["native", "docker"] {
        let outcome = survive(backend, KILLS).await;
        println!(
            "{backend:>8} {:>6} {:>9} {:>12} {:>11} | {:>11} {:>12} {:>10}",
            outcome.runs,
            outcome.finished,
            outcome.interrupted,
            outcome.sizes,
            outcome.lost,
            outcome.twice,
            outcome.left
        );
        failed |= outcome.lost + outcome.twice + outcome.left > 0;
    }
    if failed { Err("something was lost, run twice or left over".into()) } else { Ok(()) }
}
