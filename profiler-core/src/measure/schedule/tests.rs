use super::*;
use crate::figures::RuntimeClock;
use crate::job::Point;
use crate::report::Verdict;
use profiler_proto::v1;
use runner_protocol::Sample;

/// The time of an empty program, in milliseconds.
const START_UP_MS: u64 = 1;

fn runs(ms: u64) -> [Sample; 5] {
    [Sample { wall_ns: ms * 1_000_000, ..Sample::default() }; 5]
}

/// A size whose run took `ms`.
fn took(size: u64, ms: u64) -> MeasuredSize {
    let mut result = MeasuredSize {
        verdict: Verdict { outcome: Outcome::Ok, ..Verdict::not_run() },
        samples: runs(ms).into(),
        ..MeasuredSize::not_run(Point { size, candidate: 0 })
    };
    result.settle(RuntimeClock::Wall, &runs(START_UP_MS));
    result
}

fn crashed(size: u64) -> MeasuredSize {
    let verdict = Verdict { outcome: Outcome::RuntimeError, ..Verdict::not_run() };
    MeasuredSize::never_started(Point { size, candidate: 0 }, verdict)
}

/// Sizes that grow up to 1000.
fn growing() -> Sizes {
    let input_bounds = [("n".to_owned(), 1_000)].into();
    let schedule = v1::Schedule::Auto.into();
    let request = v1::Job { input_bounds, schedule, ..v1::Job::default() };
    Sizes::try_new(&request).expect("sizes")
}

/// The size after `results`. It is 11 after 10 if a time is visible, and 15 otherwise.
fn next(results: &[MeasuredSize]) -> Option<u64> {
    Schedule::over(&growing(), Duration::from_secs(2)).next(results, AUTO_BUDGET)
}

#[test]
fn floor_is_the_time_at_0_and_1() {
    assert_eq!(next(&[took(0, 4), took(1, 4), took(10, 5)]), Some(15), "5 ms are above 1 ms");
    assert_eq!(next(&[took(0, 4), took(1, 4), took(10, 7)]), Some(11));
    assert_eq!(next(&[took(0, 4), took(1, 7), took(10, 7)]), Some(15), "the longer of both");
}

#[test]
fn disturbed_floor_is_that_of_a_quicker_size() {
    let disturbed = [took(0, 40), took(1, 4), took(10, 4)];
    assert_eq!(next(&disturbed), Some(15));
    let [zero, one, ten] = disturbed;
    assert_eq!(next(&[zero, one, ten, took(15, 7)]), Some(16), "15 is visible");
}

#[test]
fn size_that_failed_is_no_floor() {
    assert_eq!(next(&[crashed(0), took(1, 4), took(10, 5)]), Some(15));
    assert_eq!(next(&[crashed(0), crashed(1), took(10, 5)]), Some(11), "the start-up is");
}

#[test]
fn ten_milliseconds_are_visible_above_every_floor() {
    assert_eq!(next(&[took(0, 300), took(1, 300), took(10, 309)]), Some(15));
    assert_eq!(next(&[took(0, 300), took(1, 300), took(10, 311)]), Some(11));
}

/// A quarter of the first run pays for repetitions, and the budget for the rest.
#[test]
fn repetitions_of_a_brief_job_spend_its_budget() {
    let sizes = growing();
    let over = Schedule::over(&sizes, Duration::from_secs(2));
    let mut schedule = Schedule { brief: Some(BRIEF_BUDGET), ..over };
    let [warm_up, ..] = runs(40);
    let repeated = MeasuredSize { warm_up: Some(warm_up), ..took(10, 4) };
    schedule.spend(&repeated);
    let left = BRIEF_BUDGET.saturating_sub(Duration::from_millis(5 * 4 - 40 / 4));
    let each = left / u32::try_from(GROWN_SIZES).unwrap();
    assert_eq!(schedule.share(0, Duration::ZERO), each);
    schedule.spend(&MeasuredSize { samples: vec![warm_up], ..repeated });
    assert_eq!(schedule.share(0, Duration::ZERO), each, "a single run is no repetition");
}
