//! Perun's regression analysis: six models of an amount over a size, found by five methods.
//!
//! The formulas, the order of models and the order of sums are Perun's. They are not those of
//! `profiler-statistics`, because every result must be bit-equal to Perun's own arithmetic. If
//! Perun raises an exception (too few different sizes, a logarithm of 0), the uid is skipped and
//! the reason is reported.
//!
//! ```text
//! analysis ──> method ──> fit ──> sums ──> kind
//! ```

mod analysis;
mod fit;
mod kind;
mod method;
mod points;
mod sums;

pub use analysis::{Analysis, Settings, Skipped, analyse};
pub use kind::Kind;
pub use method::Method;
pub use points::FitError;
