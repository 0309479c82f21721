//! Our reports as profiles of Perun, which its own tools load.
//!
//! The regions are those of the written format, with one more, `swiftprof`: our growth classes, for which
//! Perun has no model. `origin` is absent, as a profile that belongs to no commit has none. A mixed profile has
//! one more, `models`: Perun 0.28 drops those that stand in snapshots alone.

mod document;
mod memory;
mod time;

pub(crate) use memory::profile as memory;
pub(crate) use time::{mixed, time};

#[cfg(test)]
mod tests;
