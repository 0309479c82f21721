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
};

/// A value, and the curve at its size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// The value.
    pub(crate) y: f64,
    /// Standard deviation of the value's measurement.
    pub(crate) sigma: f64,
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
    /// Median of the logarithm of the part of a that the prior describes.
    pub(crate) ln_median: f64,
    /// Scale of this logarithm.
    pub(crate) spread: f64,
    /// The logarithm of the part's share of a.
    pub(crate) ln_part: f64,
}

impl Prior {
    fn ln_density(&self, ln_a: f64) -> f64 {
        let z = (ln_a + self.ln_part - self.ln_median) / self.spread;
        let top = (DENSITY_AT_0 / self.spread).ln();
        top - 0.5 * (FREEDOM + 1.0) * (z * z / FREEDOM).ln_1p()
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
pub(crate) fn fit(rows: &[Row], assumed: Assumptions, priors: &[Prior]) -> Fit {
    let most = rows.iter().map(|row| row.y).fold(assumed.least, f64::max);
    let mut state = State {
        constant: assumed.least,
        grown: most - assumed.least,
        drift: 0.0,
        scale: (most - assumed.least).max(f64::MIN_POSITIVE),
    };
    let grows = !priors.is_empty();
    let mut free = true;
    let mut normal = Normal::from_rows(rows, &state, assumed, (grows, free), true);
    for pass in 0..PASSES {
        normal.solve(&mut state, assumed, grows);
        if state.constant < 0.0 && !assumed.saves {
            free = false;
        }
        state.scale = state.grown.max(state.scale * 1e-3);
        if pass + 1 < PASSES {
            normal = Normal::from_rows(rows, &state, assumed, (grows, free), false);
        }
    }
    normal.finish(rows, &state, assumed, priors)
}

/// The parameters during the iteration.
struct State {
    constant: f64,
    grown: f64,
    drift: f64,
    /// Scale of b's prior: approximately a.
    scale: f64,
}

impl State {
    fn value_at(&self, row: &Row) -> f64 {
        self.constant + row.h * (self.grown + self.drift * row.x)
    }

    /// The scale of a row's errors.
    fn sigma(&self, row: &Row, assumed: Assumptions) -> f64 {
        let grown = row.y.max(self.value_at(row)) - assumed.least;
        (row.sigma * row.sigma + (assumed.error * grown.max(0.0)).powi(2)).sqrt()
    }
}

/// The normal equations for the parameters (c₀, a·b, a).
struct Normal {
    matrix: [[f64; 3]; 3],
    right: [f64; 3],
    /// Precisions of the priors of c₀ and a·b.
    precisions: [f64; 2],
    /// Means of the priors of c₀ and a·b.
    means: [f64; 2],
}

impl Normal {
    fn from_rows(
        rows: &[Row],
        state: &State,
        assumed: Assumptions,
        (grows, free): (bool, bool),
        first: bool,
    ) -> Self {
        let (floor, spread) =
            if free { (assumed.floor, assumed.floor_spread) } else { (0.0, assumed.floor * 1e-3) };
        let floor_precision = spread.max(f64::MIN_POSITIVE.sqrt()).powi(-2);
        let drift_precision = if assumed.drift > 0.0 && grows {
            (assumed.drift * state.scale).powi(-2)
        } else {
            PINNED * state.scale.powi(-2)
        };
        let precisions = [floor_precision, drift_precision.min(1e290)];
        let mut matrix = [[0.0; 3]; 3];
        let mut right = [0.0; 3];
        for row in rows {
            let sigma = state.sigma(row, assumed);
            let z = if first { 0.0 } else { (row.y - state.value_at(row)) / sigma };
            let weight = (FREEDOM + 1.0) / (FREEDOM + z * z) / (sigma * sigma);
            let h = if grows { row.h } else { 0.0 };
            let column = [1.0, h * row.x, h];
            for i in 0..3 {
                for j in 0..3 {
                    matrix[i][j] += weight * column[i] * column[j];
                }
                right[i] += weight * column[i] * row.y;
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

    fn solve(&self, state: &mut State, assumed: Assumptions, grows: bool) {
        state.grown = if grows { self.grown().1 } else { 0.0 };
        let right = [0, 1].map(|i| self.right[i] - self.matrix[i][2] * state.grown);
        let (_, [constant, drift]) = self.nuisance(right);
        (state.constant, state.drift) = (constant, if assumed.drift > 0.0 { drift } else { 0.0 });
    }

    fn finish(&self, rows: &[Row], state: &State, assumed: Assumptions, priors: &[Prior]) -> Fit {
        let likelihood: f64 = rows
            .iter()
            .map(|row| {
                let sigma = state.sigma(row, assumed);
                let z = (row.y - state.value_at(row)) / sigma;
                -0.5 * (FREEDOM + 1.0) * (z * z / FREEDOM).ln_1p() - sigma.ln()
            })
            .sum();
        let away = [state.constant - self.means[0], state.drift - self.means[1]];
        let nuisances: f64 = (0..2)
            .map(|i| 0.5 * (self.precisions[i].ln() - self.precisions[i] * away[i] * away[i]))
            .sum();
        let (determinant, [_, _]) = self.nuisance([0.0, 0.0]);
        let (precision, mode) = self.grown();
        let (ln_integral, grown) = if priors.is_empty() {
            (0.0, (0.0, 0.0))
        } else {
            integrate(mode, precision.max(f64::MIN_POSITIVE).powf(-0.5), priors)
        };
        let drift = if grown.0 > 0.0 && assumed.drift > 0.0 { state.drift / grown.0 } else { 0.0 };
        let drift_sd =
            (self.matrix[1][1].powf(-0.5) / grown.0.max(f64::MIN_POSITIVE)).min(assumed.drift);
        Fit {
            ln_evidence: likelihood + nuisances - 0.5 * determinant.ln() + ln_integral,
            constant: state.constant.max(0.0),
            grown,
            drift: (drift, drift_sd),
        }
    }
}

/// The logarithm of ∫ exp(−(a − mode)²/2σ²) · p(ln a) d ln a over a > 0, and the mean and standard
/// deviation of a under this density.
fn integrate(mode: f64, sigma: f64, priors: &[Prior]) -> (f64, (f64, f64)) {
    let ln_prior = |ln_a: f64| priors.iter().map(|prior| prior.ln_density(ln_a)).sum::<f64>();
    if mode > NARROW * sigma {
        let ln_width = ((2.0 * std::f64::consts::PI).sqrt() * sigma / mode).ln();
        return (ln_width + ln_prior(mode.ln()), (mode, sigma));
    }
    let high = (mode.max(0.0) + 8.0 * sigma).ln();
    let lowest = priors.iter().map(|p| p.ln_median - p.ln_part - INTEGRAL_REACH * p.spread);
    let low = lowest.fold(high - 1.0, f64::min);
    let step = (high - low) / f64::from(INTEGRAL_STEPS);
    let (mut sum, mut first, mut second, mut top) = (0.0, 0.0, 0.0, f64::NEG_INFINITY);
    for index in 0..=INTEGRAL_STEPS {
        let ln_a = low + step * f64::from(index);
        let a = ln_a.exp();
        let z = (a - mode) / sigma;
        let ln_term = ln_prior(ln_a) - 0.5 * z * z;
        if ln_term > top {
            let rescale = (top - ln_term).exp();
            (sum, first, second) = (sum * rescale, first * rescale, second * rescale);
            top = ln_term;
        }
        let term = (ln_term - top).exp();
        sum += term;
        first += term * a;
        second += term * a * a;
    }
    let mean = first / sum;
    let variance = (second / sum - mean * mean).max(0.0);
    (top + (sum * step).ln(), (mean, variance.sqrt()))
}
