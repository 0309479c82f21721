//! Perun's regression analysis: how an amount grows with a size, as six models found by five methods.
//!
//! Formulas, order of models and order of sums are Perun's, so that its figures come out. Where Perun stops with
//! an exception (too few different sizes, a logarithm of nothing), the uid is left out and the reason is told.

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
