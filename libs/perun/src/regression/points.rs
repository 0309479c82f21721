//! The points of a fit, and the errors of a fit.

use crate::number::Number;

/// Reason why a model cannot be fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// Too few points.
    #[error("there are fewer than 3 points")]
    FewPoints,
    /// Too few points for the number of parts.
    #[error("there are fewer than 2 points for each part")]
    FewForParts,
    /// A division by zero, a logarithm of 0, or a number out of range.
    #[error("there are too few different sizes, or numbers are out of range")]
    Singular,
}

/// The points of one uid.
pub(super) type Points = Vec<(Number, Number)>;
