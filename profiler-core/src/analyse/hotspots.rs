//! Where the time goes, by the lines and functions of the submitted source.
//!
//! Hotspots are counted (`exact`): instructions, in a run of their own under the counter. What
//! cannot be counted is sampled with `gprof -l` (`sampled`).

mod exact;
mod find;
mod renumbering;
mod sampled;

pub(crate) use find::find;
pub(crate) use renumbering::warning_of_renumbering;
