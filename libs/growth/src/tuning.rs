//! Factors of a few constants, for fitting these constants to other programs.

/// Factors of constants. Each factor is 1 in production.
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
    /// The factors that leave the constants unchanged.
    pub const IN_USE: Self = Self { trust: 1.0, step_spread: 1.0, scatter: 1.0 };
}
