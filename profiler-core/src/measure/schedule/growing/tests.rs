use super::*;
use crate::job::SizeLists;
use crate::limits::{AUTO_BUDGET, MAX_SIZE};

/// The time is not visible below this, in milliseconds.
const FLOOR_MS: f64 = 0.05;
const LIMIT_MS: f64 = 2_000.0;
const NS_PER_MS: f64 = 1e6;

/// The sizes that a schedule chose for a program, and why it stopped.
struct Grown {
    all: Vec<MeasuredSize>,
    end: String,
}

impl Grown {
    /// The sizes whose time is visible.
    fn seen(&self) -> Vec<u64> {
        self.all.iter().filter(|m| m.net_ms.is_some()).map(|m| m.size).collect()
    }
}

/// Sizes up to a bound, without corner cases.
fn sizes(n_max: u64) -> Sizes {
    let auto = SizeLists { auto: true, corner_cases: Some(Vec::new()), ..SizeLists::default() };
    let bounds = [("n".to_owned(), n_max.cast_signed())].into();
    Sizes::try_new(auto, &bounds, None).expect("a growing schedule")
}

/// Runs a schedule for a program that takes `ms` without its start-up.
fn grow(n_max: u64, ms: impl Fn(f64) -> f64) -> Grown {
    let sizes = sizes(n_max);
    let mut all = Vec::new();
    let mut unspent = AUTO_BUDGET;
    loop {
        match next(&sizes, &all, LIMIT_MS, unspent) {
            Ok(size) => {
                let ms = ms(size as f64);
                let late = ms > LIMIT_MS;
                let outcome = if late { Outcome::TimeLimit } else { Outcome::Ok };
                let net_ms = (!late && ms > FLOOR_MS).then_some(ms);
                all.push(MeasuredSize { size, outcome, net_ms });
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
    let table: [(&str, Grown, usize); 7] = [
        ("log n", grow(MAX_SIZE, ops(|n| 4_000.0 * n.max(1.0).log2())), 4),
        ("n", grow(MAX_SIZE, ops(|n| n)), 6),
        ("n log n", grow(MAX_SIZE, ops(|n| n * n.max(1.0).log2())), 6),
        ("n²", grow(MAX_SIZE, ops(|n| n * n)), 6),
        ("n³", grow(MAX_SIZE, ops(|n| n * n * n)), 6),
        ("2ⁿ", grow(MAX_SIZE, ops(f64::exp2)), 5),
        ("n!", grow(MAX_SIZE, ops(factorial)), 3),
    ];
    for (name, grown, least) in table {
        let seen = grown.seen();
        assert!(seen.len() >= least, "{name}: {seen:?}, {}", grown.end);
        assert!(grown.all.len() <= 40, "{name}: {} sizes", grown.all.len());
    }
}

#[test]
fn a_program_that_is_never_visible_ends_at_the_bound() {
    let grown = grow(1_000_000, |_| 0.0);
    assert_eq!(grown.end, "n = 1000000 is the bound");
    assert!(grown.all.len() < 20);
}

#[test]
fn the_bound_may_be_below_the_first_size() {
    let grown = grow(3, |_| 0.0);
    assert_eq!(grown.all.iter().map(|m| m.size).collect::<Vec<_>>(), [0, 1, 3]);
}

#[test]
fn no_size_starts_that_would_exceed_the_time_limit() {
    let grown = grow(MAX_SIZE, ops(|n| n * n));
    assert!(grown.all.iter().all(|m| m.outcome == Outcome::Ok));
    assert!(grown.end.ends_with("would be over the time limit"), "{}", grown.end);
}

#[test]
fn a_met_limit_ends_the_schedule() {
    let grown = grow(MAX_SIZE, |n| if n > 500.0 { 1e9 } else { 0.0 });
    assert!(grown.end.ends_with("ended with TIME_LIMIT"), "{}", grown.end);
}

#[test]
fn a_spent_budget_ends_the_schedule() {
    let slow = [(50, 900.0), (63, 1_000.0)].map(|(size, ms)| MeasuredSize {
        size,
        outcome: Outcome::Ok,
        net_ms: Some(ms),
    });
    let end = next(&sizes(1_000), &slow, LIMIT_MS, Duration::from_millis(1_500));
    assert_eq!(end, Err("the time budget is spent".into()));
}

#[test]
fn a_program_that_fails_is_tried_once_more() {
    let failed = |size| MeasuredSize { size, outcome: Outcome::RuntimeError, net_ms: None };
    let sizes = sizes(1_000);
    assert_eq!(next(&sizes, &[failed(10)], LIMIT_MS, AUTO_BUDGET), Ok(16));
    let end = next(&sizes, &[failed(10), failed(16)], LIMIT_MS, AUTO_BUDGET);
    assert_eq!(end, Err("the last two sizes failed, n = 16 with RUNTIME_ERROR".into()));
}
