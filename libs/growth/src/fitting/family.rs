//! All curves of one shape: with every share of linear work, every error and every drift.

use crate::class::Class;
use crate::constants::{
    ABOVE_READING_RANK, BYTES_SHARE, BYTES_SHARES, CLEARLY_FASTER, DIGITS_ERROR,
    FIXED_WORK_PROBABILITY, FLOOR_NOISE, FLOOR_NOISE_PROBABILITY, FLOOR_SPREAD, GROWN, HOPELESS,
    IMPOSSIBLE, LINEAR_SHARES, LinearWork, MAX_FLOOR_NOISE, NO_DRIFT, NO_LOWER, OTHER_REASONS,
    POWER_DRIFT, RARE_STRIDE, READING_RANK, READING_SPREAD, UNSEEN_SPREAD,
};
use crate::fitting::curve::{FittedCurve, drift_x};
use crate::fitting::fit::{Assumptions, Fit, Prior, Row, fit};
use crate::fitting::model::FigureModel;
use crate::fitting::peak::Peak;
use crate::probability::{log_odds, logistic};
use crate::series::{Datum, Range, Reading, Series};
use crate::shape::{Shape, rounded_up};

/// The curves of one shape.
pub(crate) struct Family<'a> {
    series: &'a Series,
    model: &'a FigureModel,
    class: Class,
    shape: Shape,
    /// Whether the work depends on n rounded up to a power of two.
    rounds: bool,
    /// The largest size, rounded up if `rounds`.
    largest: f64,
    range: Range,
    /// Whether the class is taken for the cost of reading the input.
    is_reading: bool,
    /// Prior of the class's own work.
    own: Prior,
    /// Prior of linear work in addition to the class's own work; absent unless the class grows
    /// faster than linear work.
    linear: Option<Prior>,
    points: Vec<Point>,
}

/// A datum, and the functions of its size that all curves of a family share.
#[derive(Debug, Clone, Copy)]
struct Point {
    datum: Datum,
    /// The class's own work, relative to the largest size.
    own: f64,
    /// The input, relative to the largest size.
    reading: Reading,
    /// Constant work relative to linear work, which is 1 at the largest size.
    lower: f64,
    /// The factor of the drift.
    x: f64,
}

/// A share of linear work, or of bytes in the cost of reading.
#[derive(Debug, Clone, Copy)]
struct Mix {
    part: f64,
    /// The logarithm of the share's probability.
    ln_share: f64,
}

/// Assumptions about how values scatter.
#[derive(Debug, Clone, Copy)]
struct Scatter {
    /// Standard deviation of the error, as a share of the grown part.
    error: f64,
    /// Standard deviation of the drift of a step's cost.
    drift: f64,
    /// Whether the constant part can be as large as the smallest value.
    fixed_work: bool,
    /// Standard deviation of the constant part between sizes, in the series' unit.
    floor_noise: f64,
    /// Standard deviation of work of a lower order at the largest size, as a share of the grown
    /// part.
    lower: f64,
    /// The logarithm of the probability of these assumptions.
    ln_share: f64,
}

impl<'a> Family<'a> {
    /// The curves of a shape of `class`; `None` if the class would need an impossibly cheap step.
    /// `rounds` says whether the work depends on n rounded up to a power of two.
    pub(crate) fn new(
        series: &'a Series,
        model: &'a FigureModel,
        class: Class,
        shape: Shape,
        rounds: bool,
    ) -> Option<Self> {
        let range = series.range();
        let round = |n: f64| if rounds { rounded_up(n) } else { n };
        let largest = round(series.largest());
        let grows = class != Class::Constant;
        let ln_largest = shape.ln(largest);
        let ln_median = (model.step)(class).ln() + ln_largest;
        let ln_most = range.most.max(f64::MIN_POSITIVE).ln();
        if grows && ln_median - ln_most > IMPOSSIBLE * model.step_spread() {
            return None;
        }
        let LinearWork { step, spread, .. } = model.linear_work;
        let linear = Prior { ln_median: series.ln_reading(step), spread };
        let above = class.rank() - series.power();
        let is_reading = series.input.is_some() && above.abs() < READING_RANK;
        let own = if is_reading {
            Prior { spread: READING_SPREAD * spread, ..linear }
        } else {
            Prior { ln_median, spread: model.step_spread() }
        };
        let point = |&datum: &Datum| {
            let n = round(datum.n());
            Point {
                datum,
                own: if grows { (shape.ln(n) - ln_largest).exp() } else { 0.0 },
                reading: series.reading(&datum, n / largest),
                lower: largest / n.max(1.0),
                x: drift_x(n, largest),
            }
        };
        Some(Self {
            series,
            model,
            class,
            shape,
            rounds,
            largest,
            range,
            is_reading,
            own,
            linear: (grows && above > ABOVE_READING_RANK).then_some(linear),
            points: series.data.iter().map(point).collect(),
        })
    }

