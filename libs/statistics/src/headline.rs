//! The headline of a size: one figure for its repetitions, with a confidence interval. The runner
//! uses it to stop repeating, and the host reports it.
//!
//! The headline is the minimum. Disturbances only make a run longer, so the repetitions lie above a
//! threshold. Of the estimators that were compared, the minimum varies least from series to series
//! (`cargo xtask bench noise --estimators`).

use crate::summary::LEVEL;

/// Number of smallest values that the interval uses. With more values, the interval would depend on
/// the disturbances. With only two, a lucky pair would end a series too early.
const SMALLEST: usize = 5;
/// Share of a figure. The figure counts as known if the half width of its interval is at most this.
pub const KNOWN_SHARE: f64 = 0.01;
/// Counterpart of [`KNOWN_SHARE`] in nanoseconds, for short times.
const KNOWN_NS: f64 = 50_000.0;

/// The headline figure of some repetitions, in nanoseconds. Its interval covers the threshold with
/// the probability [`LEVEL`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Headline {
    /// The figure, and the upper end of its confidence interval.
    pub ns: f64,
    /// Lower end of the interval; 0 for a single repetition, which gives no information about the
    /// interval.
    pub low_ns: f64,
}

impl Headline {
    /// The headline of repetitions that took `sorted` nanoseconds, in rising order; `None` if
    /// empty.
    ///
    /// The spacings between the k smallest values above a threshold θ are close to exponential. So
    /// `(x₁ − θ) / ((x_k − x₁) / (k − 1))` follows `F(2, 2k − 2)`, and with probability 1 − α `x₁ −
    /// θ ≤ (x_k − x₁)(α^(−1/(k − 1)) − 1)`. Source: Weissman, Confidence intervals for the
    /// threshold parameter, Communications in Statistics – Theory and Methods 10 (1981); for k = 2
    /// Robson and Whitlock, Estimation of a truncation point, Biometrika 51 (1964).
    pub fn from_sorted(sorted: &[u64]) -> Option<Self> {
        let &first = sorted.first()?;
        let k = sorted.len().min(SMALLEST);
        let reach = (sorted[k - 1] - first) as f64;
        let factor = (1.0 - LEVEL).powf(-1.0 / (k as f64 - 1.0)) - 1.0;
        let ns = first as f64;
        let low_ns = if k > 1 { (ns - reach * factor).max(0.0) } else { 0.0 };
        Some(Self { ns, low_ns })
    }

    /// Half the width of the interval, in nanoseconds.
    pub fn half_width_ns(&self) -> f64 {
        (self.ns - self.low_ns) / 2.0
    }

    /// Whether the half width is at most this share of the figure or 50 µs, whichever is more.
    pub fn is_known_to(&self, share: f64) -> bool {
        self.half_width_ns() <= (self.ns * share).max(KNOWN_NS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headline(sorted: &[u64]) -> Headline {
        Headline::from_sorted(sorted).unwrap()
    }

    #[test]
    fn headline_of_no_values_is_absent() {
        assert_eq!(Headline::from_sorted(&[]), None);
    }

    #[test]
    fn headline_of_one_value_is_not_known() {
        assert_eq!(headline(&[1_000]), Headline { ns: 1_000.0, low_ns: 0.0 });
    }

    /// Robson and Whitlock: 19 gaps below the smaller of two.
    #[test]
    fn gap_of_two_values_counts_nineteen_times() {
        assert!((headline(&[1_000_000, 1_000_100]).low_ns - (1_000_000.0 - 1_900.0)).abs() < 1e-6);
    }

    #[test]
    fn smallest_values_alone_count() {
        let quiet = [1_000, 1_001, 1_002, 1_003, 1_004];
        let disturbed = [1_000, 1_001, 1_002, 1_003, 1_004, 90_000];
        assert_eq!(headline(&quiet), headline(&disturbed));
    }

    /// Values of a linear congruential generator, uniform above a threshold of 10⁶.
    #[test]
    fn interval_covers_the_threshold_as_often_as_it_says() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            1_000_000 + (state >> 44)
        };
        let covered = (0..2_000).filter(|_| {
            let mut values: Vec<u64> = (0..40).map(|_| next()).collect();
            values.sort_unstable();
            headline(&values).low_ns <= 1_000_000.0
        });
        let share = covered.count() as f64 / 2_000.0;
        assert!((share - LEVEL).abs() < 0.02, "{share}");
    }

    #[test]
    fn short_runs_are_known_to_fifty_microseconds() {
        assert!(
            headline(&[1_000_000, 1_020_000, 1_040_000, 1_060_000, 1_080_000])
                .is_known_to(KNOWN_SHARE)
        );
        assert!(
            !headline(&[1_000_000, 1_025_000, 1_050_000, 1_075_000, 1_100_000])
                .is_known_to(KNOWN_SHARE)
        );
    }

    #[test]
    fn long_runs_are_known_to_one_percent() {
        let spread = |step: u64| [0, 1, 2, 3, 4].map(|index| 100_000_000 + index * step);
        assert!(headline(&spread(400_000)).is_known_to(KNOWN_SHARE));
        assert!(!headline(&spread(500_000)).is_known_to(KNOWN_SHARE));
    }
}
