//! Combines several signals into a classification.

use crate::answer::{
    Classification, Curve, Prediction, Reach, Remedy, Rival, Signal, SignalKind, Undecided,
};
use crate::class::Class;
use crate::constants::{
    CONFIDENT, DRAWN_ERROR, DRAWN_SPREAD, FALLEN, FALLEN_SHARE, FLOOR_SPREAD, GROWN, LARGEST_REACH,
    LEAST_SIZES, LEVEL, REACH_PRECISION,
};
use crate::fitting::fit::{Assumptions, Prior, Row, fit};
use crate::fitting::posterior::Posterior;
use crate::observation::{Observed, SizeObservation};
use crate::series::{Datum, Series};
use profiler_statistics::Interval;

/// The most classes that are named if the class is undecided.
const RIVALS: usize = 2;
/// Share of the likeliest class's probability. A class with less is not named as its rival.
const RIVAL_SHARE: f64 = 1.0 / 3.0;

/// The named classes, and all other powers as one, the most likely first.
pub(crate) fn ranking(classes: &[f64]) -> Vec<(Class, f64)> {
    let mut powers = (0.0, 0.0);
    let mut ranked = Vec::new();
    for (class, &p) in Class::all().zip(classes) {
        if let Class::Power(exponent) = class {
            powers = (powers.0 + p, powers.1 + p * exponent);
        } else {
            ranked.push((class, p));
        }
    }
    if powers.0 > 0.0 {
        // Two digits, as in the name: the curve that is drawn from the name is then the same.
        let exponent = (powers.1 / powers.0 * 100.0).round() / 100.0;
        ranked.push((Class::Power(exponent), powers.0));
    }
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked
}

/// A signal with the most likely of `classes`.
pub(crate) fn signal(kind: SignalKind, classes: &[f64], points: Vec<(u64, f64)>) -> Signal {
    let best = ranking(classes).into_iter().next();
    Signal {
        kind,
        class: best.map(|best| best.0),
        confidence: best.map_or(0.0, |best| best.1),
        points,
    }
}

pub(crate) fn points(series: &Series, posterior: &Posterior) -> Vec<(u64, f64)> {
    let constant = posterior.curves.first().map_or(0.0, |curve| curve.fit.constant);
    series.data.iter().map(|datum| (datum.size, (datum.value - constant).max(0.0))).collect()
}

pub(crate) fn data(
    worst: &[SizeObservation],
    value: impl Fn(&SizeObservation) -> Option<(f64, f64)>,
) -> Vec<Datum> {
    let ended_ok =
        |observation: &&SizeObservation| !observation.over_time && !observation.over_memory;
    let data = worst.iter().filter(ended_ok).filter_map(|observation| {
        let (value, sigma) = value(observation)?;
        Some(Datum { size: observation.size, value, sigma })
    });
    data.collect()
}

/// The headline's series, and its posterior.
pub(crate) struct MainSeries<'a> {
    pub(crate) series: &'a Series,
    pub(crate) posterior: &'a Posterior,
    pub(crate) limit: f64,
    /// Whether growth could not have been observed. Then constant values are no evidence.
    pub(crate) blind: bool,
    /// The base, if the class is 2ⁿ and its likeliest curve has another base than 2.
    pub(crate) other_base: Option<f64>,
}

impl<'a> MainSeries<'a> {
    /// A series whose own curve says whether the base is another one.
    pub(crate) fn new(
        series: &'a Series,
        posterior: &'a Posterior,
        limit: f64,
        blind: bool,
    ) -> Self {
        Self { series, posterior, limit, blind, other_base: posterior.other_base() }
    }
}

pub(crate) fn conclude(
    classes: &[f64],
    signals: Vec<Signal>,
    headline: &MainSeries<'_>,
    observed: &Observed,
    why: impl Fn(&[(Class, f64)]) -> Undecided,
) -> Classification {
    if let Some(undecided) = contradiction(headline.series) {
        return Classification { undecided, signals, ..Classification::default() };
    }
    let ranked = ranking(classes);
    let (best, confidence) = ranked[0];
    let other_base = headline.other_base.filter(|_| best == Class::Exponential);
    let is_reported = confidence >= CONFIDENT
        && !(headline.blind && best == Class::Constant)
        && other_base.is_none();
    let interval = |[low, _, high]: [f64; 3]| Interval { low, high, level: LEVEL };
    let exponent = headline.posterior.exponent(classes);
    let rivals = if is_reported { &[] } else { rivals(&ranked) };
    let rival = |&(class, confidence): &(Class, f64)| Rival {
        curve: drawn_curve(headline.series, class),
        confidence,
    };
    Classification {
        class: is_reported.then_some(best),
        confidence: Some(confidence),
        undecided: match other_base {
            _ if is_reported => Undecided::default(),
            Some(base) if confidence >= CONFIDENT => Undecided::from(format!(
                "exponentially, but with a base nearer to {base} than to 2, which no class has"
            )),
            _ => why(&ranked),
        },
        runner_up: ranked.get(usize::from(is_reported)).copied(),
        exponent: exponent.map(|found| found[1]),
        exponent_interval: exponent.map(interval),
        signals,
        curve: is_reported.then(|| drawn_curve(headline.series, best)),
        prediction: predict(headline, classes, observed),
        reach: reach(headline, classes).filter(|_| is_reported && best != Class::Constant),
        rivals: rivals.iter().map(rival).collect(),
        ranked,
    }
}

