//! Statistics of one figure.

/// Target coverage of an interval.
pub const LEVEL: f64 = 0.95;
/// Scale of the MAD in the modified z-score: for normally distributed values, MAD / 0.6745 is the
/// standard deviation.
const Z_SCALE: f64 = 0.6745;
/// A value whose modified z-score is above this is an outlier.
const Z_OUTLIER: f64 = 3.5;

/// Statistics of one figure over its repetitions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistics {
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Median; for an even count, the mean of the middle two values.
    pub median: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation (divisor n − 1); absent for one value.
    pub stddev: Option<f64>,
    /// Number of values.
    pub count: u32,
    /// Median absolute deviation from the median, not scaled to a standard deviation.
    pub mad: f64,
    /// Number of values whose modified z-score |0.6745 · (x − median) / MAD| is above 3.5; 0 if the
    /// MAD is 0. Source: Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993.
    pub outliers: u32,
    /// Confidence interval of the median; absent for one value.
    pub interval: Option<Interval>,
}

/// A confidence interval and its exact coverage.
#[derive(Debug, Clone, Copy, PartialEq)]
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
    pub fn from_values(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let n = sorted.len();
        let mean = sorted.iter().sum::<f64>() / n as f64;
        let squares: f64 = sorted.iter().map(|v| (v - mean).powi(2)).sum();
        let median = median(&sorted);
        let mut deviations: Vec<_> = sorted.iter().map(|v| (v - median).abs()).collect();
        deviations.sort_by(f64::total_cmp);
        let mad = self::median(&deviations);
        let far = |deviation: &&f64| mad > 0.0 && Z_SCALE * **deviation / mad > Z_OUTLIER;
        Some(Self {
            min,
            max,
            median,
            mean,
            stddev: (n > 1).then(|| (squares / (n - 1) as f64).sqrt()),
            count: u32::try_from(n).ok()?,
            mad,
            outliers: u32::try_from(deviations.iter().filter(far).count()).ok()?,
            interval: Interval::around_median(&sorted),
        })
    }
}

/// The median of at least one value, in rising order. For an even count, it is the mean of the
/// middle two values.
///
/// Panics without values.
pub fn median(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2])
}

impl Interval {
    /// The distribution-free interval of the median between the order statistics k and n + 1 − k. k
    /// is the largest number for which the coverage 1 − 2·P(B ≤ k − 1), B ~ Bin(n, ½), reaches
    /// [`LEVEL`]. If no k reaches it (n < 6), the interval is the whole range, with the coverage 1
    /// − 2^(1 − n). Source: Conover, Practical Nonparametric Statistics, section 3.2.
    fn around_median(sorted: &[f64]) -> Option<Self> {
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
        Some(Self { low: sorted[k], high: sorted[n - 1 - k], level })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering;

    fn statistics(values: &[f64]) -> Statistics {
        Statistics::from_values(values).unwrap()
    }

    /// The interval of 1, 2, … n: each value is its own rank.
    fn interval(n: u32) -> Interval {
        let values: Vec<_> = (1..=n).map(f64::from).collect();
        statistics(&values).interval.unwrap()
    }

    /// Number of values below the interval.
    fn below(interval: &Interval) -> usize {
        (1..=20).position(|rank| f64::from(rank) >= interval.low).unwrap()
    }

    /// P(B ≤ k), B ~ Bin(n, ½), by Pascal's triangle.
    fn binomial_tail(n: usize, k: usize) -> f64 {
        let mut row = vec![1_u64];
        for _ in 0..n {
            let inner = row.windows(2).map(|pair| pair[0] + pair[1]);
            row = [1].into_iter().chain(inner).chain([1]).collect();
        }
        row[..=k].iter().sum::<u64>() as f64 / (1_u64 << n) as f64
    }

    #[test]
    fn known_values() {
        let known = Statistics {
            min: 2.0,
            max: 9.0,
            median: 4.5,
            mean: 5.0,
            stddev: Some((32.0_f64 / 7.0).sqrt()),
            count: 8,
            mad: 0.5,
            outliers: 1,
            interval: Some(Interval { low: 2.0, high: 9.0, level: 1.0 - 2.0 / 256.0 }),
        };
        assert_eq!(statistics(&[9.0, 2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0]), known);
    }

    #[test]
    fn median_of_an_odd_count_is_the_middle() {
        assert_eq!(statistics(&[3.0, 1.0, 7.0]).median.total_cmp(&3.0), Ordering::Equal);
    }

    #[test]
    fn statistics_of_no_values_are_absent() {
        assert_eq!(Statistics::from_values(&[]), None);
    }

    #[test]
    fn one_value_has_no_spread() {
        assert_eq!((statistics(&[1.0]).stddev, statistics(&[1.0]).interval), (None, None));
    }

    /// The MAD of 1, 2, 3, 4, 5 and x is 1.5. The score is 3.5 if x is 7.78 above the median, 3.5.
    #[test]
    fn outlier_has_a_modified_z_score_above_its_bound() {
        let outliers = |x| statistics(&[1.0, 2.0, 3.0, 4.0, 5.0, x]).outliers;
        assert_eq!([11.2, 11.4].map(outliers), [0, 1]);
    }

    #[test]
    fn outliers_are_absent_without_deviation() {
        assert_eq!(statistics(&[2.0, 2.0, 2.0, 2.0, 9.0]).outliers, 0);
    }

    #[test]
    fn interval_has_the_coverage_it_names() {
        for n in 2..=20_u32 {
            let interval = interval(n);
            let coverage = 1.0 - 2.0 * binomial_tail(n as usize, below(&interval));
            assert!((interval.level - coverage).abs() < 1e-12, "n = {n}");
        }
    }

    #[test]
    fn narrower_interval_would_cover_too_little() {
        for n in 2..=20_u32 {
            let narrower = 1.0 - 2.0 * binomial_tail(n as usize, below(&interval(n)) + 1);
            assert!(narrower < LEVEL, "n = {n}");
        }
    }

    #[test]
    fn interval_reaches_its_level_from_six_values_on() {
        assert!((6..=20).all(|n| interval(n).level >= LEVEL));
    }

    #[test]
    fn interval_is_symmetric_in_rank() {
        for n in 2..=20 {
            let ranks = interval(n).low + interval(n).high;
            assert!((ranks - f64::from(n + 1)).abs() < 1e-9, "n = {n}");
        }
    }

    /// Values of a linear congruential generator.
    #[test]
    fn median_lies_in_its_interval() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f64
        };
        for n in (2..60).cycle().take(1_000) {
            let values: Vec<_> = (0..n).map(|_| next()).collect();
            let (all, interval) = (statistics(&values), statistics(&values).interval.unwrap());
            let rising = [all.min, interval.low, all.median, interval.high, all.max];
            assert!(rising.is_sorted(), "{values:?}");
        }
    }
}
