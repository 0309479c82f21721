use super::*;
use crate::config::Config;
use crate::runs::Taken;
use std::time::Duration;

const CALLER: &str = "a";
/// A number of places that one caller would take, if it could.
const MANY: usize = 64;

fn queue(max_queued: usize) -> FairQueue<char> {
    FairQueue::new(1, max_queued, Quota::default())
}

fn enter(queue: &mut FairQueue<char>, caller: &str, run: char) -> watch::Receiver<u32> {
    let reservation = queue.reserve(caller, 0, true).unwrap();
    let position = reservation.queue_position();
    queue.enter(run, reservation);
    position
}

fn order(queue: &FairQueue<char>) -> String {
    queue.iter().collect()
}

#[test]
fn first_runs_at_once() {
    assert_eq!(*enter(&mut queue(1), CALLER, 'a').borrow(), 0);
}

#[test]
fn second_waits_for_one() {
    let mut queue = queue(1);
    enter(&mut queue, CALLER, 'a');
    assert_eq!(*enter(&mut queue, CALLER, 'b').borrow(), 1);
}

#[test]
fn full_queue_refuses_and_says_how_many_wait() {
    let mut queue = queue(1);
    enter(&mut queue, CALLER, 'a');
    enter(&mut queue, CALLER, 'b');
    assert_eq!(
        queue.reserve("b", 0, true).unwrap_err(),
        Refusal::QueueFull { waiting: 1, most: 1 }
    );
}

#[test]
fn last_position_is_reserved_for_another_caller() {
    let mut queue = queue(2);
    enter(&mut queue, CALLER, 'a');
    enter(&mut queue, CALLER, 'b');
    assert_eq!(
        queue.reserve(CALLER, 0, true).unwrap_err(),
        Refusal::QueueFull { waiting: 1, most: 2 }
    );
    assert!(queue.reserve("b", 0, true).is_ok());
}

#[test]
fn queue_can_be_full_of_bytes() {
    let mut queue = queue(9);
    let reservation = queue.reserve(CALLER, MAX_BYTES - 2 * RUN_BYTES, true).unwrap();
    queue.enter('a', reservation);
    assert_eq!(
        queue.reserve("b", 1, true).unwrap_err(),
        Refusal::QueueFull { waiting: 0, most: 9 }
    );
    assert!(queue.reserve("b", 0, true).is_ok());
}

#[test]
fn job_that_is_larger_than_the_room_is_accepted_alone() {
    assert!(queue(9).reserve(CALLER, 2 * MAX_BYTES, true).is_ok());
}

#[test]
fn bytes_of_one_caller_leave_room_for_another() {
    let mut queue = queue(64);
    let large = MAX_BYTES / 16;
    let accepted = (0..16).take_while(|_| match queue.reserve(CALLER, large, true) {
        Ok(reservation) => {
            queue.enter('a', reservation);
            true
        }
        Err(_) => false,
    });
    assert_eq!(accepted.count(), 11);
    assert!(queue.reserve("b", large, true).is_ok());
}

#[test]
fn thousand_runs_of_one_caller_fit_and_another_is_served_next() {
    let mut queue = queue(Config::default().max_queued);
    for _ in 0..1000 {
        enter(&mut queue, CALLER, 'a');
    }
    let other = enter(&mut queue, "b", 'b');
    assert_eq!(*other.borrow(), 1);
    queue.remove(|&run| run == 'a');
    assert_eq!(*other.borrow(), 0);
}

#[test]
fn caller_with_many_runs_leaves_places_for_the_others() {
    let mut queue = queue(MANY);
    let mut fill = |caller| {
        (0..MANY)
            .take_while(|_| match queue.reserve(caller, 0, true) {
                Ok(reservation) => {
                    queue.enter('a', reservation);
                    true
                }
                Err(_) => false,
            })
            .count()
    };
    // One of them runs.
    assert_eq!(fill(CALLER), 1 + MANY * 3 / 4);
    assert_eq!(fill("b"), MANY * 3 / 16);
}

#[test]
fn first_to_come_moves_up_first() {
    let mut queue = queue(3);
    enter(&mut queue, CALLER, 'a');
    let positions = [enter(&mut queue, CALLER, 'b'), enter(&mut queue, CALLER, 'c')];
    queue.remove(|&run| run == 'a');
    assert_eq!(positions.map(|position| *position.borrow()), [0, 1]);
}

#[test]
fn removed_run_makes_room() {
    let mut queue = queue(1);
    enter(&mut queue, CALLER, 'a');
    enter(&mut queue, CALLER, 'b');
    queue.remove(|&run| run == 'b');
    assert_eq!(*enter(&mut queue, CALLER, 'c').borrow(), 1);
}

