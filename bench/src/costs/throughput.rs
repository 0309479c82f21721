//! Measured runs per second inside one job, compared with bare spawns per second of the same
//! program.

use crate::costs::overhead::{SOURCE, built, spawned};
use crate::failure::Failure;
use crate::tools::backend_args::BackendArgs;
use crate::tools::spread::Spread;
use profiler_core::measure::BenchSession;
use profiler_core::sandbox::Cores;
use std::time::Instant;

const ROUNDS: usize = 15;
/// Number of runs in one request: enough that the warm-up is a small part.
const RUNS: u32 = 500;

/// Prints the number of runs per second.
pub(crate) async fn run(args: &BackendArgs) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let program = built(folder.path(), SOURCE)?;
    println!("empty C++ main, runs a second; {ROUNDS} rounds in turn, {RUNS} runs in one request");
    println!("{:<24} {:>8} {:>8} {:>8}", "", "min", "median", "max");
    for backend in args.backends().await? {
        let mut session = BenchSession::start(&*backend, Cores::of_this_host(1).as_ref()).await?;
        session.compile(SOURCE).await?;
        let (mut bare, mut measured) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            bare.push(spawned(&program)?.as_secs_f64().recip());
            let begun = Instant::now();
            session.time(0, RUNS).await?;
            measured.push(f64::from(RUNS) / begun.elapsed().as_secs_f64());
        }
        session.end().await;
        let ratio = measured.iter().zip(&bare).map(|(ours, bare)| ours / bare);
        let ratio: Spread = ratio.collect();
        print("bare spawn", 0, &bare.into_iter().collect());
        print(backend.name(), 0, &measured.into_iter().collect());
        print(&format!("{}, of bare", backend.name()), 2, &ratio);
    }
    Ok(())
}

fn print(name: &str, digits: usize, rates: &Spread) {
    let [low, middle, high] = [0, 500, 1000].map(|rank| rates.permille(rank));
    println!("{name:<24} {low:>8.digits$} {middle:>8.digits$} {high:>8.digits$}");
}
