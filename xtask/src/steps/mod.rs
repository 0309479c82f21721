//! Steps of a task, the programs they start, and what ends them.

pub mod failure;
pub mod shell;
pub mod step;
pub(crate) mod tally;
