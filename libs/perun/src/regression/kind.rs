//! The six forms of a model.

/// The form of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// b0
    Constant,
    /// b0 + b1·x
    Linear,
    /// b0 + b1·ln x
    Logarithmic,
    /// b0 + b1·x + b2·x²
    Quadratic,
    /// b0·x^b1
    Power,
    /// b0·b1^x
    Exponential,
}

impl Kind {
    /// All kinds, in the order of the analysis.
    pub const ALL: [Self; 6] = [
        Self::Linear,
        Self::Logarithmic,
        Self::Quadratic,
        Self::Power,
        Self::Exponential,
        Self::Constant,
    ];

    /// Perun's name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Linear => "linear",
            Self::Logarithmic => "logarithmic",
            Self::Quadratic => "quadratic",
            Self::Power => "power",
            Self::Exponential => "exponential",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The number of coefficients b0, b1, b2.
    pub fn coefficient_count(self) -> usize {
        if self == Self::Quadratic { 3 } else { 2 }
    }

    /// The value of the curve at `x`. Missing coefficients are 0.
    pub fn value(self, coefficients: &[f64], x: f64) -> f64 {
        let b = |at: usize| coefficients.get(at).copied().unwrap_or_default();
        match self {
            Self::Constant | Self::Linear => b(0) + b(1) * x,
            Self::Logarithmic => b(0) + b(1) * x.ln(),
            Self::Quadratic => b(0) + b(1) * x + b(2) * x.powi(2),
            Self::Power => b(0) * x.powf(b(1)),
            Self::Exponential => b(0) * b(1).powf(x),
        }
    }
}
