//! One fitted curve, and its value at any n.

use crate::class::Class;
use crate::constants::{CLEARLY_FASTER, DRIFT_CENTRE, DRIFT_REACH, ERROR_QUANTILES, LARGEST_VALUE};
use crate::fitting::fit::Fit;
use crate::shape::{Shape, rounded_up};

/// A curve with its weight.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FittedCurve {
    pub(crate) class: Class,
    /// The curve's probability within its class, after normalisation.
    pub(crate) weight: f64,
    pub(crate) fit: Fit,
    pub(crate) shape: Shape,
    /// Whether the work depends on n rounded up to a power of two.
    pub(crate) rounds: bool,
    /// The share of linear work.
    pub(crate) part: f64,
    /// The power of n of the linear work.
    pub(crate) power: f64,
    pub(crate) error: f64,
    /// The largest size, rounded up if the curve is of rounded sizes.
    pub(crate) largest: f64,
}

impl FittedCurve {
    /// The curve's grown part at `n`, relative to the largest size. For a curve of rounded sizes,
    /// `n` is one of them.
    fn h(&self, n: f64) -> f64 {
        let own = (self.shape.ln(n) - self.shape.ln(self.largest)).min(600.0).exp();
        (1.0 - self.part) * own + self.part * (n / self.largest).powf(self.power)
    }

    /// The grown part at `n`, and the standard deviation of its logarithm.
    pub(crate) fn grown_at(&self, n: f64) -> (f64, f64) {
        let n = if self.rounds { rounded_up(n) } else { n };
        let x = drift_x(n, self.largest);
        let (a, a_sd) = self.fit.grown;
        // Values that hardly grow do not determine the drift.
        let drift = self.fit.drift.0.clamp(-CLEARLY_FASTER, CLEARLY_FASTER);
        let grown = a * self.h(n) * (drift * x).exp();
        let relative = if a > 0.0 { (a_sd / a).min(2.0) } else { 0.0 };
        let spread = relative.hypot(self.fit.drift.1 * x).hypot(self.error);
        (grown, spread)
    }

    /// The value at `n`, at each of the [`ERROR_QUANTILES`].
    pub(crate) fn values_at(&self, n: f64) -> [f64; ERROR_QUANTILES.len()] {
        let (grown, spread) = self.grown_at(n);
        let value = |z: f64| self.fit.constant + grown * (z * spread).exp();
        ERROR_QUANTILES.map(|z| value(z).min(LARGEST_VALUE))
    }

    /// d log(grown part) / d log n at the largest size, and its standard deviation.
    pub(crate) fn exponent(&self) -> (f64, f64) {
        if self.class == Class::Constant {
            return (0.0, 0.0);
        }
        let (step, n) = (1.02_f64, self.largest);
        let slope = (self.h(n * step) / self.h(n / step)).ln() / (2.0 * step.ln());
        (slope + self.fit.drift.0, self.fit.drift.1)
    }
}

pub(crate) fn drift_x(n: f64, largest: f64) -> f64 {
    if n <= 0.0 { -DRIFT_REACH } else { ((n / largest).ln() + DRIFT_CENTRE).max(-DRIFT_REACH) }
}
