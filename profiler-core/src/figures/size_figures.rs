//! Figures of one size from raw samples.

use super::headline::Headline;
use super::units::{mib, ms};
use profiler_statistics::Statistics;
use runner_protocol::{Clock as RuntimeClock, Sample};

/// Maximum excess of a run's processor time plus run delay over its wall clock, as a share of the
/// wall clock. [`TOLERANCE_MS`] applies instead if it allows more. The clocks are read one after
/// the other, so small differences are normal.
const TOLERANCE_SHARE: f64 = 0.01;
/// Minimum tolerance, in milliseconds; see [`TOLERANCE_SHARE`].
const TOLERANCE_MS: f64 = 0.05;

/// Statistics of every figure over the repetitions of one size. A figure is absent unless the
/// kernel reported it for every repetition.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// The headline, with its own confidence interval.
    pub headline: Headline,
    /// The time on the report's clock.
    pub runtime_ms: Statistics,
    /// Time on the monotonic clock.
    pub wall_ms: Statistics,
    /// Processor time of the process tree.
    pub cpu_ms: Option<Statistics>,
    /// The user part of the processor time. Most kernels count it in ticks.
    pub user_ms: Statistics,
    /// The system part of the processor time. Most kernels count it in ticks.
    pub sys_ms: Statistics,
    /// Time spent runnable but waiting for a processor.
    pub run_delay_ms: Option<Statistics>,
    /// Wall − cpu − run delay: time spent asleep or waiting for I/O. Absent for concurrent
    /// programs, and if it is clearly negative.
    pub blocked_ms: Option<Statistics>,
    /// Peak resident set, in MiB.
    pub peak_memory_mb: Statistics,
}

impl Figures {
    /// The figures of `samples` on `clock`; `None` without samples.
    pub fn from_samples(samples: &[Sample], clock: RuntimeClock) -> Option<Self> {
        let all = |figure: &dyn Fn(&Sample) -> Option<f64>| {
            let values: Option<Vec<f64>> = samples.iter().map(figure).collect();
            values.and_then(|v| Statistics::from_values(&v))
        };
        Some(Self {
            headline: Headline::from_samples(samples, clock)?,
            runtime_ms: all(&|s| s.on(clock).map(ms))?,
            wall_ms: all(&|s| Some(ms(s.wall_ns)))?,
            cpu_ms: all(&|s| s.cpu_ns.map(ms)),
            user_ms: all(&|s| Some(ms(s.user_ns)))?,
            sys_ms: all(&|s| Some(ms(s.sys_ns)))?,
            run_delay_ms: all(&|s| s.run_delay_ns.map(ms)),
            blocked_ms: all(&blocked_ms).filter(|_| contradiction(samples).is_none()),
            peak_memory_mb: all(&|s| Some(mib(s.peak_rss_bytes)))?,
        })
    }

    /// Returns the largest difference that cannot be told from noise, in milliseconds: the width of
    /// the headline's interval, or the range of the runs if that is less. The range matters because
    /// the interval of a few runs can begin at 0, for example if two runs differ by 6 %. It is then
    /// wider than any difference from a shorter time. 0 for a single run.
    pub fn noise_ms(&self) -> f64 {
        self.headline.width_ms().min(self.runtime_ms.max - self.runtime_ms.min)
    }
}

/// Returns the first sample whose processor time plus run delay clearly exceeds its wall clock, by
/// more than 1 % and by more than 50 µs.
pub(crate) fn contradiction(samples: &[Sample]) -> Option<&Sample> {
    samples.iter().find(|sample| {
        let tolerated = (ms(sample.wall_ns) * TOLERANCE_SHARE).max(TOLERANCE_MS);
        blocked_ms(sample).is_some_and(|blocked| blocked < -tolerated)
    })
}

/// Returns wall − cpu − run delay, in milliseconds. Subtracts in nanoseconds, because a difference
/// of floating-point milliseconds is seldom exactly 0.
fn blocked_ms(sample: &Sample) -> Option<f64> {
    let not_blocked = sample.cpu_ns?.saturating_add(sample.run_delay_ns?);
    let blocked = match sample.wall_ns.checked_sub(not_blocked) {
        Some(blocked) => ms(blocked),
        None => -ms(not_blocked - sample.wall_ns),
    };
    (!sample.concurrent).then_some(blocked)
}