    /// Fits the curves, and adds them to `curves`. `best` is the largest weight so far of a curve
    /// with the widest scatter.
    pub(crate) fn fit(&self, ln_prior: f64, best: &mut f64, curves: &mut Vec<FittedCurve>) {
        let fit = |mix: Mix, scatter: Scatter| -> FittedCurve {
            let mut curve = self.curve(mix.part, scatter);
            let over_limit = &self.series.over_limit;
            let over_limit: f64 =
                over_limit.iter().map(|&limit| ln_over_limit(&curve, limit)).sum();
            let likely = scatter.ln_share + curve.fit.ln_evidence + over_limit;
            curve.weight = if self.is_another(&curve.fit) {
                f64::NEG_INFINITY
            } else {
                ln_prior + mix.ln_share + likely
            };
            curve
        };
        let mixes = self.mixes();
        let scatters = self.scatters();
        let mut fitted: Vec<Vec<FittedCurve>> = vec![Vec::new(); scatters.len()];
        for &mix in &mixes {
            for (index, &scatter) in scatters.iter().enumerate() {
                let curve = fit(mix, scatter);
                let weight = curve.weight;
                fitted[index].push(curve);
                if index == 0 {
                    *best = best.max(weight);
                    if weight < *best - HOPELESS {
                        break;
                    }
                }
            }
        }
        for (&scatter, of_scatter) in scatters.iter().zip(&mut fitted) {
            let ln_share = mixes.last().map_or(0.0, |mix| mix.ln_share);
            self.sharpen(of_scatter, |part| fit(Mix { part, ln_share }, scatter));
            curves.extend(of_scatter.iter().filter(|curve| curve.weight.is_finite()));
        }
    }

    /// Replaces the heaviest of the `curves` that have linear work by the curve at the peak of the
    /// weight, if the peak is narrower than a step of the grid of shares. Exact counts determine
    /// the share of linear work more closely than the grid does.
    fn sharpen(&self, curves: &mut [FittedCurve], fit: impl Fn(f64) -> FittedCurve) {
        let mixed = curves.iter_mut().filter(|curve| curve.part > 0.0);
        let Some(heaviest) = mixed.max_by(|a, b| a.weight.total_cmp(&b.weight)) else { return };
        let step = self.stride() as f64;
        let at = |log_odds: f64| fit(logistic(log_odds));
        let Peak { top, weight, width } =
            Peak::find(log_odds(heaviest.part), step, |log_odds| at(log_odds).weight);
        let weight = weight + (width / step).ln();
        if width < step && weight > heaviest.weight {
            *heaviest = FittedCurve { weight, ..at(top) };
        }
    }

    /// Whether the drift noticeably bends the curve, by so much that the curve is another class's.
    fn is_another(&self, fit: &Fit) -> bool {
        let noise = self.points.last().map_or(0.0, |point| point.datum.sigma);
        let drift = fit.drift.0.abs();
        drift > CLEARLY_FASTER && drift * fit.grown.0 > GROWN * noise
    }

    fn grows(&self) -> bool {
        self.class != Class::Constant
    }

    /// The mixes to try. If the class is the cost of reading, the mixes are the shares of this cost
    /// that depend on bytes.
    fn mixes(&self) -> Vec<Mix> {
        if self.is_reading {
            let ln_share = -(BYTES_SHARES.len() as f64).ln();
            return BYTES_SHARES.map(|part| Mix { part, ln_share }).into();
        }
        if self.linear.is_none() {
            return vec![Mix { part: 0.0, ln_share: 0.0 }];
        }
        let (stride, absent) = (self.stride(), self.model.linear_work.absent);
        let ln_share = (stride as f64 * (1.0 - absent)).ln();
        let some = LINEAR_SHARES.iter().skip(stride / 2).step_by(stride);
        let none = Mix { part: 0.0, ln_share: absent.ln() };
        std::iter::once(none).chain(some.map(|&part| Mix { part, ln_share })).collect()
    }

    /// Returns the number of steps of [`LINEAR_SHARES`] that are taken at once, which is the
    /// difference in log-odds between two mixes.
    fn stride(&self) -> usize {
        let rare = matches!(self.class, Class::Power(_)) || self.shape.is_steep() || self.rounds;
        if rare { RARE_STRIDE } else { 1 }
    }

