//! Fits one curve to one series, and computes the marginal likelihood.
//!
//! A value is c₀ + a·h(n)·(1 + b·x). h is 1 at the largest size, and x is ln n plus a constant. c₀
//! is the constant part. b is the drift of a step's cost, which caches cause. The errors follow
//! Student's t distribution. Their scale combines the measurement's error with a share of the grown
//! part. c₀ and b have normal priors and are integrated out. ln a has Student's t as its prior: a
//! program's step takes between a fraction of a nanosecond and some microseconds, but a program can
//! also repeat all its work a hundred thousand times. a is integrated out numerically (Laplace's
//! approximation around the mode that iterative reweighting finds).

use crate::constants::{
    DENSITY_AT_0, DRIFT_MEAN, FREEDOM, INTEGRAL_REACH, INTEGRAL_STEPS, NARROW, PASSES, PINNED,
    TAIL_POWER,
};
use crate::fitting::ln_product::LnProduct;
use std::f64::consts::PI;

/// A value, and the curve at its size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// The value.
    pub(crate) y: f64,
    /// Variance of the value's measurement.
    pub(crate) variance: f64,
    /// h, the curve; 1 at the largest size.
    pub(crate) h: f64,
    /// x, the factor of the drift.
    pub(crate) x: f64,
}

/// Assumptions about the constant part, the errors and the drift.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Assumptions {
    /// Approximate c₀.
    pub(crate) floor: f64,
    /// Standard deviation of c₀.
    pub(crate) floor_spread: f64,
    /// The smallest value.
    pub(crate) least: f64,
    /// Standard deviation of the errors, as a share of the grown part.
    pub(crate) error: f64,
    /// Standard deviation of b; 0 fixes b at 0.
    pub(crate) drift: f64,
    /// Whether c₀ can be below 0.
    pub(crate) saves: bool,
}

/// A prior of ln a: Student's t.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prior {
    /// Median of ln a.
    pub(crate) ln_median: f64,
    /// Scale of ln a.
    pub(crate) spread: f64,
}

impl Prior {
    /// The prior of ln a, if this is the prior of the logarithm of the share `part` of a.
    pub(crate) fn of_part(self, part: f64) -> Self {
        Self { ln_median: self.ln_median - part.ln(), ..self }
    }

    fn density(&self, ln_a: f64) -> f64 {
        let z = (ln_a - self.ln_median) / self.spread;
        DENSITY_AT_0 / (self.spread * (1.0 + z * z * (1.0 / FREEDOM)).powi(TAIL_POWER))
    }
}

/// A fitted curve.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fit {
    /// Logarithm of the marginal likelihood.
    pub(crate) ln_evidence: f64,
    /// c₀.
    pub(crate) constant: f64,
    /// a, and its standard deviation.
    pub(crate) grown: (f64, f64),
    /// b, and its standard deviation.
    pub(crate) drift: (f64, f64),
}

/// Fits the curve to the rows. Without priors for a, a is 0 and all values are c₀.
pub(crate) fn fit(rows: impl Iterator<Item = Row>, assumed: Assumptions, priors: &[Prior]) -> Fit {
    let mut rows: Vec<_> = rows.map(|row| Weighted { row, weight: 0.0 }).collect();
    let most = rows.iter().map(|it| it.row.y).fold(assumed.least, f64::max);
    let mut state = State {
        constant: assumed.least,
        is_free: true,
        grows: !priors.is_empty(),
        grown: most - assumed.least,
        precision: 0.0,
        drift: 0.0,
        scale: (most - assumed.least).max(f64::MIN_POSITIVE),
    };
    // In the first pass, each row weighs as much as if it were on the curve.
    let mut normal = state.pass(&mut rows, assumed, |_| 0.0);
    for _ in 1..PASSES {
        normal = state.pass(&mut rows, assumed, |z| z);
    }
    normal.finish(&rows, &state, assumed, priors)
}

/// A row, and its weight in the normal equations.
struct Weighted {
    row: Row,
    weight: f64,
}

/// The parameters during the iteration.
struct State {
    constant: f64,
    /// Whether c₀ is fitted. Otherwise it is 0.
    is_free: bool,
    /// Whether a and b are fitted. Otherwise they are 0.
    grows: bool,
    grown: f64,
    /// a's precision.
    precision: f64,
    drift: f64,
    /// Scale of b's prior: approximately a.
    scale: f64,
}

