//! Steps of a task, the programs they start, and what ends them.

pub(crate) mod background;
pub(crate) mod failure;
pub(crate) mod shell;
pub(crate) mod step;
pub(crate) mod tally;
