//! A run's ending as a document: for people, for spreadsheets, for flame graph tools, for Perun.
//!
//! Everything here works on the wire's types, so that a run in this process, one on a server and one in
//! a file look the same. Names of functions, messages and stderr come from hostile programs: each format
//! writes them so that they stay text.

#![forbid(unsafe_code)]

mod call_stacks;
mod csv;
mod ending;
mod error;
mod export;
mod file_name;
pub mod html;
mod perun;
mod report;
#[cfg(test)]
mod tests;
mod text;

pub use ending::Ending;
pub use error::{Error, MAX_BYTES};
pub use export::{Exported, export};
pub use report::{figure, headline_ns, outcome_name, readable};
pub use text::Palette;
