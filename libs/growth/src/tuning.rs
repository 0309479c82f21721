//! Factors of a few constants, with which they are fitted to other programs.

/// Factors of constants. Each is 1 in use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tuning {
    /// Factor of the power of every signal's evidence.
    pub trust: f64,
    /// Factor of the scale of the logarithm of a step's cost.
    pub step_spread: f64,
    /// Factor of the scatter around a curve.
    pub scatter: f64,
}

impl Tuning {
    /// The constants themselves.
    pub const IN_USE: Self = Self { trust: 1.0, step_spread: 1.0, scatter: 1.0 };
}
