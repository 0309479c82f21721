//! Sentences about what was found: where a program fails, what sanitizers found, on which input two
//! programs differ, and which lines no input reached.

mod coverage;
mod fault;
mod sanitizer;
mod stress;

pub use coverage::unreached;
pub use fault::fault;
pub(crate) use sanitizer::sanitized;
pub use sanitizer::sanitizer_finding;
pub use stress::{stress_end, stress_sentence};
