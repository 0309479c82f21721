//! Possible meanings of shapes, given the evidence in all samples.

pub(crate) mod alternatives;
pub(crate) mod content;
pub(crate) mod evidence;
mod queries;
mod view;
