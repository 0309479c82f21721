//! The lines of samples, and the shapes that they can have.

pub(crate) mod candidates;
pub(crate) mod sample;
pub(crate) mod shape;
