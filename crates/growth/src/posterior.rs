//! One series, all classes: how likely each is, and what all together say of sizes that were not measured.

use super::class::{Class, POWERS};
use super::family::Family;
use super::fit::Fit;
use super::model::Model;
use super::shape::Shape;

/// Drift is measured from e to this power below the largest size.
const DRIFT_CENTRE: f64 = 1.5;
/// How far below the centre drift goes on.
const DRIFT_REACH: f64 = 3.0;
/// Bytes of an element of an input, about.
const ELEMENT_BYTES: f64 = 6.0;
/// Curves of less weight than this say nothing of other sizes.
const LEAST_WEIGHT: f64 = 1e-4;
/// Points of the error in an interval.
const QUANTILES: [f64; 5] = [-1.645, -0.674, 0.0, 0.674, 1.645];
/// The largest value that is told.
pub(super) const MOST: f64 = 1e15;

/// A value at a size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Datum {
    /// The size.
    pub(super) size: u32,
    /// The value.
    pub(super) value: f64,
    /// Standard deviation of its measurement.
    pub(super) sigma: f64,
}

impl Datum {
    /// The size.
    pub(super) fn n(&self) -> f64 {
        f64::from(self.size)
    }
}

/// Values over n.
#[derive(Debug, Clone, Default)]
pub(super) struct Series {
    /// What was measured, each size once, rising.
    pub(super) data: Vec<Datum>,
    /// Sizes that met the limit, and the limit.
    pub(super) beyond: Vec<(f64, f64)>,
    /// What does not grow, about, where it is known.
    pub(super) floor: Option<f64>,
    /// The input that is read; absent where there is none.
    pub(super) input: Option<Input>,
}

/// How long inputs are.
#[derive(Debug, Clone)]
pub(super) struct Input {
    /// By size, in bytes.
    pub(super) lengths: Vec<(u32, f64)>,
    /// Their number of elements grows like n to this power.
    pub(super) power: f64,
}

impl Input {
    /// The length at a size, where it is known.
    fn length(&self, size: u32) -> Option<f64> {
        self.lengths.iter().find(|length| length.0 == size).map(|length| length.1)
    }
}

impl Series {
    /// The largest size that has a value.
    pub(super) fn largest(&self) -> f64 {
        self.data.last().map_or(0.0, Datum::n)
    }

    /// The length of the input at the largest size, where it is known.
    fn longest(&self) -> Option<f64> {
        self.input.as_ref()?.length(self.data.last()?.size)
    }

    /// The power of n that the number of elements grows like.
    pub(super) fn power(&self) -> f64 {
        self.input.as_ref().map_or(1.0, |input| input.power)
    }

    /// The logarithm of what reading costs at the largest size where an element costs so much.
    pub(super) fn ln_reading(&self, step: f64) -> f64 {
        let elements = self.longest().map(|length| length / ELEMENT_BYTES);
        (step * elements.unwrap_or_else(|| self.largest().powf(self.power()))).ln()
    }

    /// What reading costs at a size, beside the largest: a part for each element, and a part for each byte.
    pub(super) fn reading(&self, datum: &Datum, bytes: f64) -> f64 {
        let elements = (datum.n() / self.largest()).powf(self.power());
        let length = self.input.as_ref().and_then(|input| input.length(datum.size));
        let lengths = length.zip(self.longest()).map(|(here, longest)| here / longest);
        (1.0 - bytes) * elements + bytes * lengths.unwrap_or(elements)
    }
}

/// A curve with its weight.
#[derive(Debug, Clone, Copy)]
pub(super) struct Curve {
    pub(super) class: Class,
    /// Its probability within the class, once all are known.
    pub(super) weight: f64,
    pub(super) fit: Fit,
    pub(super) shape: Shape,
    /// The part of the work of first order.
    pub(super) part: f64,
    /// The power of n that it grows like.
    pub(super) power: f64,
    pub(super) error: f64,
    pub(super) largest: f64,
}

impl Curve {
    /// The curve at `n`, 1 at the largest size.
    fn h(&self, n: f64) -> f64 {
        let own = (self.shape.ln(n) - self.shape.ln(self.largest)).min(600.0).exp();
        (1.0 - self.part) * own + self.part * (n / self.largest).powf(self.power)
    }

