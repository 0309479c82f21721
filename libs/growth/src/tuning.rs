//! Factors of a few constants, for whoever fits them to other programs.

/// Factors of constants. All are 1 in use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tuning {
    /// Of the power of every signal's evidence.
    pub trust: f64,
    /// Of the scale of the logarithm of a step's cost.
    pub step_spread: f64,
    /// Of the scatter around a curve.
    pub scatter: f64,
}

impl Tuning {
    /// The constants themselves.
    pub const IN_USE: Self = Self { trust: 1.0, step_spread: 1.0, scatter: 1.0 };
}
