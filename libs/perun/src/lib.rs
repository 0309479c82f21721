//! Reads, queries, converts and models performance profiles in Perun's format, whoever wrote them.
//! No type of this project appears here.
//!
//! ```text
//! bytes ── format ──> Profile ─┬─ query ──────> values
//!                              ├─ convert ────> data frame, heap and heat map, flame graph, points
//!                              ├─ regression ─> models ── format ──> bytes
//!                              └─ normalise ──> Profile ── format ──> bytes
//! ```
//!
//! The code follows the description of the format. If the description disagrees with Perun 0.28.3,
//! the code follows Perun. The heap map and the heat map follow Perun 0.16.9, because later
//! versions lack them. Nothing here runs Perun.

#![forbid(unsafe_code)]

pub mod convert;
mod error;
pub mod format;
mod items;
pub mod limits;
pub mod normalise;
mod number;
pub mod query;
pub mod regression;

pub use error::Error;
pub use format::Profile;
