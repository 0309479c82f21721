//! Generates the inputs of a task for every size: turns an [`InputSpec`], which declares all inputs
//! at once, and a size n into bytes.
//!
//! ```text
//! InputSpec, Scope ── names, fields ──> Plan ── n ──> values of expressions ──> rows ──> bytes
//!                         │                                  │
//!                         └── problems at every n            └── problems and estimate at this n
//! ```
//!
//! Every number of a variable is computed from its position (`random`, `shuffle`, `strata`). So
//! even an input of a hundred megabytes is never held in memory; only the ranks of a rule are. The
//! same spec, seed and n give the same bytes on every machine.

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
/// The messages of `input.proto`.
#[rustfmt::skip]
#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic, reason = "generated")]
pub mod spec;
mod writer;

pub use draw::random::RandomStream;
pub use draw::rule::{Rule, RuleBlock, RuleBlockKind, RuleLayout, RuleStep, STEP_PARTS};
pub use draw::strings::parts::TextPart;
pub use expression::{evaluate, size, sizes};
pub use plan::{Estimate, Failure, Plan};
pub use problem::{Cause, Problem};
pub use recipe::Recipe;
pub use scope::{SIZE, Scope};
pub use spec::InputSpec;
