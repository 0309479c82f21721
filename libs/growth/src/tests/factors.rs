//! Programs whose work depends on the factors of n.

use super::synthetic::whole;
use super::timed;
use crate::{Class, Classification, Counts, Effort, Observed, Remedy, classify};

const SIZES: [u64; 5] = [1000, 5000, 10_000, 50_000, 100_000];
const PRIMES: [u64; 5] = [1009, 5003, 10_007, 50_021, 100_003];

/// The time of a program that takes 0.8 ms at every size, whose own code executes `own`
/// instructions. They are counted at these primes, too.
fn time(own: impl Fn(u64) -> f64, primes: &[u64]) -> Classification {
    classify(&observed(own, primes)).time
}

fn observed(own: impl Fn(u64) -> f64, primes: &[u64]) -> Observed {
    let counts = |&size: &u64| {
        let own = whole(own(size));
        Counts {
            size,
            instructions: Some(own + 1_700_000),
            own: Some(own),
            lines: [(4, own)].into(),
        }
    };
    let times = timed(&SIZES.map(|size| (size, 0.8 + 1e-6 * own(size))));
    Observed {
        effort: Effort::Counted,
        counts: SIZES.iter().map(counts).collect(),
        primes: primes.iter().map(counts).collect(),
        ..times
    }
}

/// The instructions of a trial division that divides each factor out.
fn trial_division(n: u64) -> f64 {
    let (mut rest, mut factor, mut steps) = (n, 2, 0);
    while factor * factor <= rest {
        steps += 1;
        if rest.is_multiple_of(factor) {
            rest /= factor;
        } else {
            factor += 1;
        }
    }
    120.0 + 11.0 * f64::from(steps)
}

#[test]
fn work_that_depends_on_factors_has_a_class_for_each_kind_of_size() {
    let both = time(trial_division, &PRIMES);
    assert_eq!(both.class, None, "{both:?}");
    let reason = &both.undecided.reason;
    let said = "at round n, √n at primes: the work depends on the factors of n";
    assert!(reason.ends_with(said), "{reason}");
    let few = time(trial_division, &PRIMES[3..]).undecided.reason;
    let said =
        "at n = 100003, a prime, it executes 14.2 times as many instructions as at n = 100000";
    assert!(few.starts_with(said), "{few}");
}

#[test]
fn work_that_is_the_same_at_primes_keeps_its_class() {
    for (class, own) in [
        (Class::Root, (|n| 120.0 + 11.0 * n.sqrt()) as fn(f64) -> f64),
        (Class::Linear, |n| 500.0 + 9.0 * n),
        (Class::Quadratic, |n| 500.0 + 3.0 * n * n),
    ] {
        let own = |size: u64| own(size as f64);
        for primes in [&PRIMES[..], &PRIMES[3..]] {
            let found = time(own, primes);
            assert_eq!(found.class, time(own, &[]).class, "{found:?}");
            assert_eq!(found.class, Some(class), "{found:?}");
        }
    }
}

/// Trial division at round sizes alone looks like log n.
#[test]
fn class_of_round_sizes_is_not_named_if_no_prime_was_counted() {
    let linear = |n: u64| 500.0 + 9.0 * n as f64;
    let observed = |lacks_primes: bool| Observed { lacks_primes, ..observed(linear, &[]) };
    let [known, lacking] = [false, true].map(|lacks| classify(&observed(lacks)).time);
    assert_eq!((known.class, lacking.class), (Some(Class::Linear), None));
    let undecided = lacking.undecided;
    assert!(undecided.reason.contains("may depend on the factors of n"), "{undecided:?}");
    assert_eq!(undecided.remedies, [Remedy::FullGrowth]);
}

/// Every second step is left out if n is even.
#[test]
fn same_class_with_another_factor_is_the_class() {
    let own = |n: u64| 500.0 + 9.0 * n as f64 * if n.is_multiple_of(2) { 0.5 } else { 1.0 };
    let found = time(own, &PRIMES);
    assert_eq!(found.class, Some(Class::Linear), "{found:?}");
    let few = time(own, &PRIMES[3..]);
    assert_eq!(few.class, None, "{few:?}");
}

/// The numbers of a few instructions differ by chance, for example with the bits of n.
#[test]
fn small_difference_is_no_other_work() {
    let own = |n: u64| 100.0 + 5.0 * f64::from(n.count_ones()) + 9.0 * f64::from(n.ilog2());
    let found = time(own, &PRIMES);
    assert!(!found.undecided.reason.contains("prime"), "{found:?}");
}
