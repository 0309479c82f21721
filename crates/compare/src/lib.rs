//! Compares two programs by their reports, and says whether a difference is real.

#![forbid(unsafe_code)]

mod clock;
mod comparison;
mod difference;
mod method;
mod pair;
mod program;
mod table;
#[cfg(test)]
mod tests;
mod unknown;
mod verdict;

pub use clock::Obstacle;
pub use comparison::{Basis, Comparison, Figures, Memory, Outputs, Ratio, Size, Verdict};
pub use program::Program;
pub use table::{changes, questions, sentence, text};
pub use unknown::why_meaningless;
pub use verdict::compare_programs;
