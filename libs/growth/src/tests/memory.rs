//! Peak resident sets, whose error is the same in every run of a size.

use super::synthetic::{Program, Random};
use crate::{Class, Classification, Observed, SizeObservation, classify};

/// A run of a size: its peak resident set in MiB, and its exact anonymous memory in KiB.
type Run = (u64, f64, Option<f64>);

/// Sorts a `vector<int>` that it reads.
const SORT: [Run; 3] =
    [(1000, 3.32, Some(228.0)), (10_000, 3.45, Some(264.0)), (100_000, 3.43, Some(616.0))];
/// Adds up numbers that it reads.
const SUM: [Run; 6] = [
    (1, 3.36, Some(216.0)),
    (1000, 3.48, Some(220.0)),
    (5000, 3.36, Some(220.0)),
    (10_000, 3.45, Some(220.0)),
    (50_000, 3.36, Some(220.0)),
    (100_000, 3.48, Some(220.0)),
];

fn memory_on(processors: u32, runs: &[Run]) -> Classification {
    let observation = |&(size, peak, anonymous): &Run| SizeObservation {
        size,
        runtime_ms: Some(1.0),
        peak_memory_mb: Some(peak),
        anonymous_mb: anonymous.map(|kib| kib / 1024.0),
        ..SizeObservation::default()
    };
    let sizes = runs.iter().map(observation).collect();
    let others = Program::default().observed(&mut Random(1));
    classify(&Observed { sizes, processors: Some(processors), ..others }).memory
}

fn memory(runs: &[Run]) -> Classification {
    memory_on(2, runs)
}

fn without_anonymous(runs: &[Run]) -> Vec<Run> {
    runs.iter().map(|&(size, peak, _)| (size, peak, None)).collect()
}

#[test]
fn rise_within_the_resolution_of_peaks_is_no_class() {
    for runs in [&SORT[..], &SUM] {
        let found = memory(&without_anonymous(runs));
        assert_eq!(found.class, None, "{found:?}");
        assert!(found.undecided.reason.starts_with("a byte for each n"), "{found:?}");
    }
}

#[test]
fn exact_anonymous_memory_decides_what_peaks_cannot() {
    let sort = memory(&SORT);
    assert_eq!(sort.class, Some(Class::Linear), "{sort:?}");
    let sum = memory(&SUM);
    assert_eq!(sum.class, Some(Class::Constant), "{sum:?}");
}

/// Sizes that are added for growth have no memory probe.
#[test]
fn sizes_without_a_probe_do_not_hide_what_the_others_show() {
    let added = [(10, 3.45, None), (20, 3.32, None), (40, 3.45, None)];
    let found = memory(&[&added[..], &SORT].concat());
    assert_eq!(found.class, Some(Class::Linear), "{found:?}");
    let found = memory(&[&added[..], &SORT[1..]].concat());
    assert_eq!(found.class, None, "{found:?}");
    let found = memory(&[&added[..], &SUM].concat());
    assert_eq!(found.class, Some(Class::Constant), "{found:?}");
    // A run of the largest size that is too long for a probe.
    let found = memory(&[&SUM[..4], &[(100_000, 3.45, None)]].concat());
    assert_eq!(found.class, Some(Class::Constant), "{found:?}");
    let found = memory(&[&SUM[..3], &[(100_000, 3.45, None)]].concat());
    assert_eq!(found.class, None, "{found:?}");
}

/// A byte for each n would be 10 MiB.
#[test]
fn peaks_alone_show_constant_memory_over_a_wide_range() {
    let wide = [(1000, 3.32, None), (100_000, 3.45, None), (10_000_000, 3.32, None)];
    let found = memory(&wide);
    assert_eq!(found.class, Some(Class::Constant), "{found:?}");
    // A batch has 512 pages where there are 256 processors.
    assert_eq!(memory_on(256, &wide).class, Some(Class::Constant));
    assert_eq!(memory_on(256, &without_anonymous(&wide[..2])).class, None);
}

/// The pages of a mapped input are no anonymous memory.
#[test]
fn peaks_that_grow_beyond_their_resolution_overrule_anonymous_memory() {
    let mapped = [1000, 10_000, 100_000, 300_000, 1_000_000]
        .map(|n| (n, 3.4 + 8e-6 * n as f64, Some(220.0)));
    let found = memory(&mapped);
    assert_eq!(found.class, Some(Class::Linear), "{found:?}");
}

/// A sieve that is a `vector<bool>`.
#[test]
fn bit_for_each_n_is_not_constant() {
    let sieve = |n: u64| {
        let kib = 220.0 + 4.0 * (n / 32_768) as f64;
        (n, 3.18 + kib / 1024.0, Some(kib))
    };
    let usual = [1, 1000, 5000, 10_000, 50_000, 100_000].map(sieve);
    let found = memory(&usual);
    assert_eq!(found.class, None, "{found:?}");
    assert_eq!(found.undecided.reason, "the little that it rises can be a bit for each n");
    assert!(!found.undecided.remedies.is_empty(), "{found:?}");
    let larger = |most: u64| memory(&[1, most / 100, most / 10, most / 2, most].map(sieve));
    let found = larger(1_000_000);
    assert_eq!(found.ranked[0].0, Class::Linear, "{found:?}");
    let found = larger(10_000_000);
    assert_eq!(found.class, Some(Class::Linear), "{found:?}");
}

/// Stacks begin at random addresses, and a library takes a page when it is first used.
#[test]
fn few_pages_are_no_bit_for_each_n() {
    for kib in [[220, 216, 220, 216, 220, 224], [216, 216, 232, 232, 232, 232]] {
        let runs = [1, 1000, 5000, 10_000, 50_000, 100_000].into_iter().zip(kib);
        let runs: Vec<Run> = runs.map(|(n, kib)| (n, 3.4, Some(f64::from(kib)))).collect();
        let found = memory(&runs);
        assert_eq!(found.class, Some(Class::Constant), "{found:?}");
    }
}
