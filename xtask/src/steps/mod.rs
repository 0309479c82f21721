//! Steps of a task, the programs they start, and what ends them.

pub(crate) mod background;
pub(crate) mod busy;
pub mod failure;
pub mod shell;
pub mod step;
