//! The cost of counting instructions, compared with the same program's own runs, and whether counts
//! are exactly reproducible.

use crate::failure::Failure;
use crate::tools::backend_args::BackendArgs;
use crate::tools::programs::{MAP, SORT, SQUARE};
use crate::tools::spread::Spread;
use profiler_core::measure::BenchSession;
use profiler_core::sandbox::Cores;

/// The programs and their sizes.
const PROGRAMS: [(&str, &str, u64); 3] =
    [("sort", SORT, 100_000), ("map", MAP, 100_000), ("square", SQUARE, 20_000)];
/// Number of timed runs for one figure.
const RUNS: u32 = 5;
/// Number of counted runs.
const COUNTS: usize = 3;

/// Prints counts and their cost.
pub(crate) async fn run(args: &BackendArgs) -> Result<(), Failure> {
    if sandbox_image::COUNTER.is_empty() {
        return Err("this build has no instruction counter".into());
    }
    println!(
        "{:<8} {:<8} {:>8} {:>10} {:>10} {:>6}  instructions of {COUNTS} runs",
        "", "", "n", "plain ms", "counted", "ratio"
    );
    for backend in args.backends().await? {
        let mut session = BenchSession::start(&*backend, Cores::of_this_host(1).as_ref()).await?;
        session.place_counter(sandbox_image::COUNTER).await?;
        for (name, source, n) in PROGRAMS {
            session.compile(source).await?;
            let plain: Spread = session
                .time(n, RUNS)
                .await?
                .iter()
                .map(|sample| sample.wall_ns as f64 / 1e6)
                .collect();
            let (mut counts, mut counted) = (Vec::new(), Vec::new());
            for _ in 0..COUNTS {
                let done = session.count(n).await?;
                counts.push(done.instructions?);
                counted.push(done.execution.sample.wall_ns as f64 / 1e6);
            }
            let [plain, counted] = [plain, counted.into_iter().collect()].map(|s| s.median());
            let backend = backend.name();
            println!(
                "{name:<8} {backend:<8} {n:>8} {plain:>10.2} {counted:>10.2} {:>6.1}  {counts:?}",
                counted / plain
            );
        }
        session.end().await;
    }
    Ok(())
}
