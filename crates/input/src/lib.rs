//! The inputs of a task, declared once and made for every size: a [`Spec`] and an n become bytes.
//!
//! ```text
//! Spec, Scope ── names, fields ──> Plan ── n ──> values of expressions ──> rows of variables ──> bytes
//!                    │                                  │
//!                    └── problems at every n            └── problems at this n, the size of the input
//! ```
//!
//! Every number of a variable is worked out from its position (`random`, `shuffle`, `strata`), so an input of
//! a hundred megabytes is held nowhere, and the same spec, seed and n give the same bytes on every machine.

#![forbid(unsafe_code)]

mod anti;
mod at;
mod edges;
mod expression;
mod fields;
mod frame;
mod graph;
mod layout;
mod letters;
pub mod limits;
mod names;
mod numbers;
mod out;
mod plan;
mod plane;
mod problem;
mod queries;
mod random;
mod recipe;
mod rows;
mod shuffle;
mod space;
mod span;
pub mod spec;
mod split;
mod strata;
mod tree;

pub use plan::{Estimate, Failure, Plan};
pub use problem::{Cause, Problem};
pub use recipe::{Recipe, Scope};
pub use spec::Spec;
