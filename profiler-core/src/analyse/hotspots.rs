//! Hotspots: where the time goes, by line and function of the submitted source.
//!
//! The counter counts instructions by line in a separate run (`exact`). A program that cannot be
//! counted is sampled with `gprof -l` (`sampled`).

mod exact;
mod find;
mod renumbering;
mod sampled;

pub(crate) use find::find;
pub(crate) use renumbering::warning_of_renumbering;
