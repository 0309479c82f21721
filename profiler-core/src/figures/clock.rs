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

/// The clock of the headline, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HeadlineClock {
    pub(crate) clock: RuntimeClock,
    pub(crate) reason: &'static str,
}

/// What a job says about the clock of its headline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClockRule {
    /// The clock that the request names.
    pub(crate) requested: Option<RuntimeClock>,
    /// Whether the program waits for an interactor.
    pub(crate) interactive: bool,
}

impl ClockRule {
    /// The clock for these samples: the requested one, else the unloaded one. Where several threads
    /// or processes ran, it is the wall clock, because nobody can subtract their waiting.
    pub(crate) fn choose<'a>(self, samples: impl IntoIterator<Item = &'a Sample>) -> HeadlineClock {
        let samples: Vec<_> = samples.into_iter().collect();
        let any = |met: fn(&Sample) -> bool| samples.iter().copied().any(met);
        let (clock, reason) = match self.requested {
            Some(RuntimeClock::Cpu) if self.interactive => (
                RuntimeClock::Cpu,
                "the program talks to an interactor, and what it waits for that is not its time",
            ),
            Some(clock) => (clock, "as the request chose"),
            None if any(|s| runtime_ns(s, RuntimeClock::Unloaded).is_none()) => {
                (RuntimeClock::Wall, "this kernel does not tell how long a process waited")
            }
            None if any(|s| s.concurrent) => {
                (RuntimeClock::Wall, "several threads or processes ran")
            }
            None if samples.is_empty() => (RuntimeClock::Unloaded, "nothing was measured"),
            None => (RuntimeClock::Unloaded, "one thread ran"),
        };
        HeadlineClock { clock, reason }
    }
}
