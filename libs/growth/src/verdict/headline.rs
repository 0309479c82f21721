//! The series that an answer is about: its curves, drawn and extended beyond its sizes.

use crate::class::Class;
use crate::classification::{Curve, Prediction, Reach};
use crate::constants::{
    DRAWN_ERROR, DRAWN_SPREAD, FLOOR_SPREAD, LARGEST_REACH, PREDICTED_QUANTILES, REACH_PRECISION,
};
use crate::fitting::fit::{Assumptions, Prior, Row, fit};
use crate::fitting::posterior::Posterior;
use crate::series::{Range, Series};
use crate::verdict::refutation::Witness;
use profiler_statistics::{Interval, LEVEL};

/// The series that an answer is about, and its posterior.
pub(crate) struct Headline<'a> {
    pub(crate) series: &'a Series,
    pub(crate) posterior: &'a Posterior,
    pub(crate) limit: f64,
    /// Whether growth could not have been observed. If so, constant values are no evidence.
    pub(crate) blind: bool,
    /// The size whose value is to be predicted.
    pub(crate) bound: Option<u64>,
    /// The series that a class must predict before it is named.
    pub(crate) witnesses: Vec<Witness<'a>>,
}

impl Headline<'_> {
    /// The exponent of n under these class probabilities, and its interval.
    pub(crate) fn exponent(&self, classes: &[f64]) -> Option<(f64, Interval)> {
        self.posterior.exponent(classes).map(middle)
    }

    /// The value at the bound under these class probabilities.
    pub(crate) fn predict(&self, classes: &[f64]) -> Option<Prediction> {
        let (size, limit) = (self.bound?, self.limit);
        let (value, interval) = middle(self.posterior.predict(classes, size as f64)?);
        let fits = if interval.high < limit {
            Some(true)
        } else {
            (interval.low > limit).then_some(false)
        };
        Some(Prediction { size, value, interval, limit, fits })
    }

    /// The largest size within the limit under these class probabilities.
    pub(crate) fn reach(&self, classes: &[f64]) -> Option<Reach> {
        // The largest size whose value is within the limit with this probability.
        let largest = |probability: f64| {
            let is_within =
                |n: f64| self.posterior.probability_within(classes, n, self.limit) >= probability;
            let (mut within, mut beyond) = (1.0, LARGEST_REACH);
            if !is_within(within) || is_within(beyond) {
                return None;
            }
            while beyond / within > 1.0 + REACH_PRECISION {
                // Sizes are compared on a logarithmic scale.
                let middle = (within * beyond).sqrt();
                *(if is_within(middle) { &mut within } else { &mut beyond }) = middle;
            }
            // If n is small, a whole size can still lie between the two.
            Some(if is_within(beyond.floor()) { beyond } else { within })
        };
        let [high, size, low] = PREDICTED_QUANTILES.map(largest);
        let [from, to] = self.measured_reach();
        let [low, size, high] = [low?, size?, high?].map(|n| whole(n).clamp(from, to));
        Some(Reach { size, low, high, limit: self.limit })
    }

    /// The largest measured size within the limit, and the size before the next one that is not.
    fn measured_reach(&self) -> [u64; 2] {
        let data = &self.series.data;
        let within = data.iter().rev().find(|datum| datum.value <= self.limit);
        let within = within.map_or(0, |datum| datum.size);
        let slow = data.iter().filter(|datum| datum.value > self.limit).map(|datum| datum.size);
        let over = slow.chain(self.series.over_limit.iter().map(|over| whole(over.0)));
        let beyond = over.filter(|&size| size > within).min();
        [within, beyond.map_or(u64::MAX, |beyond| beyond - 1)]
    }

    /// The curve of `class` through the values, for drawing.
    pub(crate) fn curve(&self, class: Class) -> Curve {
        let series = self.series;
        let (largest, shape) = (series.largest(), class.curve());
        let rows = series.data.iter().map(|datum| Row {
            y: datum.value,
            variance: datum.sigma * datum.sigma,
            h: (shape.ln(datum.n()) - shape.ln(largest)).exp(),
            x: 0.0,
        });
        let Range { least, most, floor } = series.range();
        let grown = (most - least).max(f64::MIN_POSITIVE);
        let prior = Prior { ln_median: grown.ln(), spread: DRAWN_SPREAD };
        let priors = if class == Class::Constant { Vec::new() } else { vec![prior] };
        let fitted = fit(
            rows,
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
}

/// The median of a value's three quantiles, and the interval between the outer two.
fn middle([low, value, high]: [f64; 3]) -> (f64, Interval) {
    (value, Interval { low, high, level: LEVEL })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to LARGEST_REACH")]
fn whole(size: f64) -> u64 {
    size as u64
}
