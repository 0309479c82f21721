//! The inputs of a task, declared once and made for every size: a [`Spec`] and an n become bytes.
//!
//! ```text
//! Spec, Scope ── names, fields ──> Plan ── n ──> values ──> rows of variables ──> bytes
//!                    │                                  │
//!                    └── problems at every n            └── problems at this n, input size
//! ```
//!
//! Every number of a variable is worked out from its position (`random`, `shuffle`, `strata`), so
//! an input of a hundred megabytes is held nowhere, and the same spec, seed and n give the same
//! bytes on every machine.

#![forbid(unsafe_code)]

mod context;
mod draw;
mod expression;
mod kinds;
pub mod limits;
mod plan;
mod problem;
mod recipe;
mod scope;
pub mod spec;
mod writer;

pub use plan::{Estimate, Failure, Plan};
pub use problem::{Cause, Problem};
pub use recipe::Recipe;
pub use scope::Scope;
pub use spec::Spec;
