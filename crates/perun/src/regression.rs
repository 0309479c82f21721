//! Perun's regression analysis: six models of an amount over a size, found by five methods.
//!
//! Formulas, the order of models and the order of sums are Perun's, so the figures are equal. Where
//! Perun raises an exception (too few different sizes, a logarithm of 0), the uid is skipped and
//! the reason is reported.
//!
//! ```text
//! analysis ──> method, model ──> fit ──> sums ──> kind
//! ```

mod analysis;
mod fit;
mod kind;
mod method;
mod model;
mod points;
mod sums;

pub use analysis::{Analysis, Settings, Skipped, analyse};
pub use kind::Kind;
pub use method::Method;
pub use model::Model;
pub use points::FitError;
