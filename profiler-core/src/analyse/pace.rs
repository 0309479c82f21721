//! Predicts whether a counted or recorded run fits into the remaining time.

use crate::figures::units::MS_PER_SECOND;
use crate::report::MeasuredSize;
use std::time::{Duration, Instant};

/// Safety factor for the slow-down of the next size, relative to the last one.
const SLOWER: f64 = 1.2;

/// Estimate of how long counted or recorded runs take: their overhead, and the program's slow-down.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// Smallest overhead that is assumed, in milliseconds.
    least_ms: f64,
    start_ms: f64,
    slow_down: f64,
}

impl Pace {
    /// Makes the pace before the first run, from the expected overhead and slow-down.
    pub(super) fn assuming(start: Duration, slow_down: u32) -> Self {
        let start_ms = start.as_secs_f64() * MS_PER_SECOND;
        Self { least_ms: start_ms, start_ms, slow_down: slow_down.into() }
    }

    /// The time until `end`, if a run of `size` is expected to fit into it.
    pub(super) fn fits(self, size: &MeasuredSize, end: Instant) -> Option<Duration> {
        let left = end.saturating_duration_since(Instant::now());
        (self.expected(size) <= left).then_some(left)
    }

    /// Returns the maximum expected duration of a run of `size`.
    fn expected(self, size: &MeasuredSize) -> Duration {
        Self { slow_down: self.slow_down * SLOWER, ..self }.likely(size)
    }

    /// Returns the probable duration of a run of `size`.
    fn likely(self, size: &MeasuredSize) -> Duration {
        let ms = self.start_ms + size.runtime_ms() * self.slow_down;
        Duration::try_from_secs_f64(ms / MS_PER_SECOND).unwrap_or(Duration::MAX)
    }

    /// Returns the probable total duration of one run of each of `sizes`.
    pub(super) fn all<'a>(self, sizes: impl Iterator<Item = &'a MeasuredSize>) -> Duration {
        sizes.map(|size| self.likely(size)).fold(Duration::ZERO, Duration::saturating_add)
    }

    /// Returns the least time that a run of `size` takes on an idle host, if it is `slower` by this
    /// factor.
    pub(super) fn cost(self, size: &MeasuredSize, slower: f64) -> Duration {
        Self { start_ms: self.least_ms, slow_down: slower, ..self }.likely(size)
    }

    /// Learns from a run of `size`, which was `slower` by this factor, and `took` this long in
    /// total.
    pub(super) fn learn(&mut self, size: &MeasuredSize, slower: f64, took: Duration) {
        // The slow-down of a run that is shorter than the overhead is mostly overhead.
        let is_telling = size.runtime_ms() >= self.least_ms;
        self.slow_down = if is_telling { slower } else { self.slow_down.min(slower) };
        let took_ms = took.as_secs_f64() * MS_PER_SECOND;
        self.start_ms = self.least_ms.max(took_ms - size.runtime_ms() * slower);
    }
}
