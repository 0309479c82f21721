//! The layout of samples: their words, the shapes that lines can have, and the search for shapes
//! that fit.

pub(crate) mod cost;
pub(crate) mod sample;
pub(crate) mod search;
pub(crate) mod shape;
