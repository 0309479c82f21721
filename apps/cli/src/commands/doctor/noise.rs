//! The noise floor: the scatter of a program that always does the same work.

use profiler_core::error::SandboxFault;
use profiler_core::figures::{RuntimeClock, Sample};
use profiler_core::measure::BenchSession;
use profiler_statistics::Headline;

const EMPTY: &str = "int main() {}\n";
/// About 10 ms of work: a chain of dependent multiplications.
const WORK: &str = "\
int main() {
    unsigned long long state = 1;
    for (int step = 0; step < 8500000; ++step)
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    volatile unsigned long long kept = state;
}
";
/// The number of runs of each program.
const RUNS: u32 = 50;
/// Number of runs from which each compared figure is made. A job makes about as many for a size.
const GROUP: usize = 10;

/// The resolution of measurements on this host.
#[derive(Debug, PartialEq, serde::Serialize)]
pub(super) struct Noise {
    /// The number of runs of each program.
    pub(super) runs: u32,
    /// Figures of an empty main, whose time is part of every figure.
    pub(super) start_up: Clocks,
    /// Figures of about 10 ms of work.
    pub(super) work: Clocks,
    /// Greatest relative difference between figures of that work, each from ten consecutive runs.
    pub(super) resolution_percent: f64,
}

/// Figures of one program on both clocks.
#[derive(Debug, PartialEq, serde::Serialize)]
pub(super) struct Clocks {
    /// Wall clock minus run delay; absent if the kernel does not report it.
    pub(super) unloaded: Option<Figure>,
    pub(super) wall: Figure,
}

/// The figure of a program, and the scatter of its runs.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub(super) struct Figure {
    /// The headline, in milliseconds.
    pub(super) ms: f64,
    /// Half the width of the headline's interval, relative to the headline.
    pub(super) half_width_percent: f64,
    /// Distance of the 90th percentile above the fastest run, in percent of it.
    pub(super) p90_percent: f64,
}

/// Measures the noise in a sandbox that does nothing else.
pub(super) async fn measure(trial: &mut BenchSession) -> Result<Noise, SandboxFault> {
    let empty = samples(trial, EMPTY).await?;
    let work = samples(trial, WORK).await?;
    compute(&empty, &work).ok_or_else(|| SandboxFault::failed("measure the noise")("no samples"))
}

async fn samples(trial: &mut BenchSession, source: &str) -> Result<Vec<Sample>, SandboxFault> {
    trial.compile(source).await?;
    trial.time(0, RUNS).await
}

fn compute(empty: &[Sample], work: &[Sample]) -> Option<Noise> {
    let [start_up, work_clocks] = [clocks(empty)?, clocks(work)?];
    let clock = work_clocks.unloaded.map_or(RuntimeClock::Wall, |_| RuntimeClock::Unloaded);
    let groups: Option<Vec<f64>> =
        work.chunks_exact(GROUP).map(|group| Some(headline(group, clock)?.ns)).collect();
    let groups = groups?;
    let least = groups.iter().copied().reduce(f64::min)?;
    let most = groups.iter().copied().reduce(f64::max)?;
    let runs = u32::try_from(work.len()).ok()?;
    let resolution_percent = percent(most - least, least);
    Some(Noise { runs, start_up, work: work_clocks, resolution_percent })
}

fn clocks(samples: &[Sample]) -> Option<Clocks> {
    let unloaded = figure(samples, RuntimeClock::Unloaded);
    Some(Clocks { unloaded, wall: figure(samples, RuntimeClock::Wall)? })
}

fn figure(samples: &[Sample], clock: RuntimeClock) -> Option<Figure> {
    let sorted = rising(samples, clock)?;
    let headline = Headline::from_sorted(&sorted)?;
    let (least, p90) = (*sorted.first()?, *sorted.get(sorted.len() * 9 / 10)?);
    Some(Figure {
        ms: headline.ns / 1e6,
        half_width_percent: percent(headline.half_width_ns(), headline.ns),
        p90_percent: percent((p90 - least) as f64, least as f64),
    })
}

fn headline(samples: &[Sample], clock: RuntimeClock) -> Option<Headline> {
    Headline::from_sorted(&rising(samples, clock)?)
}

fn rising(samples: &[Sample], clock: RuntimeClock) -> Option<Vec<u64>> {
    let mut all: Vec<u64> = samples.iter().map(|sample| sample.on(clock)).collect::<Option<_>>()?;
    all.sort_unstable();
    Some(all)
}

fn percent(part: f64, whole: f64) -> f64 {
    part / whole * 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten runs of `ns` each, including `delay_ns` of waiting for a processor.
    fn runs(ns: u64, delay_ns: Option<u64>) -> [Sample; GROUP] {
        [Sample { wall_ns: ns, run_delay_ns: delay_ns, ..Sample::default() }; GROUP]
    }

    #[test]
    fn waiting_is_noise_of_the_wall_clock_alone() {
        let work = [runs(1000, Some(0)), runs(1500, Some(500))].concat();
        let noise = compute(&work, &work).unwrap();
        let unloaded = noise.work.unloaded.unwrap();
        assert_eq!((unloaded.p90_percent, noise.resolution_percent, noise.runs), (0.0, 0.0, 20));
        assert!(noise.work.wall.p90_percent > 49.9, "{noise:?}");
    }

    #[test]
    fn wall_clock_decides_without_run_delay() {
        let work = [runs(1000, None), runs(1500, None)].concat();
        let noise = compute(&work, &work).unwrap();
        assert_eq!((noise.work.unloaded, noise.resolution_percent), (None, 50.0));
    }
}
