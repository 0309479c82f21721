//! The kinds of variables. Each kind compiles its fields into a function that computes its values
//! at one n.

mod graphs;
pub(crate) mod kind;
mod numbers;
mod pairs;
mod queries;
mod strings;
pub(crate) mod values;
