//! Reports as Perun profiles, which Perun's own tools load.
//!
//! The regions are those of Perun's documented format, plus `swiftprof`: our growth classes, for
//! which Perun has no model. `origin` is absent, because the profile belongs to no commit. A mixed
//! profile also has the region `models`, because Perun 0.28 drops models that are only in
//! snapshots.

mod document;
mod memory;
mod time;

pub(crate) use memory::profile as memory;
pub(crate) use time::{mixed, time};

#[cfg(test)]
mod tests;
