//! Finds where a program executes its instructions, by blocks and by chains of calls.

pub(crate) mod call_tracking;
pub(crate) mod call_tree;
pub(crate) mod profile;
pub(crate) mod profiled_exits;
pub(crate) mod tallies;
