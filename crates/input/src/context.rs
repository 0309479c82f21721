//! What a field of a spec is read and evaluated with: names, paths, and a list of problems.

pub(crate) mod eval_context;
pub(crate) mod fields;
pub(crate) mod names;
