//! Clocks and units.

use runner_protocol::{Clock, Sample};
use std::time::Duration;

pub(super) const NS_PER_MS: f64 = 1e6;
const BYTES_PER_MIB: f64 = 1_048_576.0;

/// The clock of a report's headline figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RuntimeClock {
    /// Wall less run delay.
    Unloaded,
    /// Wall.
    Wall,
    /// Processor time of the process tree.
    Cpu,
}

impl From<RuntimeClock> for Clock {
    fn from(clock: RuntimeClock) -> Self {
        match clock {
            RuntimeClock::Unloaded => Self::Unloaded,
            RuntimeClock::Wall => Self::Wall,
            RuntimeClock::Cpu => Self::Cpu,
        }
    }
}

/// The headline figure of one sample; `None` where the kernel does not give what the clock needs.
pub fn runtime_ns(sample: &Sample, clock: RuntimeClock) -> Option<u64> {
    sample.on(clock.into())
}

/// Nanoseconds as milliseconds.
pub(crate) fn ms(ns: u64) -> f64 {
    ns as f64 / NS_PER_MS
}

/// Bytes as MiB.
pub(crate) fn mib(bytes: u64) -> f64 {
    bytes as f64 / BYTES_PER_MIB
}

/// A duration as the runner counts.
pub(crate) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
