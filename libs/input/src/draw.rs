//! Random values by position: value i is computed without the values before it, so no sequence is
//! stored. Only balanced brackets are drawn one after the other.

pub(crate) mod adversarial;
pub(crate) mod earlier;
pub(crate) mod edge_space;
pub(crate) mod edges;
pub(crate) mod polygon;
pub(crate) mod random;
pub(crate) mod shuffle;
pub(crate) mod span;
pub(crate) mod split;
pub(crate) mod strata;
pub(crate) mod strings;
pub(crate) mod tree;
