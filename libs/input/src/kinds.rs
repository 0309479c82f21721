//! The kinds of variables. Each kind reads its fields from the spec, and has values at one n.

mod graphs;
pub(crate) mod kind;
mod numbers;
mod pairs;
mod queries;
mod strings;
pub(crate) mod values;
