//! Statistics of repetitions: summaries, the headline with its interval, and tests of a difference.
//!
//! Pure mathematics: nothing here runs or reads anything.

#![forbid(unsafe_code)]

mod headline;
mod significance;
mod summary;

pub use headline::{Headline, KNOWN_SHARE};
pub use significance::{holm_correction, student_t_quantile, student_t_two_sided};
pub use summary::{Interval, LEVEL, Statistics, median};
