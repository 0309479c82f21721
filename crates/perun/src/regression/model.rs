//! A fitted model of one uid, and its record in a profile.

use super::fit::Fit;
use super::kind::Kind;
use super::method::Method;
use crate::number::Number;
use serde_json::{Map, Value, json};

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
