//! The cost of counting instructions, compared with the same program's own runs, and whether counts
//! are exactly reproducible.

use crate::failure::Failure;
use crate::tools::backend_args::BackendArgs;
use crate::tools::busy_loops::Load;
use crate::tools::programs::{MAP, SORT, SQUARE};
use crate::tools::spread::Spread;
use clap::Args;
use profiler_core::measure::BenchSession;
use profiler_core::sandbox::Cores;
use std::collections::BTreeMap;

/// The programs and their sizes.
const PROGRAMS: [(&str, &str, u64); 3] =
    [("sort", SORT, 100_000), ("map", MAP, 100_000), ("square", SQUARE, 20_000)];
/// Number of timed runs for one figure.
const RUNS: u32 = 5;

/// Arguments of the benchmark.
#[derive(Debug, Args)]
pub(crate) struct InstructionsArgs {
    /// Counted runs of each program
    #[arg(long, default_value_t = 3)]
    counts: usize,
    /// Busy loops next to the counted runs: 5 are 250 % of two processors
    #[arg(long, default_value_t = 0)]
    load: usize,
    #[command(flatten)]
    backends: BackendArgs,
}

/// Prints counts and their cost.
pub(crate) async fn run(args: &InstructionsArgs) -> Result<(), Failure> {
    if sandbox_image::COUNTER.is_empty() {
        return Err("this build has no instruction counter".into());
    }
    println!(
        "{:<8} {:<8} {:>8} {:>10} {:>10} {:>6}  instructions of {} runs, {} busy loops",
        "", "", "n", "plain ms", "counted", "ratio", args.counts, args.load
    );
    for backend in args.backends.backends().await? {
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
            let load = Load::start(args.load)?;
            for _ in 0..args.counts {
                let done = session.count(n).await?;
                counts.push(done.instructions?);
                counted.push(done.execution.sample.wall_ns as f64 / 1e6);
            }
            drop(load);
            let [plain, counted] = [plain, counted.into_iter().collect()].map(|s| s.median());
            let (backend, ratio, told) = (backend.name(), counted / plain, told(&counts));
            println!(
                "{name:<8} {backend:<8} {n:>8} {plain:>10.2} {counted:>10.2} {ratio:>6.1}  {told}"
            );
        }
        session.end().await;
    }
    Ok(())
}

/// Whether all counts are equal; if not, each value and how often it occurs.
fn told(counts: &[u64]) -> String {
    let mut times: BTreeMap<u64, usize> = BTreeMap::new();
    for &count in counts {
        *times.entry(count).or_default() += 1;
    }
    match times.first_key_value() {
        Some((count, all)) if times.len() == 1 => format!("{count}, all {all} are equal"),
        _ => {
            let values: Vec<_> = times.iter().map(|(it, of)| format!("{it} ({of}×)")).collect();
            format!("DIFFERENT: {}", values.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn one_different_count_is_told() {
        assert_eq!(told(&[7, 7, 7]), "7, all 3 are equal");
        assert_eq!(told(&[7, 8, 7]), "DIFFERENT: 7 (2×), 8 (1×)");
    }
}