    /// The value at `n`, and the standard deviation of the logarithm of what grows of it.
    pub(super) fn at(&self, n: f64) -> (f64, f64) {
        let x = drift_x(n, self.largest);
        let (a, a_sd) = self.fit.grown;
        let grown = a * self.h(n) * (self.fit.drift.0 * x).exp();
        let relative = if a > 0.0 { (a_sd / a).min(2.0) } else { 0.0 };
        let spread = relative.hypot(self.fit.drift.1 * x).hypot(self.error);
        (grown, spread)
    }

    /// d log(what grows) / d log n at the largest size, and its standard deviation.
    fn exponent(&self) -> (f64, f64) {
        if self.class == Class::Constant {
            return (0.0, 0.0);
        }
        let (step, n) = (1.02_f64, self.largest);
        let slope = (self.h(n * step) / self.h(n / step)).ln() / (2.0 * step.ln());
        (slope + self.fit.drift.0, self.fit.drift.1)
    }
}

pub(super) fn drift_x(n: f64, largest: f64) -> f64 {
    if n <= 0.0 { -DRIFT_REACH } else { ((n / largest).ln() + DRIFT_CENTRE).max(-DRIFT_REACH) }
}

/// What a series says.
#[derive(Debug, Clone)]
pub(super) struct Posterior {
    /// Probabilities, by [`Class::index`].
    pub(super) classes: Vec<f64>,
    /// The curves behind them that weigh anything, heaviest first; their weights add up to 1 within each class.
    pub(super) curves: Vec<Curve>,
}

impl Posterior {
    /// What `series` says under `model`; nothing of fewer than two sizes.
    pub(super) fn of(series: &Series, model: &Model) -> Option<Self> {
        if series.data.len() < 2 || series.largest() < 2.0 {
            return None;
        }
        let mut curves = Vec::new();
        let mut best = f64::NEG_INFINITY;
        for class in Class::all() {
            let prior = (model.prior)(class);
            for (shape, share) in class.shapes() {
                let family = Family { series, model, class, shape };
                family.fit((prior * share).ln(), &mut best, &mut curves);
            }
        }
        let top = curves.iter().map(|c: &Curve| c.weight).fold(f64::NEG_INFINITY, f64::max);
        if !top.is_finite() {
            return None;
        }
        let mut classes = vec![0.0; Class::NAMED.len() + POWERS.len()];
        for curve in &mut curves {
            curve.weight = (curve.weight - top).exp();
            classes[curve.class.index()] += curve.weight;
        }
        for curve in &mut curves {
            curve.weight /= classes[curve.class.index()].max(f64::MIN_POSITIVE);
        }
        curves.retain(|curve| curve.weight > LEAST_WEIGHT);
        curves.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        normalise(&mut classes);
        Some(Self { classes, curves })
    }

    /// The exponent under these probabilities of the classes: 2.5 %, median, 97.5 %.
    pub(super) fn exponent(&self, classes: &[f64]) -> Option<[f64; 3]> {
        self.quantiles(classes, |curve, z| {
            let (exponent, sd) = curve.exponent();
            exponent + z * sd
        })
    }

    /// The value at `n` under these probabilities of the classes: 2.5 %, median, 97.5 %.
    pub(super) fn predict(&self, classes: &[f64], n: f64) -> Option<[f64; 3]> {
        self.quantiles(classes, |curve, z| {
            let (grown, spread) = curve.at(n);
            (curve.fit.constant + grown * (z * spread).exp()).min(MOST)
        })
    }

    fn quantiles(&self, classes: &[f64], value: impl Fn(&Curve, f64) -> f64) -> Option<[f64; 3]> {
        let mut values: Vec<(f64, f64)> = Vec::with_capacity(self.curves.len() * QUANTILES.len());
        for curve in &self.curves {
            let weight = curve.weight * classes[curve.class.index()];
            if weight > LEAST_WEIGHT {
                values.extend(QUANTILES.map(|z| (value(curve, z), weight)));
            }
        }
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        let total: f64 = values.iter().map(|v| v.1).sum();
        let quantile = |level: f64| {
            let mut below = 0.0;
            let found = values.iter().find(|v| {
                below += v.1;
                below >= level * total
            });
            found.or(values.last()).map(|v| v.0)
        };
        Some([quantile(0.025)?, quantile(0.5)?, quantile(0.975)?])
    }
}

/// Makes probabilities add up to 1.
pub(super) fn normalise(probabilities: &mut [f64]) {
    let sum: f64 = probabilities.iter().sum();
    if sum > 0.0 {
        for p in probabilities {
            *p /= sum;
        }
    }
}