#[test]
fn callers_take_turns() {
    let mut queue = queue(9);
    "abcde".chars().for_each(|run| drop(enter(&mut queue, "many", run)));
    enter(&mut queue, "few", 'X');
    enter(&mut queue, "few", 'Y');
    assert_eq!(order(&queue), "aXbYcde");
}

#[test]
fn overtaken_run_learns_its_new_position() {
    let mut queue = queue(9);
    let [_, _, third] = ['a', 'b', 'c'].map(|run| enter(&mut queue, "many", run));
    enter(&mut queue, "few", 'X');
    assert_eq!(*third.borrow(), 3);
}

#[test]
fn caller_that_had_its_turn_queues_after_those_that_did_not() {
    let mut queue = queue(9);
    "abc".chars().for_each(|run| drop(enter(&mut queue, "many", run)));
    enter(&mut queue, "few", 'X');
    queue.remove(|&run| run == 'a');
    queue.remove(|&run| run == 'b');
    enter(&mut queue, "few", 'Y');
    assert_eq!(order(&queue), "XcY");
}

#[tokio::test(start_paused = true)]
async fn caller_with_long_runs_waits_for_one_with_short_ones() {
    let mut queue = queue(9);
    "abc".chars().for_each(|run| drop(enter(&mut queue, "long", run)));
    "XYZ".chars().for_each(|run| drop(enter(&mut queue, "short", run)));
    tokio::time::advance(Duration::from_secs(10)).await;
    queue.remove(|&run| run == 'a');
    tokio::time::advance(Duration::from_secs(1)).await;
    queue.remove(|&run| run == 'X');
    assert_eq!(order(&queue), "YZbc");
}

fn told(may_build: &watch::Receiver<bool>) -> bool {
    *may_build.borrow()
}

/// Enters a run of a caller of its own, which is brief or not. Returns whether it may build.
fn enter_one(queue: &mut FairQueue<char>, run: char, is_brief: bool) -> watch::Receiver<bool> {
    let reservation = queue.reserve(&run.to_string(), 0, is_brief).unwrap();
    let may_build = reservation.may_build();
    queue.enter(run, reservation);
    may_build
}

#[test]
fn next_run_builds_while_a_brief_one_runs() {
    let mut queue = queue(9);
    let builds = ['a', 'b', 'c'].map(|run| enter_one(&mut queue, run, true));
    assert_eq!(builds.each_ref().map(told), [true, true, false]);
    queue.remove(|&run| run == 'a');
    assert_eq!(builds.each_ref().map(told), [true, true, true]);
}

#[test]
fn no_run_builds_while_a_precise_one_runs() {
    let mut queue = queue(9);
    let builds = [('a', false), ('b', true)].map(|(run, is)| enter_one(&mut queue, run, is));
    assert_eq!(builds.each_ref().map(told), [true, false]);
    queue.remove(|&run| run == 'a');
    assert!(told(&builds[1]));
}

#[test]
fn no_run_builds_that_may_still_do_so_beside_a_precise_one() {
    let mut queue = queue(9);
    let builds = [('a', true), ('b', false), ('c', true)]
        .map(|(run, is_brief)| enter_one(&mut queue, run, is_brief));
    assert_eq!(builds.each_ref().map(told), [true, false, false]);
}

#[test]
fn overtaking_run_does_not_build_beside_the_overtaken_one() {
    let mut queue = queue(9);
    let reserve = |queue: &mut FairQueue<char>, run| {
        let reservation = queue.reserve("many", 0, true).unwrap();
        let may_build = reservation.may_build();
        queue.enter(run, reservation);
        may_build
    };
    let _ = reserve(&mut queue, 'a');
    let overtaken = reserve(&mut queue, 'b');
    let overtaking = enter_one(&mut queue, 'X', true);
    assert_eq!(order(&queue), "aXb");
    assert_eq!([&overtaken, &overtaking].map(told), [true, false]);
}

fn limited(quota: Quota) -> FairQueue<char> {
    FairQueue::new(1, 9, quota)
}

#[test]
fn caller_has_only_so_many_live_runs() {
    let mut queue = limited(Quota { live_runs: Some(2), ..Quota::default() });
    enter(&mut queue, CALLER, 'a');
    enter(&mut queue, CALLER, 'b');
    let refused = queue.reserve(CALLER, 0, true).unwrap_err();
    assert_eq!(refused, Refusal::Quota(Taken::LiveRuns(2)));
    assert!(queue.reserve("b", 0, true).is_ok());
    queue.remove(|&run| run == 'b');
    assert!(queue.reserve(CALLER, 0, true).is_ok());
}

