//! Possible meanings of shapes, by the evidence of all samples.

pub(crate) mod alternatives;
pub(crate) mod content;
pub(crate) mod evidence;
mod queries;
mod view;
