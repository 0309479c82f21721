//! Figures from raw samples: clocks, units, statistics and memory.

mod clock;
mod disturbed_runs;
pub(crate) mod message;
mod size_figures;
mod two_ways;
pub(crate) mod units;

pub(crate) use clock::{ClockRule, are_concurrent, valid_samples};
pub(crate) use profiler_decode::gnu_time::{GnuTime, ParseError};
pub use runner_protocol::{Clock as RuntimeClock, Sample};
pub(crate) use size_figures::{contradiction, headline, noise_ms, published_sample, size_figures};
pub(crate) use two_ways::{Runs, TwoWays};