#[test]
fn caller_has_only_so_many_waiting_runs() {
    let mut queue = limited(Quota { queued_runs: Some(1), ..Quota::default() });
    enter(&mut queue, CALLER, 'a');
    enter(&mut queue, CALLER, 'b');
    let refused = queue.reserve(CALLER, 0, true).unwrap_err();
    assert_eq!(refused, Refusal::Quota(Taken::QueuedRuns(1)));
    assert!(queue.reserve("b", 0, true).is_ok());
}

#[tokio::test(start_paused = true)]
async fn caller_has_only_so_many_seconds_an_hour() {
    let mut queue = limited(Quota { hour_sec: Some(60.0), ..Quota::default() });
    enter(&mut queue, CALLER, 'a');
    tokio::time::advance(Duration::from_secs(59)).await;
    assert!(queue.reserve(CALLER, 0, true).is_ok());
    tokio::time::advance(Duration::from_secs(1)).await;
    assert!(queue.reserve(CALLER, 0, true).is_err(), "what runs counts");
    queue.remove(|&run| run == 'a');
    let Err(Refusal::Quota(Taken::Hour { after, .. })) = queue.reserve(CALLER, 0, true) else {
        panic!("accepted")
    };
    assert!(queue.reserve("b", 0, true).is_ok());
    tokio::time::advance(after).await;
    assert!(queue.reserve(CALLER, 0, true).is_ok());
}

#[tokio::test(start_paused = true)]
async fn build_ahead_counts_if_the_run_gets_no_turn() {
    for builds_for in [59, 60] {
        let mut queue = limited(Quota { hour_sec: Some(60.0), ..Quota::default() });
        enter(&mut queue, "b", 'a');
        let reservation = queue.reserve(CALLER, 0, true).unwrap();
        let built = reservation.built();
        queue.enter('b', reservation);
        tokio::time::advance(Duration::from_secs(builds_for)).await;
        built.set(Instant::now()).unwrap();
        tokio::time::advance(Duration::from_secs(60)).await;
        assert!(queue.reserve(CALLER, 0, true).is_ok(), "it has had no turn");
        queue.remove(|&run| run == 'b');
        assert_eq!(queue.reserve(CALLER, 0, true).is_ok(), builds_for < 60);
    }
}

/// Returns the runs whose turn has come and that are not measured yet.
fn turns(queue: &FairQueue<char>) -> String {
    queue.running.iter().filter(|entry| !entry.is_measured).map(|entry| entry.run).collect()
}

#[test]
fn measured_run_passes_its_turn_on_to_a_brief_one() {
    let mut queue = queue(9);
    "abc".chars().for_each(|run| drop(enter_one(&mut queue, run, true)));
    queue.pass_on(|&run| run == 'a');
    assert_eq!(turns(&queue), "b");
    queue.pass_on(|&run| run == 'b');
    assert_eq!(turns(&queue), "", "two measured runs have not ended");
    queue.remove(|&run| run == 'a');
    assert_eq!((turns(&queue), order(&queue)), ("c".into(), "bc".into()));
}

#[test]
fn precise_run_has_its_turn_beside_no_other() {
    let mut queue = queue(9);
    for (run, is_brief) in [('a', true), ('b', false), ('c', true)] {
        enter_one(&mut queue, run, is_brief);
    }
    queue.pass_on(|&run| run == 'a');
    assert_eq!(turns(&queue), "");
    queue.remove(|&run| run == 'a');
    queue.pass_on(|&run| run == 'b');
    assert_eq!(turns(&queue), "b");
}

#[test]
fn brief_run_waits_behind_a_precise_one() {
    let mut queue = limited(Quota { queued_runs: Some(1), ..Quota::default() });
    for (run, is_brief) in [('a', true), ('b', false)] {
        let reservation = queue.reserve(CALLER, 0, is_brief).unwrap();
        queue.enter(run, reservation);
    }
    queue.pass_on(|&run| run == 'a');
    let refused = queue.reserve(CALLER, 0, true).unwrap_err();
    assert_eq!(refused, Refusal::Quota(Taken::QueuedRuns(1)));
    let reserved = queue.reserve("b", 0, true).unwrap();
    assert_ne!(*reserved.queue_position().borrow(), 0, "it must not begin before it enters");
}

#[tokio::test(start_paused = true)]
async fn caller_is_charged_until_a_measured_run_ends() {
    let mut queue = limited(Quota { hour_sec: Some(60.0), ..Quota::default() });
    enter_one(&mut queue, 'a', true);
    tokio::time::advance(Duration::from_secs(1)).await;
    queue.pass_on(|_| true);
    tokio::time::advance(Duration::from_secs(59)).await;
    assert!(queue.reserve("a", 0, true).is_err(), "it runs on");
    queue.remove(|_| true);
    assert!(queue.reserve("a", 0, true).is_err());
}