impl State {
    /// The scale of a row's errors, and the row's distance from the curve in units of this scale.
    fn errors(&self, row: &Row, assumed: Assumptions) -> (f64, f64) {
        let value = self.constant + row.h * (self.grown + self.drift * row.x);
        let grown = row.y.max(value) - assumed.least;
        let sigma = (row.variance + (assumed.error * grown).powi(2)).sqrt();
        (sigma, (row.y - value) / sigma)
    }

    /// Weighs the rows and solves the normal equations. `distance` is the distance from the curve
    /// that a row is weighed with, in units of the scale of its errors.
    fn pass(
        &mut self,
        rows: &mut [Weighted],
        assumed: Assumptions,
        distance: impl Fn(f64) -> f64,
    ) -> Normal {
        for Weighted { row, weight } in &mut *rows {
            let (sigma, z) = self.errors(row, assumed);
            let z = distance(z);
            *weight = (FREEDOM + 1.0) / (FREEDOM + z * z) / (sigma * sigma);
        }
        let normal = Normal::from_rows(rows, self, assumed);
        normal.solve(self, assumed);
        if self.constant < 0.0 && !assumed.saves {
            self.is_free = false;
        }
        self.scale = self.grown.max(self.scale * 1e-3);
        normal
    }
}

/// The normal equations for the parameters (c₀, a·b, a).
struct Normal {
    /// A symmetric matrix. The entries below the diagonal are 0.
    matrix: [[f64; 3]; 3],
    right: [f64; 3],
    /// Precisions of the priors of c₀ and a·b.
    precisions: [f64; 2],
    /// Means of the priors of c₀ and a·b.
    means: [f64; 2],
}

impl Normal {
    fn from_rows(rows: &[Weighted], state: &State, assumed: Assumptions) -> Self {
        let (floor, spread) = if state.is_free {
            (assumed.floor, assumed.floor_spread)
        } else {
            (0.0, assumed.floor * 1e-3)
        };
        let floor_precision = spread.max(f64::MIN_POSITIVE.sqrt()).powi(-2);
        let drift_precision = if assumed.drift > 0.0 && state.grows {
            (assumed.drift * state.scale).powi(-2)
        } else {
            PINNED * state.scale.powi(-2)
        };
        let precisions = [floor_precision, drift_precision.min(1e290)];
        let mut matrix = [[0.0; 3]; 3];
        let mut right = [0.0; 3];
        for Weighted { row, weight } in rows {
            let h = if state.grows { row.h } else { 0.0 };
            let column = [1.0, h * row.x, h];
            for i in 0..3 {
                let weighted = weight * column[i];
                for j in i..3 {
                    matrix[i][j] += weighted * column[j];
                }
                right[i] += weighted * row.y;
            }
        }
        matrix[0][0] += precisions[0];
        right[0] += precisions[0] * floor;
        matrix[1][1] += precisions[1];
        let means = [floor, DRIFT_MEAN * assumed.drift * state.scale];
        right[1] += precisions[1] * means[1];
        Self { matrix, right, precisions, means }
    }

    /// The determinant of the block for (c₀, a·b), and the inverse of this block applied to (v₀,
    /// v₁).
    fn nuisance(&self, v: [f64; 2]) -> (f64, [f64; 2]) {
        let [[m00, m01, _], [_, m11, _], _] = self.matrix;
        let determinant = (m00 * m11 - m01 * m01).max(m00 * m11 * 1e-14);
        let inverse =
            [(m11 * v[0] - m01 * v[1]) / determinant, (m00 * v[1] - m01 * v[0]) / determinant];
        (determinant, inverse)
    }

    /// a's precision with c₀ and b integrated out, and a's value.
    fn grown(&self) -> (f64, f64) {
        let [_, _, [_, _, m22]] = self.matrix;
        let cross = [self.matrix[0][2], self.matrix[1][2]];
        let (_, inverse) = self.nuisance(cross);
        let precision = m22 - cross[0] * inverse[0] - cross[1] * inverse[1];
        // If c₀ and b explain the values as well as a does, only rounding errors would determine a.
        let precision = precision.max(m22 * 1e-12);
        let right = self.right[2] - self.right[0] * inverse[0] - self.right[1] * inverse[1];
        (precision, if precision > 0.0 { right / precision } else { 0.0 })
    }

