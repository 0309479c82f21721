//! The free base of an exponential.

use crate::class::Class;
use crate::constants::{BASE_STEPS, BASES, BENDS, BENT, BENT_BASES, NEAR_BASE};
use crate::fitting::curve::FittedCurve;
use crate::fitting::family::Family;
use crate::fitting::model::FigureModel;
use crate::fitting::peak::Peak;
use crate::series::Series;
use crate::shape::{ONE, Shape};

/// The curves of the exponential whose base explains the series best; none if a class has this
/// base. The probability of the class is spread over all bases, so the curves share it by the width
/// of the peak.
pub(crate) fn curves(series: &Series, model: &FigureModel, prior: f64) -> Vec<FittedCurve> {
    let [low, high] = BASES.map(f64::ln);
    let at = |ln_base: f64| fitted(series, model, ln_base, ONE);
    let Some(peak) = peak(BASES, |ln_base| total(&at(ln_base))) else { return Vec::new() };
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

/// Whether the series supports the steep class `class` far less than an exponential whose base
/// changes with n.
pub(crate) fn is_bent(series: &Series, model: &FigureModel, class: Class) -> bool {
    let best = |factor: Shape, bases| {
        peak(bases, |ln_base| total(&fitted(series, model, ln_base, factor)))
            .map_or(f64::NEG_INFINITY, |peak| peak.weight)
    };
    let straight = if let Class::Base(_) = class {
        best(ONE, BASES)
    } else {
        let shapes = class.shapes().into_iter();
        let curves = shapes.flat_map(|(shape, _)| of_shape(series, model, class, shape));
        total(&curves.collect::<Vec<_>>())
    };
    BENDS.into_iter().any(|power| best(Shape { power, ..ONE }, BENT_BASES) > straight + BENT)
}

/// The peak of the weight `at` the logarithm of a base; `None` if no base fits.
fn peak(bases: [f64; 2], at: impl Fn(f64) -> f64) -> Option<Peak> {
    let [low, high] = bases.map(f64::ln);
    let step = (high - low) / f64::from(BASE_STEPS - 1);
    let grid = (0..BASE_STEPS).map(|index| low + f64::from(index) * step);
    let weighed = grid.map(|ln_base| (ln_base, at(ln_base)));
    let (centre, _) =
        weighed.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|best| best.1.is_finite())?;
    Some(Peak::find(centre, step, at))
}

/// The curves of an exponential with this base, multiplied by `factor`, without a prior.
fn fitted(series: &Series, model: &FigureModel, ln_base: f64, factor: Shape) -> Vec<FittedCurve> {
    let class = Class::Base(ln_base.exp());
    of_shape(series, model, class, class.curve().times(factor))
}

fn of_shape(series: &Series, model: &FigureModel, class: Class, shape: Shape) -> Vec<FittedCurve> {
    let (mut curves, mut best) = (Vec::new(), f64::NEG_INFINITY);
    if let Some(family) = Family::new(series, model, class, shape, false) {
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
