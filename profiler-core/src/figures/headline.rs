//! The headline of some repetitions, in milliseconds.

use super::clock::{RuntimeClock, runtime_ns};
use super::units::NS_PER_MS;
use profiler_statistics::Interval;
use runner_protocol::Sample;

/// The headline of some repetitions: what the runner, too, stops repeating by.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Headline {
    /// The figure, in milliseconds.
    pub ms: f64,
    /// Its confidence interval, in milliseconds.
    pub interval: Interval,
    /// Whether it is known to 1 % or 50 µs, whichever is more: half of the interval's width.
    pub known: bool,
}

impl Headline {
    /// The headline of `samples` under `clock`, by [`profiler_statistics::Headline`]; `None`
    /// without samples, and where the kernel does not give what the clock needs.
    pub fn of(samples: &[Sample], clock: RuntimeClock) -> Option<Self> {
        let taken: Option<Vec<_>> =
            samples.iter().map(|sample| runtime_ns(sample, clock)).collect();
        let mut sorted = taken?;
        sorted.sort_unstable();
        let headline = profiler_statistics::Headline::from_sorted(&sorted)?;
        let [low, high] = [headline.low_ns, headline.ns].map(|ns| ns / NS_PER_MS);
        Some(Self {
            ms: headline.ns / NS_PER_MS,
            interval: Interval { low, high, level: headline.level },
            known: headline.is_known(),
        })
    }

    /// The width of its interval, in milliseconds.
    pub fn width_ms(&self) -> f64 {
        self.interval.high - self.interval.low
    }
}
