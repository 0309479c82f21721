//! The rows of the tables.

pub(super) mod events;
#[cfg(feature = "fleet")]
pub(super) mod followed;
pub(super) mod runs;
pub(super) mod waiting;
