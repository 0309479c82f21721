//! The rules.

use crate::model::history::{Act, Entry, History};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Maximum number of times that a run begins.
const MAX_ATTEMPTS: usize = 2;

/// A rule, by the way in which it is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wrong {
    /// A number is left out or given again.
    Number,
    /// The first event is not `accepted`, or another one is.
    Accepted,
    /// An attempt has the wrong number, or something was done before the first.
    Attempt,
    /// Somebody wrote into an attempt that is not theirs.
    Intruder,
    /// Something comes after the last event.
    AfterTheEnd,
    TwoEndings,
    NoEnding,
    /// A run began more often than it may.
    BegunTooOften,
    /// An event that its writer heard to be stored is not there.
    Lost,
    /// The event is there, but not where its writer was told.
    Misplaced,
    /// One event is stored twice.
    StoredTwice,
    /// A gateway delivered an event twice, or an earlier one after a later one.
    GivenTwice,
    /// A gateway delivered what the log does not have.
    Invented,
    /// A gateway left an event out.
    NotDelivered,
    /// A submission was answered with a run that has no log.
    NoLog,
    /// One request ID has several runs.
    TwoRuns,
    /// A run is in the log, or was answered, that nobody asked for by this request ID.
    Unasked,
    /// A run was cancelled, and nobody asked for that.
    NotCancelled,
}

/// A rule that a history breaks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Violation {
    pub(crate) wrong: Wrong,
    /// The run, if it is one's.
    pub(crate) run: String,
    pub(crate) detail: String,
}

/// Every violation.
pub(crate) fn check(history: &History) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut runs: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for entry in &history.log {
        runs.entry(&entry.run).or_default().push(entry);
    }
    for (run, entries) in &runs {
        let wrong = of_a_run(entries).into_iter();
        found.extend(wrong.map(|(wrong, detail)| violation(wrong, run, detail)));
    }
    check_workers(history, &mut found);
    for (gateway, delivered) in history.delivered.iter().enumerate() {
        check_delivered(gateway, delivered, &history.log, &mut found);
    }
    check_answers(history, &runs, &mut found);
    check_asked(history, &mut found);
    check_cancels(history, &mut found);
    found
}

/// The number of violations of these kinds.
pub(crate) fn count(violations: &[Violation], of: &[Wrong]) -> usize {
    violations.iter().filter(|violation| of.contains(&violation.wrong)).count()
}

fn violation(wrong: Wrong, run: &str, detail: impl Into<String>) -> Violation {
    Violation { wrong, run: run.to_owned(), detail: detail.into() }
}

/// The rules for one log.
fn of_a_run(entries: &[&Entry]) -> Vec<(Wrong, String)> {
    let mut found = Vec::new();
    let (mut attempts, mut endings) = (0_u32, 0);
    // Whose the current attempt is: the claim is known by its first step.
    let (mut worker, mut claim): (&str, Option<&str>) = ("", None);
    let mut earlier_claims: HashSet<&str> = HashSet::new();
    for (before, entry) in (0_u64..).zip(entries) {
        let mut say = |wrong, detail: String| found.push((wrong, format!("{detail}: {entry:?}")));
        if entry.number != before + 1 {
            say(Wrong::Number, format!("number {} is due", before + 1));
        }
        if (entry.act == Act::Accepted) != (before == 0) {
            say(Wrong::Accepted, "accepted is the first event and no other".into());
        }
        if endings > 0 {
            let is_ending = entry.act == Act::Ended;
            say(
                if is_ending { Wrong::TwoEndings } else { Wrong::AfterTheEnd },
                "it had ended".into(),
            );
        }
        match entry.act {
            Act::Accepted => {}
            Act::Started(attempt) | Act::Restarted(attempt) => {
                let is_first = matches!(entry.act, Act::Started(_));
                if attempt != attempts + 1 || is_first != (attempt == 1) {
                    say(Wrong::Attempt, format!("attempt {} is due", attempts + 1));
                }
                attempts += 1;
                earlier_claims.extend(claim.take());
                worker = &entry.worker;
            }
            // A gateway ends a run that nobody measures or whose worker is silent.
            Act::Ended if entry.worker.is_empty() => endings += 1,
            Act::Step | Act::Ended => {
                if entry.act == Act::Ended {
                    endings += 1;
                }
                let own = entry.signed.claim.as_str();
                if attempts == 0 {
                    say(Wrong::Attempt, "nobody has begun it".into());
                } else if own.is_empty() {
                    // The crate ended it after the last attempt.
                } else if entry.worker != worker
                    || earlier_claims.contains(own)
                    || claim.is_some_and(|claim| claim != own)
                {
                    say(Wrong::Intruder, format!("the attempt is that of {worker}"));
                } else {
                    claim = Some(own);
                }
            }
        }
    }
    if endings == 0 {
        found.push((Wrong::NoEnding, format!("{} events", entries.len())));
    }
    if attempts as usize > MAX_ATTEMPTS {
        found.push((Wrong::BegunTooOften, format!("{attempts} attempts in the log")));
    }
    found
}

