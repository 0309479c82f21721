//! Histories made by hand: a right one, and each way in which one can be wrong.

use crate::model::check::{Wrong, check};
use crate::model::history::{Act, Answer, EndedBy, Entry, History, Signature, Told};

fn signature(claim: &str, step: u64) -> Signature {
    Signature { claim: claim.into(), step }
}

/// A run whose first worker is lost, and that ends at the second.
fn right() -> History {
    let story = [
        (Act::Accepted, "", signature("", 0)),
        (Act::Started(1), "one", signature("", 0)),
        (Act::Step, "one", signature("a", 1)),
        (Act::Restarted(2), "two", signature("", 0)),
        (Act::Step, "two", signature("b", 1)),
        (Act::Ended, "two", signature("b", Signature::REPORT)),
    ];
    let log: Vec<Entry> = (1_u64..)
        .zip(story)
        .map(|(number, (act, worker, signed))| Entry {
            // Claims of request IDs lie in between.
            position: number * 10,
            run: "run".into(),
            number,
            act,
            worker: worker.into(),
            signed,
            request: if number == 1 { "request".into() } else { String::new() },
            hash: number,
        })
        .collect();
    let told = log.iter().filter(|entry| entry.act == Act::Step).map(|entry| Told {
        run: "run".into(),
        number: entry.number,
        position: entry.position,
        signed: entry.signed.clone(),
    });
    let answer = Answer { request: "request".into(), run: "run".into() };
    History {
        told: told.collect(),
        begun: vec!["run".into(), "run".into()],
        delivered: vec![log.clone(), log.clone()],
        answers: vec![answer.clone(), answer.clone()],
        asked: vec![answer],
        log,
        ..History::default()
    }
}

/// The kinds of violations, each once, of the right history after a change.
fn after(change: impl FnOnce(&mut History)) -> Vec<Wrong> {
    let mut history = right();
    change(&mut history);
    kinds(&history)
}

/// Variant of [`after`] for a change of the log that both gateways delivered as it is.
fn after_log(change: impl FnOnce(&mut Vec<Entry>)) -> Vec<Wrong> {
    let mut history = right();
    change(&mut history.log);
    history.delivered = vec![history.log.clone(); 2];
    kinds(&history)
}

