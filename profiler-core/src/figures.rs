//! From raw samples to figures: clocks, units, statistics and memory.

mod clock;
mod headline;
mod memory;
mod size_figures;
mod two_ways;
pub(crate) mod units;

pub(crate) use clock::{ClockRule, are_concurrent, valid_samples};
pub use clock::{RuntimeClock, runtime_ns};
pub use headline::Headline;
pub use memory::{Memory, Statm};
pub use profiler_decode::gnu_time::{GnuTime, ParseError};
pub use runner_protocol::Sample;
pub use size_figures::Figures;
pub(crate) use size_figures::contradiction;
pub(crate) use two_ways::{Runs, TwoWays};

/// One run in so many may be odd.
const ODD_SHARE: usize = 10;

/// How many of `runs` may be odd because of the host, whatever the program does: one, or one in
/// [`ODD_SHARE`].
fn odd_runs(runs: usize) -> usize {
    (runs / ODD_SHARE).max(1)
}
