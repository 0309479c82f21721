//! The headline of some repetitions, in milliseconds.

use super::units::NS_PER_MS;
use profiler_statistics::{Interval, KNOWN_SHARE, LEVEL};
use runner_protocol::{Clock as RuntimeClock, Sample};

/// The headline of some repetitions. The runner decides by the same rule when to stop repeating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Headline {
    /// The figure, in milliseconds.
    pub ms: f64,
    /// The confidence interval, in milliseconds.
    pub interval: Interval,
    /// Whether half of the interval's width is at most 1 % of the headline or 50 µs, whichever is
    /// more.
    pub known: bool,
}

impl Headline {
    /// The headline of `samples` on `clock`, by [`profiler_statistics::Headline`]. `None` without
    /// samples, or if the kernel does not report what the clock needs.
    pub fn from_samples(samples: &[Sample], clock: RuntimeClock) -> Option<Self> {
        let taken: Option<Vec<_>> = samples.iter().map(|sample| sample.on(clock)).collect();
        let mut sorted = taken?;
        sorted.sort_unstable();
        let headline = profiler_statistics::Headline::from_sorted(&sorted)?;
        let [low, high] = [headline.low_ns, headline.ns].map(|ns| ns / NS_PER_MS);
        Some(Self {
            ms: headline.ns / NS_PER_MS,
            interval: Interval { low, high, level: LEVEL },
            known: headline.is_known_to(KNOWN_SHARE),
        })
    }

    /// The width of the confidence interval, in milliseconds.
    pub fn width_ms(&self) -> f64 {
        self.interval.high - self.interval.low
    }
}
