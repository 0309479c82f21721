//! Choice of the headline's clock.

use super::disturbed_runs::odd_runs;
use runner_protocol::{Clock as RuntimeClock, Sample};
use std::borrow::Cow;

/// The clock of the headline, and the reason for choosing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HeadlineClock {
    pub(crate) clock: RuntimeClock,
    pub(crate) reason: &'static str,
}

/// Rule for choosing the clock of a job's headline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClockRule {
    /// The clock that the request names, if it names one.
    pub(crate) requested: Option<RuntimeClock>,
    /// Whether the task is interactive.
    pub(crate) interactive: bool,
}

impl ClockRule {
    /// Chooses the clock for the samples of all sizes: the requested clock, else the unloaded one.
    /// The wall clock replaces the unloaded one if several threads or processes ran, because their
    /// run delays overlap.
    pub(crate) fn choose<'a>(self, sizes: impl IntoIterator<Item = &'a [Sample]>) -> HeadlineClock {
        let sizes: Vec<_> = sizes.into_iter().collect();
        let any = |met: fn(&Sample) -> bool| sizes.iter().copied().flatten().any(met);
        let (clock, reason) = match self.requested {
            Some(RuntimeClock::Cpu) if self.interactive => (
                RuntimeClock::Cpu,
                "the program talks to an interactor, and waiting for the interactor does not count",
            ),
            Some(RuntimeClock::Unloaded) if sizes.iter().any(|samples| are_concurrent(samples)) => {
                (
                    RuntimeClock::Wall,
                    "several threads or processes ran, which have no unloaded clock in common",
                )
            }
            Some(clock) => (clock, "the request chose it"),
            None if any(|s| s.on(RuntimeClock::Unloaded).is_none()) => {
                (RuntimeClock::Wall, "this kernel does not report run delay")
            }
            None if sizes.iter().any(|samples| are_concurrent(samples)) => {
                (RuntimeClock::Wall, "several threads or processes ran, and shared one core")
            }
            None if !any(|_| true) => (RuntimeClock::Unloaded, "nothing was measured"),
            None => (RuntimeClock::Unloaded, "one thread ran"),
        };
        HeadlineClock { clock, reason }
    }
}

/// Whether more runs of a size look concurrent than [the host may have disturbed](odd_runs). A run
/// of a single thread also looks concurrent if a hypervisor takes the processor away at its end.
/// This happens about once in thousands of runs, and more often if there is more work than
/// processors.
pub(crate) fn are_concurrent(samples: &[Sample]) -> bool {
    let concurrent = samples.iter().filter(|sample| sample.concurrent).count();
    concurrent > odd_runs(samples.len()) || (concurrent == 1 && samples.len() == 1)
}

/// Returns the samples that count on `clock`. The unloaded clock cannot time a run that looks
/// concurrent, so such runs are left out, unless all runs look concurrent.
pub(crate) fn valid_samples(samples: &[Sample], clock: RuntimeClock) -> Cow<'_, [Sample]> {
    let alone = samples.iter().filter(|sample| !sample.concurrent);
    let count = alone.clone().count();
    if clock != RuntimeClock::Unloaded || count == 0 || count == samples.len() {
        return samples.into();
    }
    alone.copied().collect()
}
