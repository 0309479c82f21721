//! The statistics of a comparison: differences of mean logarithms, by Student's test.

use crate::comparison::Ratio;
use profiler_statistics::{student_t_quantile, student_t_two_sided};

/// Level of significance: a difference is real if chance alone makes one this large with a lower
/// probability.
pub(crate) const SIGNIFICANCE: f64 = 0.05;
/// Assumed relative scatter of a program's known headlines from run to run, if there is only one
/// run, which gives no estimate.
pub(crate) const ASSUMED_SCATTER: f64 = 0.01;
/// Maximum relative scatter that is assumed of a program's headlines. A single run rarely scatters
/// more, however low the precision that its job asked for.
pub(crate) const MOST_ASSUMED_SCATTER: f64 = 0.1;
/// Degrees of freedom with which Student's distribution is practically the normal one.
const NORMAL: f64 = 1e3;

/// The difference of two means of logarithms.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Difference {
    mean: f64,
    variance: f64,
    freedom: f64,
}

/// The mean of one program's logarithms, and the variance of that mean.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mean {
    pub(crate) mean: f64,
    pub(crate) variance: f64,
}

impl Difference {
    /// Returns B's mean less A's.
    pub(crate) fn between(a: Mean, b: Mean, scatter: Scatter) -> Self {
        Self { mean: b.mean - a.mean, variance: a.variance + b.variance, freedom: scatter.freedom }
    }

    /// Returns the mean over the sizes. A disturbance of a whole run shifts all of its sizes, so
    /// the mean is known no better than the sizes are on average.
    pub(crate) fn mean_of(differences: &[Self]) -> Option<Self> {
        let first = differences.first()?;
        let mean = |get: fn(&Self) -> f64| {
            differences.iter().map(get).sum::<f64>() / differences.len() as f64
        };
        Some(Self {
            mean: mean(|it| it.mean),
            variance: mean(|it| it.variance),
            freedom: first.freedom,
        })
    }

    /// Returns the two-sided probability that chance alone makes a difference this large.
    pub(crate) fn p_value(self) -> f64 {
        student_t_two_sided(self.mean / self.variance.sqrt(), self.freedom)
    }

    /// Returns the ratio of B to A with its interval, and the given (corrected) probability.
    pub(crate) fn ratio(self, p: f64) -> Ratio {
        let reach = student_t_quantile(SIGNIFICANCE, self.freedom) * self.variance.sqrt();
        let [low, high] = [self.mean - reach, self.mean + reach].map(f64::exp);
        Ratio { ratio: self.mean.exp(), low, high, p }
    }
}

/// The variance of logarithms from run to run, and its degrees of freedom.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scatter {
    pub(crate) variance: f64,
    freedom: f64,
}

impl Scatter {
    /// Pools the observed scatter of groups of repeated runs. If all groups are single runs, the
    /// scatter is `assumed`.
    pub(crate) fn pooled(groups: impl Iterator<Item = Vec<f64>>, assumed: f64) -> Self {
        let (mut sum, mut freedom) = (0.0, 0.0);
        for logs in groups {
            let center = average(&logs);
            sum += logs.iter().map(|log| (log - center).powi(2)).sum::<f64>();
            freedom += logs.len() as f64 - 1.0;
        }
        if freedom > 0.0 {
            Self { variance: sum / freedom, freedom }
        } else {
            Self { variance: assumed.powi(2), freedom: NORMAL }
        }
    }
}

/// Returns the arithmetic mean; NaN without values.
pub(crate) fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
