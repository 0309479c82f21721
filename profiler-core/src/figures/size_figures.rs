//! From raw samples to the figures of one size.

use super::clock::{RuntimeClock, runtime_ns};
use super::headline::Headline;
use super::units::{mib, ms};
use profiler_statistics::Statistics;
use runner_protocol::Sample;

/// How far the parts of a run's wall clock may be above it, as a share of it, or [`TOLERANCE_MS`]
/// if that is more: they are read one after the other.
const TOLERANCE_SHARE: f64 = 0.01;
/// See [`TOLERANCE_SHARE`].
const TOLERANCE_MS: f64 = 0.05;

/// Statistics of every figure over the repetitions of one size. A figure that the kernel could not
/// give for every repetition is absent.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Figures {
    /// The headline, with the interval of its own.
    pub headline: Headline,
    /// The report's clock.
    pub runtime_ms: Statistics,
    /// The monotonic clock.
    pub wall_ms: Statistics,
    /// Processor time of the process tree.
    pub cpu_ms: Option<Statistics>,
    /// Its user part, by ticks on most kernels.
    pub user_ms: Statistics,
    /// Its system part, by ticks on most kernels.
    pub sys_ms: Statistics,
    /// Runnable but waiting for a processor.
    pub run_delay_ms: Option<Statistics>,
    /// Wall − cpu − run delay: waiting for I/O or asleep. Absent for concurrent programs, and where
    /// it is clearly negative.
    pub blocked_ms: Option<Statistics>,
    /// Peak resident set.
    pub peak_memory_mb: Statistics,
}

impl Figures {
    /// The figures of `samples` under `clock`; `None` without samples.
    pub fn of(samples: &[Sample], clock: RuntimeClock) -> Option<Self> {
        let all = |figure: &dyn Fn(&Sample) -> Option<f64>| {
            let values: Option<Vec<f64>> = samples.iter().map(figure).collect();
            values.and_then(|v| Statistics::from_values(&v))
        };
        Some(Self {
            headline: Headline::of(samples, clock)?,
            runtime_ms: all(&|s| runtime_ns(s, clock).map(ms))?,
            wall_ms: all(&|s| Some(ms(s.wall_ns)))?,
            cpu_ms: all(&|s| s.cpu_ns.map(ms)),
            user_ms: all(&|s| Some(ms(s.user_ns)))?,
            sys_ms: all(&|s| Some(ms(s.sys_ns)))?,
            run_delay_ms: all(&|s| s.run_delay_ns.map(ms)),
            blocked_ms: all(&blocked_ms).filter(|_| contradiction(samples).is_none()),
            peak_memory_mb: all(&|s| Some(mib(s.peak_rss_bytes)))?,
        })
    }
}

/// The first of `samples` whose wall clock is clearly, by more than 1 % and 50 µs, less than the
/// processor time and the run delay that should be its parts.
pub(crate) fn contradiction(samples: &[Sample]) -> Option<&Sample> {
    samples.iter().find(|sample| {
        let tolerated = (ms(sample.wall_ns) * TOLERANCE_SHARE).max(TOLERANCE_MS);
        blocked_ms(sample).is_some_and(|blocked| blocked < -tolerated)
    })
}

fn blocked_ms(sample: &Sample) -> Option<f64> {
    let (cpu, delay) = (sample.cpu_ns?, sample.run_delay_ns?);
    (!sample.concurrent).then(|| ms(sample.wall_ns) - ms(cpu) - ms(delay))
}
