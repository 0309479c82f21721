//! Runs of programs: timed runs with the results that follow from them, and the runs of a stress
//! test or of the search for the worst input.

pub(crate) mod answer;
pub(crate) mod input_check;
pub(crate) mod interactive;
mod program_session;
pub(crate) mod schedule;
pub(crate) mod session;
pub(crate) mod size;
pub(crate) mod startup;
pub mod stress;
pub(crate) mod test_cases;
pub(crate) mod verdict;
pub mod worst;

pub use answer::{Answer, WordDifference};
pub use program_session::{NotCompiled, ProgramSession};
pub use session::bench::BenchSession;
