//! Context for reading and evaluating fields: names, paths, and a list of problems.

pub(crate) mod eval_context;
pub(crate) mod fields;
pub(crate) mod names;
