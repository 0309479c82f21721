use super::*;
use crate::figures::{Figures, RuntimeClock};
use crate::job::{Point, SizeLists};
use runner_protocol::Sample;

/// A size that took so long, five times.
fn took(size: u64, candidate: u32, ms: u64) -> SizeResult {
    let sample = Sample { wall_ns: ms * 1_000_000, ..Sample::default() };
    SizeResult {
        outcome: Outcome::Ok,
        figures: Figures::from_samples(&[sample; 5], RuntimeClock::Wall),
        ..SizeResult::not_run(Point { size, candidate })
    }
}

fn sizes(lists: SizeLists) -> Sizes {
    Sizes::try_new(lists, &[("n".to_owned(), 1_000)].into(), None).expect("sizes")
}

/// What joins the report after each result: 2 ms at the corner cases, then `ms`.
fn settled(sizes: &Sizes, candidates: u32, ms: &[u64], unspent: Duration) -> Vec<Range<usize>> {
    let mut schedule = Schedule { candidates, ..Schedule::over(sizes, Duration::from_secs(2)) };
    let points = (0..).flat_map(|size| (0..candidates).map(move |candidate| (size, candidate)));
    let times = vec![2; 2 * candidates as usize].into_iter().chain(ms.iter().copied());
    let results: Vec<_> = points.zip(times).map(|((n, it), ms)| took(n, it, ms)).collect();
    let mut joined: Vec<_> =
        (1..=results.len()).map(|count| schedule.settle(&results[..count], unspent)).collect();
    joined.push(schedule.rest(results.len()));
    joined
}

fn growing() -> Sizes {
    sizes(SizeLists { auto: true, ..SizeLists::default() })
}

#[test]
fn sizes_of_a_list_join_at_once() {
    let list = sizes(SizeLists { exact: vec![0, 1, 2], ..SizeLists::default() });
    assert_eq!(settled(&list, 1, &[2], AUTO_BUDGET), [0..1, 1..2, 2..3, 3..3]);
}

#[test]
fn chosen_sizes_wait_for_two_that_are_visible() {
    let joined = settled(&growing(), 1, &[2, 4, 2, 5, 9, 9], AUTO_BUDGET);
    assert_eq!(joined, [0..1, 1..2, 2..2, 2..2, 2..2, 2..2, 5..7, 7..8, 8..8]);
}

#[test]
fn if_no_two_are_visible_all_join_at_the_end() {
    assert_eq!(
        settled(&growing(), 1, &[2, 2, 9], AUTO_BUDGET),
        [0..1, 1..2, 2..2, 2..2, 2..2, 2..5]
    );
}

#[test]
fn sizes_do_not_wait_for_long() {
    let unspent = AUTO_BUDGET.saturating_sub(MAX_WAIT + Duration::from_millis(1));
    assert_eq!(settled(&growing(), 1, &[2, 2], unspent), [0..1, 1..2, 2..3, 3..4, 4..4]);
}

#[test]
fn sizes_before_the_visible_ones_are_kept_if_few_are_to_come() {
    let lists = SizeLists { auto: true, ..SizeLists::default() };
    let up_to_seven = Sizes::try_new(lists, &[("n".to_owned(), 7)].into(), None).expect("sizes");
    let joined = settled(&up_to_seven, 1, &[2, 2, 2, 9, 9], AUTO_BUDGET);
    assert_eq!(joined[5..], [2..2, 3..7, 7..7], "3, 4, 5, 6, and 7 is to come");
}

#[test]
fn a_size_whose_time_is_not_visible_gets_little_time() {
    let sizes = growing();
    let mut schedule = Schedule::over(&sizes, Duration::from_secs(2));
    let shares = |schedule: &Schedule<'_>, last: u64| {
        let results = [took(0, 0, 2), took(1, 0, 2), took(10, 0, last)];
        [0, 2, 3].map(|count| schedule.share(&results[..count], AUTO_BUDGET))
    };
    assert_eq!(shares(&schedule, 2), [SHARE, UNSEEN_SHARE, UNSEEN_SHARE]);
    assert_eq!(shares(&schedule, 9), [SHARE, UNSEEN_SHARE, SHARE]);
    schedule.begun = true;
    assert_eq!(shares(&schedule, 2), [SHARE; 3]);
}

/// The slower candidate decides, and a size is visible when all of its candidates ran.
#[test]
fn a_size_joins_with_all_candidates() {
    let joined = settled(&growing(), 2, &[2, 2, 2, 5, 9, 2], AUTO_BUDGET * 2);
    assert_eq!(joined[3..], [3..4, 4..4, 4..4, 4..4, 4..4, 4..4, 6..10, 10..10]);
}
