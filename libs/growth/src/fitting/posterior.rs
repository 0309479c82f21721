//! One series and all classes: the probability of each class, and their joint prediction.

use crate::class::Class;
use crate::constants::{ERROR_QUANTILES, LEAST_WEIGHT, PREDICTED_QUANTILES};
use crate::fitting::base;
use crate::fitting::curve::FittedCurve;
use crate::fitting::family::Family;
use crate::fitting::model::FigureModel;
use crate::probability::normalise;
use crate::series::Series;
use std::mem::discriminant;

/// The probabilities of the classes, given a series.
#[derive(Debug, Clone)]
pub(crate) struct Posterior {
    /// Probabilities, by [`Class::index`].
    pub(crate) classes: Vec<f64>,
    /// The curves that contribute, heaviest first. Their weights add up to 1 within each class.
    pub(crate) curves: Vec<FittedCurve>,
}

impl Posterior {
    /// The posterior of `series` under `model`; `None` for fewer than two sizes.
    pub(crate) fn from_series(series: &Series, model: &FigureModel) -> Option<Self> {
        Self::of_classes(series, model, |_| true)
    }

    /// The posterior of `series`, given that its class is `class`; for another power, given that
    /// its class is any other power. `None` for fewer than two sizes.
    pub(crate) fn of_kind(series: &Series, model: &FigureModel, class: Class) -> Option<Self> {
        Self::of_classes(series, model, |other| discriminant(&other) == discriminant(&class))
    }

    fn of_classes(
        series: &Series,
        model: &FigureModel,
        is_possible: impl Fn(Class) -> bool,
    ) -> Option<Self> {
        if series.data.len() < 2 || series.largest() < 2.0 {
            return None;
        }
        let shows_rounding = model.exact && series.shows_rounding();
        let mut curves = Vec::new();
        let mut best = f64::NEG_INFINITY;
        for class in Class::all().filter(|&class| is_possible(class)) {
            let prior = (model.prior)(class);
            if let Class::Base(_) = class {
                curves.extend(base::curves(series, model, prior));
                continue;
            }
            let rounded = if shows_rounding { class.rounded() } else { 0.0 };
            for (shape, share) in class.shapes() {
                for (rounds, often) in [(false, 1.0 - rounded), (true, rounded)] {
                    if often > 0.0
                        && let Some(family) = Family::new(series, model, class, shape, rounds)
                    {
                        family.fit((prior * share * often).ln(), &mut best, &mut curves);
                    }
                }
            }
        }
        let top = curves.iter().map(|c: &FittedCurve| c.weight).fold(f64::NEG_INFINITY, f64::max);
        if !top.is_finite() {
            return None;
        }
        let mut classes = vec![0.0; Class::all().count()];
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

    /// The base of the exponential without a name of its own, and its probability.
    pub(crate) fn base(&self) -> Option<(f64, f64)> {
        self.curves.iter().find_map(|curve| match curve.class {
            Class::Base(base) => Some((base, self.classes[curve.class.index()])),
            _ => None,
        })
    }

    /// The exponent under these class probabilities: its 2.5 % quantile, median and 97.5 %
    /// quantile.
    pub(crate) fn exponent(&self, classes: &[f64]) -> Option<[f64; 3]> {
        self.quantiles(classes, |curve| {
            let (exponent, sd) = curve.exponent();
            ERROR_QUANTILES.map(|z| exponent + z * sd)
        })
    }

    /// The value at `n` under these class probabilities: its 2.5 % quantile, median and 97.5 %
    /// quantile.
    pub(crate) fn predict(&self, classes: &[f64], n: f64) -> Option<[f64; 3]> {
        self.quantiles(classes, |curve| curve.values_at(n))
    }

    /// The probability that the value at `n` is at most `limit`, under these class probabilities.
    pub(crate) fn probability_within(&self, classes: &[f64], n: f64, limit: f64) -> f64 {
        let (mut within, mut all) = (0.0, 0.0);
        for (curve, weight) in self.weighted(classes) {
            for value in curve.values_at(n) {
                all += weight;
                within += if value <= limit { weight } else { 0.0 };
            }
        }
        within / all
    }

    /// The noticeable curves, with their weights under these class probabilities.
    fn weighted(&self, classes: &[f64]) -> impl Iterator<Item = (&FittedCurve, f64)> {
        let weighted = |curve: &FittedCurve| curve.weight * classes[curve.class.index()];
        let curves = self.curves.iter().map(move |curve| (curve, weighted(curve)));
        curves.filter(|(_, weight)| *weight > LEAST_WEIGHT)
    }

    fn quantiles(
        &self,
        classes: &[f64],
        values_of: impl Fn(&FittedCurve) -> [f64; ERROR_QUANTILES.len()],
    ) -> Option<[f64; 3]> {
        let weighted = self.weighted(classes);
        let values = weighted.flat_map(|(curve, weight)| values_of(curve).map(|it| (it, weight)));
        let mut values: Vec<(f64, f64)> = values.collect();
        values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let total: f64 = values.iter().map(|v| v.1).sum();
        let quantile = |level: f64| {
            let mut below = 0.0;
            let found = values.iter().find(|v| {
                below += v.1;
                below >= level * total
            });
            found.or(values.last()).map(|v| v.0)
        };
        let [low, middle, high] = PREDICTED_QUANTILES;
        Some([quantile(low)?, quantile(middle)?, quantile(high)?])
    }
}
