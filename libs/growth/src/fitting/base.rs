//! The free base of an exponential.

use crate::class::Class;
use crate::constants::{BASE_STEPS, BASES, NEAR_BASE};
use crate::fitting::curve::FittedCurve;
use crate::fitting::family::Family;
use crate::fitting::model::FigureModel;
use crate::fitting::peak::Peak;
use crate::series::Series;

/// The curves of the exponential whose base explains the series best; none if a class has this
/// base. The probability of the class is spread over all bases, so the curves share it by the width
/// of the peak.
pub(crate) fn curves(series: &Series, model: &FigureModel, prior: f64) -> Vec<FittedCurve> {
    let [low, high] = BASES.map(f64::ln);
    let step = (high - low) / f64::from(BASE_STEPS - 1);
    let at = |ln_base: f64| fitted(series, model, ln_base);
    let grid = (0..BASE_STEPS).map(|index| low + f64::from(index) * step);
    let weighed = grid.map(|ln_base| (ln_base, total(&at(ln_base))));
    let best = weighed.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|best| best.1.is_finite());
    let Some((centre, _)) = best else { return Vec::new() };
    let peak = Peak::find(centre, step, |ln_base| total(&at(ln_base)));
    let is_near = |base: f64| (peak.top - base.ln()).abs() < NEAR_BASE;
    if Class::named_bases().any(is_near) {
        return Vec::new();
    }
    let ln_prior = (prior * (peak.width / (high - low)).min(1.0)).ln();
    let mut curves = at(peak.top);
    for curve in &mut curves {
        curve.weight += ln_prior;
    }
    curves
}

/// The curves with this base, without a prior.
fn fitted(series: &Series, model: &FigureModel, ln_base: f64) -> Vec<FittedCurve> {
    let (mut curves, mut best) = (Vec::new(), f64::NEG_INFINITY);
    let class = Class::Base(ln_base.exp());
    if let Some(family) = Family::new(series, model, class, class.curve()) {
        family.fit(0.0, &mut best, &mut curves);
    }
    curves
}

/// The logarithm of the sum of the weights.
fn total(curves: &[FittedCurve]) -> f64 {
    let top = curves.iter().map(|curve| curve.weight).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = curves.iter().map(|curve| (curve.weight - top).exp()).sum();
    if curves.is_empty() { top } else { top + sum.ln() }
}
