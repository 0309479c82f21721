//! Programs whose steps depend on the values of numbers.

use super::Reads::Numbers;
use super::{Lines, Program};
use std::collections::BTreeMap;

const MOST: i64 = 1_000_000_000;

pub(super) fn programs() -> [Program; 7] {
    let one = |name, steps, hand| Program { name, reads: Numbers, steps, hand };
    [
        one("hash by product", product, |n| (0..n).map(|i| i * 1009).collect()),
        one("hash by digit sum", digits, |n| (0..n).map(|i| i * 99_999 + 99_999).collect()),
        one("hash by high bits", high, |n| (0..n).collect()),
        one("equal-width buckets", buckets, |n| {
            (0..n).map(|i| if i == 0 { MOST } else { n - i }).collect()
        }),
        one("bits", bits, |n| vec![(1 << 29) - 1; usize::try_from(n).unwrap()]),
        one("common divisors", divisors, |n| {
            (0..n).map(|i| if i % 2 == 0 { 433_494_437 } else { 701_408_733 }).collect()
        }),
        one("distinct pairs", pairs, |n| (0..n).collect()),
    ]
}

/// Inserts different keys into chains, by their hash.
fn chains(a: &[i64], hash: impl Fn(i64) -> i64, lines: &mut Lines) {
    let mut chains: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for key in a {
        let chain = chains.entry(hash(*key)).or_default();
        let passed = chain.iter().take_while(|old| *old != key).count();
        lines.reach_often(1, passed + 1);
        if passed == chain.len() {
            chain.push(*key);
            lines.reach(2);
        }
    }
}

fn product(a: &[i64], lines: &mut Lines) {
    chains(a, |key| key * 31 % 1009, lines);
}

fn digits(a: &[i64], lines: &mut Lines) {
    let sum = |key: i64| key.to_string().bytes().map(|digit| i64::from(digit - b'0')).sum();
    chains(a, sum, lines);
}

fn high(a: &[i64], lines: &mut Lines) {
    chains(a, |key| key >> 20, lines);
}

fn buckets(a: &[i64], lines: &mut Lines) {
    let (Some(least), Some(most)) = (a.iter().min(), a.iter().max()) else { return };
    let count = i64::try_from(a.len()).unwrap();
    let mut buckets: Vec<Vec<i64>> = vec![Vec::new(); a.len()];
    for number in a {
        let at = (number - least) * (count - 1) / (most - least).max(1);
        let bucket = &mut buckets[usize::try_from(at).unwrap()];
        let to = bucket.partition_point(|old| old <= number);
        lines.reach_often(1, bucket.len() - to + 1);
        bucket.insert(to, *number);
    }
}

fn bits(a: &[i64], lines: &mut Lines) {
    for number in a {
        lines.reach_often(1, number.count_ones() as usize + 1);
    }
}

fn divisors(a: &[i64], lines: &mut Lines) {
    for pair in a.windows(2) {
        let (mut one, mut other) = (pair[0], pair[1]);
        lines.reach(2);
        while other > 0 {
            lines.reach(1);
            (one, other) = (other, one % other);
        }
    }
}

/// Compares each number with all different ones before it.
fn pairs(a: &[i64], lines: &mut Lines) {
    let mut seen: Vec<i64> = Vec::new();
    for number in a {
        let passed = seen.iter().take_while(|old| *old != number).count();
        lines.reach_often(1, passed + 1);
        if passed == seen.len() {
            seen.push(*number);
        }
    }
}
