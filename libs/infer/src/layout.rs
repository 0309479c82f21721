//! The layout of samples: their words, the shapes that lines have, and which shapes fit.

pub(crate) mod cost;
pub(crate) mod sample;
pub(crate) mod search;
pub(crate) mod shape;
