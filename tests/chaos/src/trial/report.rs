//! The summary and the verdict, as they are printed.

use crate::failure::Failure;
use crate::journal::Lost;
use crate::model::check::{Violation, Wrong, check, count};
use crate::model::history::{Act, Answer, History};
use crate::trial::callers::Outcomes;
use std::collections::{BTreeMap, HashMap};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

/// Maximum number of runs whose history is printed.
const MAX_PRINTED: usize = 5;

/// Prints what happened.
pub(crate) fn print_counts(
    history: &History,
    outcomes: &Outcomes,
    lost: &Lost,
    faults: &BTreeMap<&'static str, u32>,
    cut: &[String],
) {
    let of = |act: fn(&Act) -> bool| history.log.iter().filter(|entry| act(&entry.act)).count();
    let endings: HashMap<&str, _> = history
        .log
        .iter()
        .filter(|entry| entry.act == Act::Ended)
        .map(|entry| (entry.run.as_str(), &entry.signed))
        .collect();
    let finished = |run: &str| endings.get(run).is_some_and(|signed| signed.is_report());
    let reports = endings.values().filter(|signed| signed.is_report()).count();
    let interrupted = endings.values().filter(|signed| signed.claim.is_empty()).count();
    println!("faults: {}", faults.values().sum::<u32>());
    for (kind, count) in faults {
        println!("  {kind:<26} {count:>6}");
    }
    let stopping = outcomes.stopping.lock().unwrap_or_else(PoisonError::into_inner);
    let forgotten = stopping.iter().filter(|run| finished(run)).count();
    let counter = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
    println!(
        "runs {}: finished {reports}, interrupted {interrupted}, cancelled {}; restarts {}",
        of(|act| *act == Act::Accepted),
        endings.len() - reports - interrupted,
        of(|act| matches!(act, Act::Restarted(_)))
    );
    println!(
        "events {}; workers were told of {}; fenced {}, leases lost {}",
        history.log.len(),
        history.told.len(),
        lost.fenced,
        lost.leases
    );
    let heard = outcomes.answers.lock().unwrap_or_else(PoisonError::into_inner).len();
    println!(
        "answers {}, heard {heard}, submitted twice {}, refused {}, failed calls {}, cancels heard \
         {}, and finished all the same {forgotten}",
        history.answers.len() - heard,
        counter(&outcomes.submitted_twice),
        counter(&outcomes.refused),
        counter(&outcomes.failed),
        counter(&outcomes.cancelled)
    );
    print_cut(history, cut);
}

/// Prints how far submissions had got whose gateway was lost within them.
fn print_cut(history: &History, cut: &[String]) {
    let accepted = history.log.iter().filter(|entry| entry.act == Act::Accepted);
    let known: HashMap<&str, &str> =
        accepted.map(|entry| (entry.run.as_str(), entry.worker.as_str())).collect();
    let of_a_worker = |run: &&String| known.get(run.as_str()).is_some_and(|it| !it.is_empty());
    println!(
        "submissions cut {}; of their runs {} were accepted, {} of them by their worker",
        cut.len(),
        cut.iter().filter(|run| known.contains_key(run.as_str())).count(),
        cut.iter().filter(of_a_worker).count()
    );
}

/// Prints which rules are broken, and fails if one is.
pub(crate) fn print_verdict(
    history: &History,
    seed: u64,
    has_settled: bool,
) -> Result<(), Failure> {
    let found = check(history);
    let counted: [(&str, &[Wrong]); 6] = [
        ("events lost", &[Wrong::Lost, Wrong::Misplaced, Wrong::NotDelivered]),
        ("events given twice", &[Wrong::GivenTwice, Wrong::StoredTwice, Wrong::Invented]),
        ("runs with two endings", &[Wrong::TwoEndings, Wrong::AfterTheEnd]),
        ("runs without an ending", &[Wrong::NoEnding, Wrong::NoLog]),
        ("jobs run more than twice", &[Wrong::BegunTooOften]),
        (
            "other rules broken",
            &[
                Wrong::Number,
                Wrong::Accepted,
                Wrong::Attempt,
                Wrong::Intruder,
                Wrong::TwoRuns,
                Wrong::Unasked,
                Wrong::NotCancelled,
            ],
        ),
    ];
    for (name, kinds) in counted {
        println!("{name:<26} {:>4}", count(&found, kinds));
    }
    let mut by_run: BTreeMap<&str, Vec<&Violation>> = BTreeMap::new();
    for violation in &found {
        by_run.entry(&violation.run).or_default().push(violation);
    }
    for (run, violations) in by_run.iter().take(MAX_PRINTED) {
        println!("{run}:");
        for violation in violations.iter().take(MAX_PRINTED) {
            println!("  {:?}: {}", violation.wrong, violation.detail);
        }
        for entry in history.log.iter().filter(|entry| entry.run == *run) {
            println!("  log {entry:?}");
        }
        for told in history.told.iter().filter(|told| told.run == *run) {
            println!("  told {told:?}");
        }
        let of = |answers: &[Answer]| answers.iter().filter(|answer| answer.run == *run).count();
        println!(
            "  asked for {} times, answered {} times; gateways were asked to stop it {} times, and \
             ended it {} times",
            of(&history.asked),
            of(&history.answers),
            history.stops.iter().filter(|stopped| *stopped == run).count(),
            history.ended.iter().filter(|ended| ended.run == *run).count()
        );
    }
    if !found.is_empty() {
        return Err(format!("{} rules are broken, with seed {seed}", found.len()).into());
    }
    if !has_settled {
        return Err(format!("not settled, with seed {seed}").into());
    }
    Ok(())
}
