//! Perun's performance profiles: anybody's, not only ours, and nothing of our own types.
//!
//! ```text
//! bytes ── format ──> Profile ─┬─ query ──────> values
//!                              ├─ convert ────> data frame, heap map, heat map, flame graph, points of models
//!                              ├─ regression ─> models ── format ──> bytes
//!                              └─ normalise ──> Profile ── format ──> bytes
//! ```
//!
//! Written after the description of the format. Where that and Perun 0.28.3 disagree, Perun decides; the
//! heap and the heat map, which it has no more, are those of Perun 0.16.9. Nothing here runs Perun.

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
