//! The six models.

use super::fit::Fit;
use super::method::Method;
use crate::number::Number;
use serde_json::{Map, Value, json};

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
    /// All of them, in the order in which they are tried.
    pub const ALL: [Self; 6] = [
        Self::Linear,
        Self::Logarithmic,
        Self::Quadratic,
        Self::Power,
        Self::Exponential,
        Self::Constant,
    ];

    /// Perun's name of it.
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

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// How many of b0, b1, b2 it has.
    pub fn coefficient_count(self) -> usize {
        if self == Self::Quadratic { 3 } else { 2 }
    }

    /// The curve at `x`. What is not given of its coefficients is 0.
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

/// A model of a uid's amounts.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The uid's text.
    pub uid: String,
    /// The form.
    pub kind: Kind,
    /// The method that found it.
    pub method: Method,
    /// b0, b1, and b2 for a quadratic one.
    pub coefficients: Vec<f64>,
    /// How well it fits, in the space where it is a line: 1 is all, below 0 is worse than the mean.
    pub r_square: f64,
    start: Number,
    end: Number,
}

impl Model {
    pub(super) fn new(fit: Fit, uid: &str, method: Method) -> Self {
        Self {
            uid: uid.to_owned(),
            kind: fit.kind,
            method,
            coefficients: fit.coefficients,
            r_square: fit.r_square,
            start: fit.start,
            end: fit.end,
        }
    }

    /// The least and the greatest size that it was fitted to.
    pub fn interval(&self) -> (f64, f64) {
        (self.start.float(), self.end.float())
    }

    /// As a profile has it, its interval under the names of the description and of Perun.
    pub fn record(&self) -> Map<String, Value> {
        let coefficient = |(at, value)| json!({"name": format!("b{at}"), "value": value});
        let coefficients: Vec<_> = self.coefficients.iter().enumerate().map(coefficient).collect();
        let (start, end) = (self.start.json(), self.end.json());
        [
            ("model", self.kind.name().into()),
            ("coeffs", coefficients.into()),
            ("r_square", self.r_square.into()),
            ("x_start", start.clone().into()),
            ("x_end", end.clone().into()),
            ("uid", self.uid.as_str().into()),
            ("method", self.method.name().into()),
            ("x_interval_start", start.into()),
            ("x_interval_end", end.into()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into_iter()
        .collect()
    }
}