    /// All assumptions about scatter, the widest first.
    fn scatters(&self) -> Vec<Scatter> {
        let range = self.range;
        // Work of a lower order than a slow class is constant.
        let is_slow = self.class.rank() < Class::Linear.rank();
        // Noise in the constant part hides the slow classes. All these classes and the constant
        // class allow for the noise; otherwise it would be evidence against the constant class.
        let is_hidden = is_slow && !matches!(self.class, Class::Power(_));
        let lowers = if is_slow { NO_LOWER } else { self.model.lower };
        let drifts = if self.grows() { self.model.drifts } else { NO_DRIFT };
        let least = if matches!(self.class, Class::Power(_)) { POWER_DRIFT } else { 0.0 };
        let of_digits = matches!(self.class, Class::Logarithmic | Class::LogSquared);
        // Of the rounded sizes, the number of digits is exact.
        let least_error = if of_digits && !self.rounds { DIGITS_ERROR } else { 0.0 };
        let steady = if is_hidden { 1.0 - FLOOR_NOISE_PROBABILITY } else { 1.0 };
        // Without a known floor, the constant part can be as large as that anyway.
        let fixed = if self.series.floor.is_some() { FIXED_WORK_PROBABILITY } else { 0.0 };
        let steady = steady - fixed;
        let plain = Scatter {
            error: 0.0,
            drift: least,
            fixed_work: false,
            floor_noise: 0.0,
            lower: 0.0,
            ln_share: f64::NEG_INFINITY,
        };
        let mut scatters = Vec::new();
        let error = |error: f64| (error * self.model.tuning.scatter).max(least_error);
        for &(relative, errors) in self.model.errors {
            for &(drift, drifts) in drifts {
                for &(lower, lowers) in lowers {
                    let (error, drift) = (error(relative), drift.max(least));
                    let ln_share = (steady * errors * drifts * lowers).ln();
                    scatters.push(Scatter { error, drift, lower, ln_share, ..plain });
                }
            }
        }
        if fixed > 0.0 {
            scatters.extend(self.model.errors.iter().map(|&(relative, errors)| Scatter {
                error: error(relative),
                ln_share: (fixed * errors).ln(),
                fixed_work: true,
                ..plain
            }));
        }
        if is_hidden {
            let floor_noise = FLOOR_NOISE * (range.most - range.least);
            let floor_noise = floor_noise.min(MAX_FLOOR_NOISE * range.least.max(range.floor));
            let ln_share = FLOOR_NOISE_PROBABILITY.ln();
            scatters.push(Scatter { floor_noise, ln_share, ..plain });
        }
        scatters
    }

    /// The curve of a mix with the share `part`.
    fn curve(&self, part: f64, scatter: Scatter) -> FittedCurve {
        let Range { least, most, floor } = self.range;
        let Scatter { error, drift, fixed_work, floor_noise, lower, .. } = scatter;
        let (mixed, bytes, part) =
            if self.is_reading { (1.0, part, 0.0) } else { (part, BYTES_SHARE, part) };
        let lower = lower * (most - least);
        let floor_spread = (FLOOR_SPREAD * floor).max(if fixed_work { least } else { 0.0 });
        let row = |point: &Point| {
            let h = if mixed > 0.0 {
                (1.0 - mixed) * point.own + mixed * point.reading.cost(bytes)
            } else {
                point.own
            };
            let Datum { value, sigma, .. } = point.datum;
            // Classes whose constant part is noisy have no work of a lower order.
            let others = floor_noise + lower * h * point.lower;
            let sigma = if others > 0.0 { sigma.hypot(others) } else { sigma };
            Row { y: value, variance: sigma * sigma, h, x: point.x }
        };
        let own = self.own.of_part(1.0 - part);
        let priors: &[Prior] = match self.linear {
            Some(linear) if part > 0.0 => &[own, linear.of_part(part)],
            _ if self.grows() => &[own],
            _ => &[],
        };
        let saves = self.model.saves;
        let assumed = Assumptions { floor, floor_spread, least, error, drift, saves };
        FittedCurve {
            class: self.class,
            weight: 0.0,
            fit: fit(self.points.iter().map(row), assumed, priors),
            shape: self.shape,
            rounds: self.rounds,
            part,
            power: self.series.power(),
            error,
            largest: self.largest,
        }
    }
}

/// The logarithm of the probability that the curve exceeds the limit at this size.
fn ln_over_limit(curve: &FittedCurve, (n, limit): (f64, f64)) -> f64 {
    let (grown, spread) = curve.grown_at(n);
    let value = (curve.fit.constant + grown).max(f64::MIN_POSITIVE);
    let z = (value / limit).ln() / spread.hypot(UNSEEN_SPREAD);
    // The logistic function approximates the normal distribution.
    (OTHER_REASONS + (1.0 - OTHER_REASONS) * logistic(1.702 * z)).ln()
}
