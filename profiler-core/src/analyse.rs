//! Analyses after the timed runs. Each makes separate runs of the program.

pub(crate) mod advice;
pub(crate) mod allocations;
pub(crate) mod fault;
pub(crate) mod growth_runs;
pub(crate) mod hotspots;
pub(crate) mod instructions;
mod pace;
pub(crate) mod sanitizers;
pub(crate) mod test_counts;
