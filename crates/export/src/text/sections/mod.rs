//! The sections of a report as text.

pub(super) mod allocations;
pub mod changes;
pub(super) mod compile;
pub(super) mod failures;
pub(super) mod hotspots;
mod log_axis;
pub(super) mod noise;
pub(super) mod plot;
pub(super) mod size_table;
pub(super) mod table;
pub mod worst;
