//! Statistics of one figure.

/// The least coverage that an interval aims at.
const LEVEL: f64 = 0.95;

/// Statistics of one figure over its repetitions.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Statistics {
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Median; of an even count the mean of the middle two.
    pub median: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation (divisor n − 1); absent for one value.
    pub stddev: Option<f64>,
    /// How many values.
    pub count: u32,
    /// Confidence interval of the median; absent for one value.
    pub interval: Option<Interval>,
}

/// A confidence interval and its exact coverage.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Coverage, 0 to 1.
    pub level: f64,
}

impl Statistics {
    /// Statistics of `values`; `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let n = sorted.len();
        let mean = sorted.iter().sum::<f64>() / n as f64;
        let squares: f64 = sorted.iter().map(|v| (v - mean).powi(2)).sum();
        Some(Self {
            min,
            max,
            median: f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]),
            mean,
            stddev: (n > 1).then(|| (squares / (n - 1) as f64).sqrt()),
            count: u32::try_from(n).ok()?,
            interval: Interval::of_median(&sorted),
        })
    }
}

impl Interval {
    /// The distribution-free interval of the median between the order statistics k and n + 1 − k,
    /// for the largest k whose coverage 1 − 2·P(B ≤ k − 1), B ~ Bin(n, ½), reaches [`LEVEL`]; where
    /// none does (n < 6), the whole range with its own coverage 1 − 2^(1 − n).
    /// Source: Conover, Practical Nonparametric Statistics, section 3.2.
    fn of_median(sorted: &[f64]) -> Option<Self> {
        let n = sorted.len();
        if n < 2 {
            return None;
        }
        let mut term = 0.5_f64.powi(i32::try_from(n).ok()?);
        let mut tail = term;
        let (mut k, mut level) = (0, 1.0 - 2.0 * tail);
        for next in 1..n / 2 {
            term *= (n - next + 1) as f64 / next as f64;
            tail += term;
            let coverage = 1.0 - 2.0 * tail;
            if coverage < LEVEL {
                break;
            }
            (k, level) = (next, coverage);
        }
        Some(Self {
            low: sorted[k],
            high: sorted[n - 1 - k],
            level,
        })
    }
}
