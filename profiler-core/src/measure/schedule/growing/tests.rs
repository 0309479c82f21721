use super::*;
use crate::limits::{AUTO_BUDGET, MAX_SIZE};
use profiler_proto::v1;

/// The time is not visible below this, in milliseconds.
const VISIBLE_MS: f64 = 0.05;
const LIMIT_MS: f64 = 2_000.0;
const NS_PER_MS: f64 = 1e6;

/// The sizes that a schedule chose for a program, and why it stopped.
struct Grown {
    all: Vec<GrownSize>,
    end: String,
}

impl Grown {
    /// The sizes whose time is visible.
    fn seen(&self) -> Vec<u64> {
        self.all.iter().filter(|m| m.net_ms.is_some()).map(|m| m.size).collect()
    }
}

fn ok(size: u64, ms: f64, net_ms: Option<f64>) -> GrownSize {
    GrownSize { size, outcome: Outcome::Ok, ms: Some(ms), net_ms }
}

fn failed(size: u64, outcome: Outcome) -> GrownSize {
    GrownSize { size, outcome, ms: None, net_ms: None }
}

/// Sizes up to a bound, without corner cases.
fn sizes(n_max: u64) -> Sizes {
    Sizes::try_new(&request(n_max)).expect("a growing schedule")
}

fn request(n_max: u64) -> v1::Job {
    v1::Job {
        input_bounds: [("n".to_owned(), n_max.cast_signed())].into(),
        extra_corner_cases: Some(v1::SizeList::default()),
        schedule: v1::Schedule::Auto.into(),
        fit_sizes: true,
        ..v1::Job::default()
    }
}

/// Runs a schedule for a program that takes `ms`.
fn grow(n_max: u64, ms: impl Fn(f64) -> f64) -> Grown {
    grow_above(0.0, n_max, ms)
}

/// Runs a schedule for a program that takes `floor_ms` without work, and `ms` more.
fn grow_above(floor_ms: f64, n_max: u64, ms: impl Fn(f64) -> f64) -> Grown {
    grow_over(&sizes(n_max), floor_ms, ms)
}

/// Runs a schedule over `sizes`.
fn grow_over(sizes: &Sizes, floor_ms: f64, ms: impl Fn(f64) -> f64) -> Grown {
    let mut all = Vec::new();
    let mut unspent = AUTO_BUDGET;
    loop {
        match next(sizes, &all, LIMIT_MS, unspent) {
            Ok(size) => {
                let net_ms = ms(size as f64);
                let ms = floor_ms + net_ms;
                all.push(if ms > LIMIT_MS {
                    failed(size, Outcome::TimeLimit)
                } else {
                    ok(size, ms, Some(net_ms).filter(|&ms| ms > VISIBLE_MS))
                });
                let spent = Duration::from_secs_f64(6.0 * ms.min(LIMIT_MS) / MS_PER_SECOND);
                unspent = unspent.saturating_sub(spent);
            }
            Err(end) => return Grown { all, end },
        }
    }
}

fn ops(of: impl Fn(f64) -> f64) -> impl Fn(f64) -> f64 {
    move |n| of(n) / NS_PER_MS
}

#[test]
fn every_kind_of_growth_is_visible_at_several_sizes() {
    let factors = |n: f64| (1..).map(f64::from).take_while(move |&factor| factor <= n);
    let factorial = |n: f64| factors(n).product::<f64>();
    let golden = f64::midpoint(1.0, 5.0_f64.sqrt());
    let table: [(&str, Grown, usize); 9] = [
        ("log n", grow(MAX_SIZE, ops(|n| 4_000.0 * n.max(1.0).log2())), 4),
        ("n", grow(MAX_SIZE, ops(|n| n)), 6),
        ("n log n", grow(MAX_SIZE, ops(|n| n * n.max(1.0).log2())), 6),
        ("n²", grow(MAX_SIZE, ops(|n| n * n)), 6),
        ("n³", grow(MAX_SIZE, ops(|n| n * n * n)), 6),
        ("φⁿ", grow(MAX_SIZE, ops(|n| golden.powf(n))), 4),
        ("2ⁿ", grow(MAX_SIZE, ops(f64::exp2)), 5),
        ("3ⁿ", grow(MAX_SIZE, ops(|n| 3.0_f64.powf(n))), 4),
        ("n!", grow(MAX_SIZE, ops(factorial)), 3),
    ];
    for (name, grown, least) in table {
        let seen = grown.seen();
        assert!(seen.len() >= least, "{name}: {seen:?}, {}", grown.end);
        assert!(grown.all.len() <= 40, "{name}: {} sizes", grown.all.len());
    }
}

#[test]
fn program_that_is_never_visible_ends_at_the_bound() {
    let grown = grow(1_000_000, |_| 0.0);
    assert_eq!(grown.end, "n = 1000000 is the bound");
    assert!(grown.all.len() < 20);
}