    fn solve(&self, state: &mut State, assumed: Assumptions) {
        (state.precision, state.grown) = if state.grows { self.grown() } else { (0.0, 0.0) };
        let right = [0, 1].map(|i| self.right[i] - self.matrix[i][2] * state.grown);
        let (_, [constant, drift]) = self.nuisance(right);
        (state.constant, state.drift) = (constant, if assumed.drift > 0.0 { drift } else { 0.0 });
    }

    fn finish(
        &self,
        rows: &[Weighted],
        state: &State,
        assumed: Assumptions,
        priors: &[Prior],
    ) -> Fit {
        // Student's t without its constant factor is 1/σ · (1 + z²/FREEDOM)^−TAIL_POWER.
        let mut inverse = LnProduct::ONE;
        for Weighted { row, .. } in rows {
            let (sigma, z) = state.errors(row, assumed);
            inverse.multiply(sigma * (1.0 + z * z * (1.0 / FREEDOM)).powi(TAIL_POWER));
        }
        let mut evidence = inverse.recip();
        let [p0, p1] = self.precisions;
        let [away0, away1] = [state.constant - self.means[0], state.drift - self.means[1]];
        evidence.multiply_exp(-0.5 * (p0 * away0 * away0 + p1 * away1 * away1));
        let (determinant, [_, _]) = self.nuisance([0.0, 0.0]);
        evidence.multiply((p0 / determinant * p1).sqrt());
        let mut grown = (0.0, 0.0);
        if state.grows {
            let sigma = state.precision.max(f64::MIN_POSITIVE).sqrt().recip();
            grown = integrate(state.grown, sigma, priors, &mut evidence);
        }
        let drift = if grown.0 > 0.0 && assumed.drift > 0.0 { state.drift / grown.0 } else { 0.0 };
        let drift_sd = (self.matrix[1][1].sqrt() * grown.0.max(f64::MIN_POSITIVE)).recip();
        Fit {
            ln_evidence: evidence.ln(),
            constant: state.constant.max(0.0),
            grown,
            drift: (drift, drift_sd.min(assumed.drift)),
        }
    }
}

/// Multiplies `evidence` by ∫ exp(−(a − mode)²/2σ²) · p(ln a) d ln a over a > 0. Returns the mean
/// and the standard deviation of a under this density.
fn integrate(mode: f64, sigma: f64, priors: &[Prior], evidence: &mut LnProduct) -> (f64, f64) {
    let prior = |ln_a: f64| priors.iter().map(|prior| prior.density(ln_a)).product::<f64>();
    if mode > NARROW * sigma {
        evidence.multiply((2.0 * PI).sqrt() * sigma / mode * prior(mode.ln()));
        return (mode, sigma);
    }
    let high = (mode.max(0.0) + 8.0 * sigma).ln();
    let lowest = priors.iter().map(|prior| prior.ln_median - INTEGRAL_REACH * prior.spread);
    let low = lowest.fold(high - 1.0, f64::min);
    let step = (high - low) / f64::from(INTEGRAL_STEPS);
    // If the mode is far below 0, exp(−(a − mode)²/2σ²) is 0 in an `f64` everywhere, so its largest
    // value is factored out.
    let nearest = (low.exp() - mode).max(0.0);
    let precision = (sigma * sigma).recip();
    let (mut a, ratio) = (high.exp(), (-step).exp());
    let (mut sum, mut first, mut second) = (0.0, 0.0, 0.0);
    for index in 0..=INTEGRAL_STEPS {
        let away = a - mode;
        let exponent = -0.5 * precision * (away - nearest) * (away + nearest);
        let term = prior(high - step * f64::from(index)) * exponent.exp();
        sum += term;
        first += term * a;
        second += term * a * a;
        a *= ratio;
    }
    evidence.multiply(sum * step);
    evidence.multiply_exp(-0.5 * precision * nearest * nearest);
    let mean = first / sum;
    (mean, (second / sum - mean * mean).max(0.0).sqrt())
}