fn kinds(history: &History) -> Vec<Wrong> {
    let mut kinds: Vec<_> = check(history).into_iter().map(|violation| violation.wrong).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

/// Adds an event at the end of the log.
fn append(log: &mut Vec<Entry>, act: Act, worker: &str, signed: Signature) {
    let mut entry = log[log.len() - 1].clone();
    (entry.act, entry.worker, entry.signed) = (act, worker.into(), signed);
    (entry.position, entry.number) = (entry.position + 10, entry.number + 1);
    log.push(entry);
}

#[test]
fn right_history_has_no_violation() {
    assert_eq!(check(&right()), []);
}

/// Variant of [`after_log`] for a run that a gateway ends instead of its second worker.
fn after_cancel(change: impl FnOnce(&mut History)) -> Vec<Wrong> {
    let mut history = right();
    history.log.truncate(4);
    history.told.truncate(1);
    append(&mut history.log, Act::Ended, "", signature("gateway", 1));
    history.delivered = vec![history.log.clone(); 2];
    history.stops.push("run".into());
    change(&mut history);
    kinds(&history)
}

#[test]
fn gateway_may_end_a_run() {
    let ended = |claim: &str| EndedBy { run: "run".into(), claim: claim.into() };
    assert_eq!(after_cancel(|_| {}), []);
    assert_eq!(after_cancel(|history| history.ended.push(ended("gateway"))), []);
    assert_eq!(after_cancel(|history| history.ended.push(ended("another"))), [Wrong::Lost]);
    assert_eq!(after(|history| history.ended.push(ended("gateway"))), [Wrong::Lost]);
}

#[test]
fn run_ended_unasked_is_wrong() {
    assert_eq!(after_cancel(|history| history.stops.clear()), [Wrong::NotCancelled]);
    let worker = |log: &mut Vec<Entry>| log[5].signed = signature("b", 10);
    assert_eq!(after_log(worker), [Wrong::NotCancelled]);
}

#[test]
fn submission_that_was_cut_may_have_a_run_or_not() {
    let cut = |run: &str, request: &str| Answer { request: request.into(), run: run.into() };
    let without_answer = |history: &mut History| history.answers.clear();
    assert_eq!(after(without_answer), []);
    assert_eq!(after(|history| history.asked.push(cut("second", "request"))), []);
    assert_eq!(after(|history| history.asked.push(cut("third", ""))), []);
    // What it began must still come to an end.
    let begun = |history: &mut History| {
        history.answers.clear();
        history.log.truncate(1);
        history.delivered = vec![history.log.clone(); 2];
        history.told.clear();
    };
    assert_eq!(after(begun), [Wrong::NoEnding]);
}

#[test]
fn every_run_was_asked_for() {
    assert_eq!(after(|history| history.asked.clear()), [Wrong::Unasked]);
    let of_another = |history: &mut History| history.asked[0].request = "another".into();
    assert_eq!(after(of_another), [Wrong::Unasked]);
    // A gateway answers a request with the run of another.
    let mixed = |history: &mut History| history.answers[1].request = "another".into();
    assert_eq!(after(mixed), [Wrong::Unasked]);
}

#[test]
fn gateway_that_is_started_again_leaves_nothing_out() {
    // It goes on one event too late, or one too early.
    assert_eq!(after(|history| drop(history.delivered[0].remove(2))), [Wrong::NotDelivered]);
    let early = |history: &mut History| {
        let again = history.delivered[0][2].clone();
        history.delivered[0].insert(3, again);
    };
    assert_eq!(after(early), [Wrong::GivenTwice]);
}

#[test]
fn run_may_be_interrupted_by_who_finds_it_begun_too_often() {
    let interrupted = |log: &mut Vec<Entry>| {
        log[5].worker = "three".into();
        log[5].signed = signature("", 0);
    };
    assert_eq!(after_log(interrupted), []);
}

#[test]
fn numbers_have_no_gaps() {
    assert_eq!(after_log(|log| log[5].number = 7), [Wrong::Number]);
    assert_eq!(after_log(|log| log[5].number = 5), [Wrong::Number]);
}

#[test]
fn accepted_is_first_and_alone() {
    assert!(after_log(|log| log[0].act = Act::Step).contains(&Wrong::Accepted));
    let again = |log: &mut Vec<Entry>| {
        (log[4].act, log[4].request) = (Act::Accepted, "request".into());
    };
    assert_eq!(after_log(again), [Wrong::Accepted]);
}

#[test]
fn attempts_rise_by_one() {
    assert_eq!(after_log(|log| log[3].act = Act::Restarted(3)), [Wrong::Attempt]);
    assert_eq!(after_log(|log| log[3].act = Act::Started(2)), [Wrong::Attempt]);
    assert_eq!(after_log(|log| log[1].act = Act::Restarted(1)), [Wrong::Attempt]);
    let without_start = |log: &mut Vec<Entry>| {
        log.remove(1);
        log.iter_mut().skip(1).for_each(|entry| entry.number -= 1);
    };
    assert!(after_log(without_start).contains(&Wrong::Attempt));
}

#[test]
fn event_in_anothers_attempt_is_wrong() {
    // The first worker, after the second began.
    let zombie = |log: &mut Vec<Entry>| {
        log[4].worker = "one".into();
        log[4].signed = signature("a", 2);
    };
    assert!(after_log(zombie).contains(&Wrong::Intruder));
    // An earlier claim of the same worker.
    let same_worker = |log: &mut Vec<Entry>| {
        log[1].worker = "two".into();
        log[2].worker = "two".into();
        log[4].signed = signature("a", 2);
    };
    assert!(after_log(same_worker).contains(&Wrong::Intruder));
    // Two claims in one attempt.
    let claim = signature("c", Signature::REPORT);
    assert_eq!(after_log(|log| log[5].signed = claim), [Wrong::Intruder]);
}

#[test]
fn event_after_the_end_is_wrong() {
    let step = |log: &mut Vec<Entry>| append(log, Act::Step, "two", signature("b", 3));
    assert_eq!(after_log(step), [Wrong::AfterTheEnd]);
    let ending = |log: &mut Vec<Entry>| append(log, Act::Ended, "three", signature("", 0));
    assert_eq!(after_log(ending), [Wrong::TwoEndings]);
    let gateway = |history: &mut History| {
        append(&mut history.log, Act::Ended, "", signature("gateway", 1));
        history.delivered = vec![history.log.clone(); 2];
        history.stops.push("run".into());
    };
    assert_eq!(after(gateway), [Wrong::TwoEndings]);
}

#[test]
fn every_run_ends() {
    let open = |log: &mut Vec<Entry>| drop(log.pop());
    assert_eq!(after_log(open), [Wrong::NoEnding]);
}

#[test]
fn run_begins_twice_at_most() {
    assert_eq!(after(|history| history.begun.push("run".into())), [Wrong::BegunTooOften]);
    let third = |log: &mut Vec<Entry>| {
        log.pop();
        append(log, Act::Restarted(3), "three", signature("", 0));
        append(log, Act::Ended, "three", signature("c", Signature::REPORT));
    };
    assert_eq!(after_log(third), [Wrong::BegunTooOften]);
}

#[test]
fn event_told_to_a_worker_is_stored() {
    let lost = |history: &mut History| history.told[1].signed = signature("b", 8);
    assert_eq!(after(lost), [Wrong::Lost]);
    assert_eq!(after(|history| history.told[1].position = 60), [Wrong::Misplaced]);
    assert_eq!(after(|history| history.told[1].number = 6), [Wrong::Misplaced]);
}

#[test]
fn event_is_stored_once() {
    let twice = |log: &mut Vec<Entry>| {
        let again = log[4].signed.clone();
        log.insert(5, Entry { position: 55, number: 6, ..log[4].clone() });
        (log[5].signed, log[6].number) = (again, 7);
    };
    assert_eq!(after_log(twice), [Wrong::StoredTwice]);
}

#[test]
fn gateway_delivers_each_event_once_and_in_order() {
    let twice = |history: &mut History| {
        let again = history.delivered[1][3].clone();
        history.delivered[1].insert(4, again);
    };
    assert_eq!(after(twice), [Wrong::GivenTwice]);
    assert_eq!(after(|history| history.delivered[0].swap(2, 3)), [Wrong::GivenTwice]);
    assert_eq!(after(|history| drop(history.delivered[0].remove(3))), [Wrong::NotDelivered]);
    assert_eq!(after(|history| history.delivered[0][3].hash = 99), [Wrong::Invented]);
    assert_eq!(after(|history| history.delivered[0][5].position = 70).len(), 2);
}

#[test]
fn accepted_run_has_a_log() {
    let unknown = Answer { request: String::new(), run: "unknown".into() };
    let answered = |history: &mut History| {
        history.asked.push(unknown.clone());
        history.answers.push(unknown);
    };
    assert_eq!(after(answered), [Wrong::NoLog]);
}

#[test]
fn request_has_one_run() {
    let second = |history: &mut History| {
        let mut log = right().log;
        for entry in &mut log {
            entry.run = "second".into();
            entry.position += 100;
        }
        history.log.extend(log);
        history.asked.push(Answer { request: "request".into(), run: "second".into() });
        history.delivered = vec![history.log.clone(); 2];
    };
    assert_eq!(after(second), [Wrong::TwoRuns]);
}