/// The time of a program of 5ⁿ steps is not visible below n = 12.
#[test]
fn small_bound_has_several_sizes_below_it() {
    let all = |n_max: u64| {
        let grown = grow(n_max, |n| 1e-6 * 5.0_f64.powf(n) / 1e3);
        grown.all.iter().map(|m| m.size).collect::<Vec<_>>()
    };
    assert_eq!(all(14), [7, 8, 9, 10, 11, 12, 13, 14]);
    assert_eq!(all(10), [5, 6, 7, 8, 9, 10]);
    let unseen = |n_max: u64| grow(n_max, |_| 0.0).all.iter().map(|m| m.size).collect::<Vec<_>>();
    assert_eq!(unseen(20), [10, 12, 14, 16, 18, 20]);
    assert_eq!(unseen(39), [10, 15, 22, 29, 36, 39]);
    assert_eq!(unseen(50), [10, 15, 22, 33, 40, 50]);
}

/// The sizes of a request that is as old as version 0.2.
#[test]
fn small_bound_has_no_further_sizes_without_fit_sizes() {
    for (n_max, expected) in [(14, &[10, 14][..]), (30, &[10, 15, 22, 30])] {
        let old = v1::Job { fit_sizes: false, ..request(n_max) };
        let grown = grow_over(&Sizes::try_new(&old).expect("a growing schedule"), 0.0, |_| 0.0);
        assert_eq!(grown.all.iter().map(|m| m.size).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn bound_may_be_below_the_first_size() {
    let grown = grow(3, |_| 0.0);
    assert_eq!(grown.all.iter().map(|m| m.size).collect::<Vec<_>>(), [0, 1, 2, 3]);
}

#[test]
fn no_size_starts_that_would_exceed_the_time_limit() {
    let grown = grow(MAX_SIZE, ops(|n| n * n));
    assert!(grown.all.iter().all(|m| m.outcome == Outcome::Ok));
    assert!(grown.end.ends_with("would exceed the time limit"), "{}", grown.end);
}

#[test]
fn met_limit_ends_the_schedule() {
    let grown = grow(MAX_SIZE, |n| if n > 500.0 { 1e9 } else { 0.0 });
    assert!(grown.end.ends_with("ended with TIME_LIMIT"), "{}", grown.end);
}

#[test]
fn spent_budget_ends_the_schedule() {
    let slow = [(50, 900.0), (63, 1_000.0)].map(|(size, ms)| ok(size, ms, Some(ms)));
    let end = next(&sizes(1_000), &slow, LIMIT_MS, Duration::from_millis(1_500));
    assert_eq!(end, Err("the time budget is spent".into()));
}

#[test]
fn constant_and_slow_program_spends_its_budget() {
    let grown = grow_above(300.0, MAX_SIZE, |_| 0.0);
    assert_eq!(grown.end, "the time budget is spent");
    assert_eq!(grown.seen(), [0_u64; 0]);
}

/// The limit applies to the whole run, so the time above the floor has only what the floor leaves.
#[test]
fn time_limit_includes_the_floor() {
    let grown = grow_above(1_500.0, MAX_SIZE, ops(|n| 1e3 * n));
    let least_left = grown.all.iter().filter_map(|m| m.ms).map(|ms| LIMIT_MS - ms);
    assert!(least_left.fold(LIMIT_MS, f64::min) > 0.0);
    let two_slow = [(100_000, 1_600.0), (200_000, 1_700.0)];
    let two_slow = two_slow.map(|(size, ms)| ok(size, ms, Some(ms - 1_500.0)));
    let after = |limit_ms| next(&sizes(MAX_SIZE), &two_slow, limit_ms, AUTO_BUDGET);
    assert_eq!(after(1_740.0), Err("n = 250000 would exceed the time limit".into()));
    assert_eq!(after(1_760.0), Ok(250_000));
    assert_eq!(after(1_000_000.0), Ok(500_000), "three times the time above the floor");
}

#[test]
fn end_tells_up_to_which_size_no_time_is_visible() {
    let unseen = |size| ok(size, 1.0, None);
    let seen = ok(33, 2.0, Some(1.0));
    let until =
        |n| format!("; up to n = {n}, the time cannot be told from that of an empty program");
    assert_eq!(hidden(&[]), "");
    assert_eq!(hidden(&[seen, unseen(40)]), "");
    assert_eq!(hidden(&[unseen(10), unseen(15)]), until(15));
    assert_eq!(hidden(&[unseen(10), unseen(15), seen, unseen(40)]), until(15));
    let crashed = failed(22, Outcome::RuntimeError);
    assert_eq!(hidden(&[unseen(10), unseen(15), crashed, seen]), until(15));
}

#[test]
fn program_that_fails_is_tried_once_more() {
    let failed = |size| failed(size, Outcome::RuntimeError);
    let sizes = sizes(1_000);
    assert_eq!(next(&sizes, &[failed(10)], LIMIT_MS, AUTO_BUDGET), Ok(15));
    let end = next(&sizes, &[failed(10), failed(15)], LIMIT_MS, AUTO_BUDGET);
    assert_eq!(end, Err("the last two sizes failed, n = 15 with RUNTIME_ERROR".into()));
}
