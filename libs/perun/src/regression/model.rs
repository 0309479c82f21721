//! A fitted model of one uid, and its record in a profile.

use super::fit::Fit;
use super::kind::Kind;
use super::method::Method;
use crate::number::Number;
use serde_json::{Map, Value, json};

/// A fitted model of a uid's amounts.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The text of the uid.
    pub uid: String,
    /// The kind of the model.
    pub kind: Kind,
    /// The method that found it.
    pub method: Method,
    /// b0, b1, and b2 for a quadratic one.
    pub coefficients: Vec<f64>,
    /// R² in the space where the model is linear: 1 is a perfect fit, below 0 is worse than the
    /// mean.
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

    /// The least and the greatest fitted size.
    pub fn interval(&self) -> (f64, f64) {
        (self.start.float(), self.end.float())
    }

    /// Returns the model as a record of a profile. Its interval is there twice: under the
    /// documented keys, and under those that Perun itself uses.
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
