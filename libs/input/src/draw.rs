//! Random values by position: value i is computed without the values before it, so no sequence is
//! stored. Exceptions: balanced brackets are drawn one after the other, and the ranks of a rule are
//! stored.

pub(crate) mod adversarial;
pub(crate) mod earlier;
pub(crate) mod edges;
pub(crate) mod polygon;
pub(crate) mod random;
pub(crate) mod rule;
pub(crate) mod shuffle;
pub(crate) mod span;
pub(crate) mod split;
pub(crate) mod strata;
pub(crate) mod strings;
pub(crate) mod tree;