/// Checks against the log what workers were told and what they began.
fn check_workers(history: &History, found: &mut Vec<Violation>) {
    let by_position: HashMap<u64, &Entry> =
        history.log.iter().map(|entry| (entry.position, entry)).collect();
    let mut signed = HashSet::new();
    for entry in &history.log {
        let of_a_writer = !entry.signed.claim.is_empty();
        if of_a_writer && !signed.insert((&entry.run, &entry.signed)) {
            found.push(violation(Wrong::StoredTwice, &entry.run, format!("{entry:?}")));
        }
    }
    for told in &history.told {
        let there = by_position.get(&told.position).filter(|entry| {
            entry.run == told.run && entry.number == told.number && entry.signed == told.signed
        });
        if there.is_none() {
            let elsewhere =
                !told.signed.claim.is_empty() && signed.contains(&(&told.run, &told.signed));
            let wrong = if elsewhere { Wrong::Misplaced } else { Wrong::Lost };
            found.push(violation(wrong, &told.run, format!("{told:?}")));
        }
    }
    let mut begun: BTreeMap<&str, usize> = BTreeMap::new();
    for run in &history.begun {
        *begun.entry(run).or_default() += 1;
    }
    for (run, times) in begun {
        if times > MAX_ATTEMPTS {
            let detail = format!("workers began it {times} times");
            found.push(violation(Wrong::BegunTooOften, run, detail));
        }
    }
}

/// Checks against the log what a gateway delivered.
fn check_delivered(gateway: usize, delivered: &[Entry], log: &[Entry], found: &mut Vec<Violation>) {
    let by_position: HashMap<u64, &Entry> =
        log.iter().map(|entry| (entry.position, entry)).collect();
    let (mut last, mut seen) = (0, HashSet::new());
    for entry in delivered {
        let detail = || format!("gateway {gateway}: {entry:?}");
        if !seen.insert(entry.position) || entry.position < last {
            found.push(violation(Wrong::GivenTwice, &entry.run, detail()));
        }
        last = last.max(entry.position);
        if by_position.get(&entry.position) != Some(&entry) {
            found.push(violation(Wrong::Invented, &entry.run, detail()));
        }
    }
    for entry in log.iter().filter(|entry| !seen.contains(&entry.position)) {
        let detail = format!("gateway {gateway}: {entry:?}");
        found.push(violation(Wrong::NotDelivered, &entry.run, detail));
    }
}

/// Checks the answers to submissions against the log.
fn check_answers(
    history: &History,
    runs: &BTreeMap<&str, Vec<&Entry>>,
    found: &mut Vec<Violation>,
) {
    let mut of_request: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for answer in &history.answers {
        if !runs.contains_key(answer.run.as_str()) {
            found.push(violation(Wrong::NoLog, &answer.run, format!("{answer:?}")));
        }
        of_request.entry(&answer.request).or_default().insert(&answer.run);
    }
    for entry in history.log.iter().filter(|entry| entry.act == Act::Accepted) {
        of_request.entry(&entry.request).or_default().insert(&entry.run);
    }
    for (request, runs) in of_request {
        if !request.is_empty() && runs.len() > 1 {
            let first = runs.first().copied().unwrap_or_default();
            found.push(violation(Wrong::TwoRuns, first, format!("{request} has {runs:?}")));
        }
    }
}

/// Checks the log and the answers against what gateways were asked for. A submission whose gateway
/// was lost within it may have a run or not.
fn check_asked(history: &History, found: &mut Vec<Violation>) {
    let asked: HashSet<(&str, &str)> =
        history.asked.iter().map(|asked| (asked.run.as_str(), asked.request.as_str())).collect();
    let accepted = history.log.iter().filter(|entry| entry.act == Act::Accepted);
    let accepted = accepted.map(|entry| (entry.run.as_str(), entry.request.as_str()));
    let answered = history.answers.iter().map(|it| (it.run.as_str(), it.request.as_str()));
    for (run, request) in accepted.chain(answered) {
        if !asked.contains(&(run, request)) {
            let detail = format!("nobody asked for it by {request:?}");
            found.push(violation(Wrong::Unasked, run, detail));
        }
    }
}

/// Checks runs that ended early against what gateways were asked and answered.
fn check_cancels(history: &History, found: &mut Vec<Violation>) {
    let stops: HashSet<&str> = history.stops.iter().map(String::as_str).collect();
    let mut endings = HashSet::new();
    for entry in history.log.iter().filter(|entry| entry.act == Act::Ended) {
        let claim = entry.signed.claim.as_str();
        endings.insert((entry.run.as_str(), claim));
        // The crate ends a run without a claim.
        let is_early = !claim.is_empty() && !entry.signed.is_report();
        if is_early && !stops.contains(entry.run.as_str()) {
            found.push(violation(Wrong::NotCancelled, &entry.run, format!("{entry:?}")));
        }
    }
    for ended in &history.ended {
        if !endings.contains(&(ended.run.as_str(), ended.claim.as_str())) {
            found.push(violation(Wrong::Lost, &ended.run, format!("{ended:?}")));
        }
    }
}
