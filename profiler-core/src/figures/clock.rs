//! The clocks of the headline figure.

use runner_protocol::{Clock, Sample};

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
