//! The sums of a fit. Points can be added at any time.

use super::kind::Kind;
use crate::number::Number;

/// Sums over the points so far, in the space where the model is linear.
#[derive(Debug, Clone)]
pub(super) struct Sums {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) xx: f64,
    pub(super) xy: f64,
    pub(super) yy: f64,
    /// Σx³, Σx⁴ and Σx²y, for a quadratic model only.
    pub(super) xxx: f64,
    pub(super) xxxx: f64,
    pub(super) xxy: f64,
    /// The smallest and the largest x of the added points.
    pub(super) start: Number,
    pub(super) end: Number,
}

impl Sums {
    /// Sums without points. The interval begins at `first`.
    pub(super) fn new(first: Number) -> Self {
        Self {
            x: 0.0,
            y: 0.0,
            xx: 0.0,
            xy: 0.0,
            yy: 0.0,
            xxx: 0.0,
            xxxx: 0.0,
            xxy: 0.0,
            start: first,
            end: first,
        }
    }

    /// Adds a point. Returns false if the point is skipped, because its logarithm does not exist.
    pub(super) fn add(&mut self, kind: Kind, x: Number, y: Number) -> bool {
        let Some((u, v)) = transformed(kind, x, y) else { return false };
        self.x += u.float();
        self.y += v.float();
        self.xx += u.power(2).float();
        self.yy += v.power(2).float();
        self.xy += u.times(v).float();
        if kind == Kind::Quadratic {
            self.xxx += u.power(3).float();
            self.xxxx += u.power(4).float();
            self.xxy += u.power(2).times(v).float();
        }
        if x < self.start {
            self.start = x;
        }
        if x > self.end {
            self.end = x;
        }
        true
    }
}

/// Transforms a point into the space where the model is linear.
fn transformed(kind: Kind, x: Number, y: Number) -> Option<(Number, Number)> {
    let log = |number: Number, log: fn(f64) -> f64| {
        Some(number.float()).filter(|&it| it > 0.0).map(|it| Number::Float(log(it)))
    };
    match kind {
        Kind::Constant | Kind::Linear | Kind::Quadratic => Some((x, y)),
        Kind::Logarithmic => Some((log(x, f64::ln)?, y)),
        Kind::Power => Some((log(x, f64::log10)?, log(y, f64::log10)?)),
        Kind::Exponential => Some((x, log(y, f64::log10)?)),
    }
}
