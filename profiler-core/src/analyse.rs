//! What is found out after the timed runs, in runs of their own.

pub(crate) mod allocations;
pub(crate) mod growth_runs;
pub(crate) mod hotspots;
pub(crate) mod instructions;
