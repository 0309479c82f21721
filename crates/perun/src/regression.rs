//! Perun's regression analysis: how an amount grows with a size, as six models found by five methods.
//!
//! The formulas, the order of models and the order of sums are Perun's. They are not those of
//! `profiler-statistics`, because every result must be bit-equal to Perun's own arithmetic. If
//! Perun stops with an exception (too few different sizes, a logarithm of 0), the uid is left out
//! and the reason is reported.

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
