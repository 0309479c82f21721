//! Parsers of sizes.

pub(in crate::args) use profiler_input::{size, sizes};

/// The sizes that one value of an option lists.
pub(crate) type Sizes = Vec<u64>;