fn predict(headline: &MainSeries<'_>, classes: &[f64], observed: &Observed) -> Option<Prediction> {
    let size = observed.n_max.filter(|&n_max| {
        observed.sizes.iter().all(|observation| observation.extra || observation.size < n_max)
    })?;
    let found = headline.posterior.predict(classes, size as f64)?;
    let [low, value, high] = found;
    let limit = headline.limit;
    let fits = if high < limit { Some(true) } else { (low > limit).then_some(false) };
    let interval = Interval { low, high, level: LEVEL };
    Some(Prediction { size, value, interval, limit, fits })
}

fn reach(headline: &MainSeries<'_>, classes: &[f64]) -> Option<Reach> {
    // The largest size at which this one of the three predicted values is within the limit.
    let largest = |which: usize| {
        let is_within = |n: f64| {
            let found = headline.posterior.predict(classes, n);
            found.is_some_and(|values| values[which] <= headline.limit)
        };
        let (mut within, mut beyond) = (1.0, LARGEST_REACH);
        if !is_within(within) || is_within(beyond) {
            return None;
        }
        while beyond / within > 1.0 + REACH_PRECISION {
            // Sizes are compared on a logarithmic scale.
            let middle = (within * beyond).sqrt();
            *(if is_within(middle) { &mut within } else { &mut beyond }) = middle;
        }
        Some(within)
    };
    let (low, high) = (largest(2).unwrap_or(1.0), largest(0).unwrap_or(LARGEST_REACH));
    let [low, size, high] = [low, largest(1)?, high].map(whole);
    Some(Reach { size, low, high, limit: headline.limit })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to LARGEST_REACH")]
fn whole(size: f64) -> u64 {
    size as u64
}

/// The curve of `class` through the values, for drawing.
fn drawn_curve(series: &Series, class: Class) -> Curve {
    let (largest, shape) = (series.largest(), class.curve());
    let rows = series.data.iter().map(|datum| Row {
        y: datum.value,
        sigma: datum.sigma,
        h: (shape.ln(datum.n()) - shape.ln(largest)).exp(),
        x: 0.0,
    });
    let rows: Vec<_> = rows.collect();
    let least = rows.iter().map(|row| row.y).fold(f64::INFINITY, f64::min);
    let most = rows.iter().map(|row| row.y).fold(least, f64::max);
    let floor = series.floor.unwrap_or(least).max(f64::MIN_POSITIVE);
    let grown = (most - least).max(f64::MIN_POSITIVE);
    let prior = Prior { ln_median: grown.ln(), spread: DRAWN_SPREAD, ln_part: 0.0 };
    let priors = if class == Class::Constant { Vec::new() } else { vec![prior] };
    let fitted = fit(
        &rows,
        Assumptions {
            floor,
            floor_spread: FLOOR_SPREAD * floor,
            least,
            error: DRAWN_ERROR,
            drift: 0.0,
            saves: false,
        },
        &priors,
    );
    let coefficient = fitted.grown.0 * (-shape.ln(largest)).exp();
    Curve { class, constant: fitted.constant, coefficient }
}

/// Whether enough sizes have exact values.
pub(crate) fn enough(series: &Series) -> bool {
    series.data.len() >= LEAST_SIZES
}

/// The classification of a series that no curve can be fitted to.
pub(crate) fn unclassifiable(series: &Series) -> Classification {
    let (reason, remedy) = match series.data.len() {
        0 => ("no size ended OK", Remedy::SmallerSizes),
        1 => ("only one size ended OK", Remedy::MoreSizes),
        _ => ("no size is above 1", Remedy::LargerSizes),
    };
    Classification { undecided: Undecided::new(reason, [remedy]), ..Classification::default() }
}

/// Returns the reason why no class can be reported for values like these, whatever fits best.
fn contradiction(series: &Series) -> Option<Undecided> {
    let last = series.data.last()?;
    let above = |datum: &&Datum| {
        let noise = FALLEN * datum.sigma.hypot(last.sigma);
        datum.value - last.value > noise.max(FALLEN_SHARE * datum.value)
    };
    if let Some(fallen) = series.data.iter().find(above) {
        let (from, to) = (fallen.size, last.size);
        let reason =
            format!("it falls to less than half from n = {from} to n = {to}, which no class does");
        return Some(Undecided::new(reason, [Remedy::LargerSizes, Remedy::InputSpec]));
    }
    let few = series.data.len() + series.over_limit.len() < LEAST_SIZES;
    few.then(|| Undecided::new("two sizes fit any class", [Remedy::MoreSizes]))
}

/// Number of sizes whose values have grown.
pub(crate) fn grown_sizes(series: &Series) -> usize {
    let values = series.data.iter().map(|datum| datum.value);
    let least = values.fold(series.floor.unwrap_or(f64::INFINITY), f64::min);
    series.data.iter().filter(|datum| datum.value - least > GROWN * datum.sigma).count()
}

/// The first class of a ranking, and the next one if it is at least [`RIVAL_SHARE`] as likely.
fn rivals(ranked: &[(Class, f64)]) -> &[(Class, f64)] {
    let least = ranked.first().map_or(0.0, |best| best.1 * RIVAL_SHARE);
    let count = ranked.iter().take(RIVALS).take_while(|rival| rival.1 >= least).count();
    &ranked[..count]
}

/// The classes between which the series does not decide.
pub(crate) fn tie(ranked: &[(Class, f64)]) -> String {
    let named = |(class, p): &(Class, f64)| format!("{} ({p:.2})", class.name());
    match rivals(ranked) {
        [first, second] => format!("{} or {}", named(first), named(second)),
        [first] => format!("perhaps {}", named(first)),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rival_classes_are_at_least_a_third_as_likely() {
        let said = |second| tie(&[(Class::Quadratic, 0.6), (Class::Constant, second)]);
        assert_eq!(said(0.1), "perhaps n² (0.60)");
        assert_eq!(said(0.25), "n² (0.60) or 1 (0.25)");
    }
}
