//! The headline: the minimum and how well it is known.

use crate::config;
use profiler_statistics::Headline;
use profiler_statistics::KNOWN_SHARE;
use proptest::collection::vec;
use proptest::prelude::*;

/// Number of smallest values that the interval uses.
const SMALLEST: usize = 5;

/// Nanoseconds of some repetitions, in rising order, up to a minute.
fn rising(least: usize) -> impl Strategy<Value = Vec<u64>> {
    vec(0..60_000_000_000_u64, least..40).prop_map(|mut values| {
        values.sort_unstable();
        values
    })
}

fn headline(sorted: &[u64]) -> Headline {
    Headline::from_sorted(sorted).expect("there are values")
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn headline_is_the_minimum_and_its_interval_ends_there(sorted in rising(1)) {
        let headline = headline(&sorted);
        prop_assert_eq!(headline.ns, sorted[0] as f64);
        prop_assert!((0.0..=headline.ns).contains(&headline.low_ns));
        prop_assert_eq!(headline.half_width_ns(), (headline.ns - headline.low_ns) / 2.0);
    }

    /// Weissman's bound, step by step: the mean spacing above the minimum, times the quantile of
    /// F(2, 2k − 2), which is (k − 1)(α^(−1/(k − 1)) − 1).
    #[test]
    fn interval_is_that_of_the_reference(sorted in rising(2)) {
        let k = sorted.len().min(SMALLEST);
        let spacings: Vec<u64> = sorted[..k].windows(2).map(|pair| pair[1] - pair[0]).collect();
        let freedom = (k - 1) as f64;
        let mean = spacings.iter().sum::<u64>() as f64 / freedom;
        let quantile = freedom * (0.05_f64.powf(-1.0 / freedom) - 1.0);
        let low = (sorted[0] as f64 - mean * quantile).max(0.0);
        prop_assert!((headline(&sorted).low_ns - low).abs() <= 1e-6 * (1.0 + low));
    }

    #[test]
    fn slower_repetitions_change_nothing(sorted in rising(SMALLEST), more in rising(0)) {
        let above = sorted[sorted.len() - 1];
        let longer: Vec<u64> = sorted.iter().copied().chain(more.iter().map(|v| above + v)).collect();
        prop_assert_eq!(headline(&sorted), headline(&longer));
    }

    #[test]
    fn shift_moves_it_and_keeps_its_width(sorted in rising(2), by in 0..1_000_000_000_u64) {
        let moved: Vec<u64> = sorted.iter().map(|v| v + by).collect();
        let (before, after) = (headline(&sorted), headline(&moved));
        prop_assert_eq!(after.ns - before.ns, by as f64);
        // The interval is cut off at 0. The shifted one is cut off less.
        prop_assert!(after.half_width_ns() >= before.half_width_ns() - 1.0);
        if before.low_ns > 0.0 {
            prop_assert!((after.half_width_ns() - before.half_width_ns()).abs() <= 1.0);
        }
    }

    #[test]
    fn headline_stays_known_when_repetitions_come_closer(sorted in rising(2)) {
        let first = sorted[0];
        let closer: Vec<u64> = sorted.iter().map(|v| first + (v - first) / 2).collect();
        prop_assert!(headline(&closer).is_known_to(KNOWN_SHARE) || !headline(&sorted).is_known_to(KNOWN_SHARE));
    }
}
