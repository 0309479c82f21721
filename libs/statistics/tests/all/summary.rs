//! Statistics compared with a naive reference, and their invariances.

use crate::config;
use profiler_statistics::Statistics;
use proptest::collection::vec;
use proptest::prelude::*;

/// Maximum number of repetitions of a size.
const MOST_REPETITIONS: u32 = 100;
/// Relative difference of two ways to compute the same figure.
const ROUNDING: f64 = 1e-9;

/// Figures of at least `least` repetitions: milliseconds, up to a minute.
fn figures(least: usize) -> impl Strategy<Value = Vec<f64>> {
    vec(0.0..60_000.0, least..=MOST_REPETITIONS as usize)
}

fn statistics(values: &[f64]) -> Statistics {
    Statistics::from_values(values).expect("there are values")
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= ROUNDING * (1.0 + one.abs().max(other.abs()))
}

/// By selection instead of sorting: k − 1 values lie below the k-th smallest.
fn median(values: &[f64]) -> f64 {
    let rank = |k: usize| {
        let found = values.iter().find(|v| {
            let below = values.iter().filter(|other| other < v).count();
            let same = values.iter().filter(|other| other == v).count();
            (below..below + same).contains(&k)
        });
        *found.expect("every rank belongs to a value")
    };
    let n = values.len();
    rank((n - 1) / 2) / 2.0 + rank(n / 2) / 2.0
}

/// All figures that have the unit of the values.
fn located(s: &Statistics) -> Vec<f64> {
    let ends = s.interval.iter().flat_map(|interval| [interval.low, interval.high]);
    [s.min, s.max, s.median, s.mean].into_iter().chain(ends).collect()
}

fn all_near(one: &[f64], other: &[f64]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| near(*a, *b))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn statistics_are_those_of_the_reference(values in figures(1)) {
        let s = statistics(&values);
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let middle = median(&values);
        let deviations: Vec<f64> = values.iter().map(|v| (v - middle).abs()).collect();
        prop_assert!(near(s.mean, mean) && near(s.median, middle) && near(s.mad, median(&deviations)));
        prop_assert_eq!(s.count as usize, values.len());
        let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (n - 1.0);
        prop_assert!(s.stddev.is_none_or(|stddev| near(stddev, variance.sqrt())));
        prop_assert_eq!(s.stddev.is_some(), values.len() > 1);
    }

    #[test]
    fn statistics_lie_in_order(values in figures(2)) {
        let s = statistics(&values);
        let interval = s.interval.expect("of two there is one");
        prop_assert!([s.min, interval.low, s.median, interval.high, s.max].is_sorted());
        prop_assert!(s.min <= s.mean + ROUNDING * s.max && s.mean <= s.max * (1.0 + ROUNDING));
        prop_assert!(values.contains(&interval.low) && values.contains(&interval.high));
        prop_assert!((0.5..=1.0).contains(&interval.level));
        prop_assert!(s.outliers <= s.count / 2, "most values are no outliers");
    }

    #[test]
    fn order_of_repetitions_says_nothing(
        (values, shuffled) in figures(1).prop_flat_map(|v| (Just(v.clone()), Just(v).prop_shuffle()))
    ) {
        prop_assert_eq!(statistics(&values), statistics(&shuffled));
    }

    #[test]
    fn shift_moves_the_location_and_not_the_spread(values in figures(2), by in 0.0..1e4) {
        let moved: Vec<f64> = values.iter().map(|v| v + by).collect();
        let (before, after) = (statistics(&values), statistics(&moved));
        let expected: Vec<f64> = located(&before).iter().map(|v| v + by).collect();
        prop_assert!(all_near(&expected, &located(&after)));
        prop_assert!((before.mad - after.mad).abs() < 1e-6);
        prop_assert!((before.stddev.unwrap() - after.stddev.unwrap()).abs() < 1e-6);
    }

    /// A power of two, so that no value is rounded: another unit only scales the figures.
    #[test]
    fn another_unit_scales_every_figure(values in figures(2), power in -20..20) {
        let by = 2_f64.powi(power);
        let scaled: Vec<f64> = values.iter().map(|v| v * by).collect();
        let (before, after) = (statistics(&values), statistics(&scaled));
        let expected: Vec<f64> = located(&before).iter().map(|v| v * by).collect();
        prop_assert_eq!(expected, located(&after));
        prop_assert_eq!((before.mad * by, before.outliers), (after.mad, after.outliers));
    }
}
