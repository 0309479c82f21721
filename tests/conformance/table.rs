//! The endings of all hostile programs, as one table at the end.

use profiler_proto::Word;
use profiler_proto::v1::{KilledBy, Outcome, SandboxError, SizeResult};
use profiler_tests::harness::{Ended, SIZE};
use profiler_tests::model::{Case, Group};
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// Longest evidence in the table, in characters.
const EVIDENCE: usize = 78;
/// Longest part of a wrong answer in the table, in characters.
const ANSWER: usize = 4096;

/// The ending of one program on one backend.
pub(crate) struct Row {
    backend: &'static str,
    group: Group,
    program: &'static str,
    outcome: &'static str,
    evidence: String,
    took: Duration,
    /// Differences from what was expected.
    pub(crate) wrong: Vec<String>,
    /// Reason for the second run of the row, and the wrong ending of the first.
    pub(crate) retried: Option<String>,
}

impl Row {
    pub(crate) fn of(
        backend: &'static str,
        (group, case): (Group, &Case),
        ended: &Ended,
        took: Duration,
    ) -> Self {
        let of_size = || {
            let result = ended.size(SIZE);
            (result.outcome().name(), evidence(ended, result))
        };
        let of_error = |error: &SandboxError| (error.code().word(), error.message.clone());
        let (outcome, evidence) = ended.error().map_or_else(of_size, of_error);
        let (program, wrong) = (case.program, Vec::new());
        Self { backend, group, program, outcome, evidence, took, wrong, retried: None }
    }
}

/// The evidence for an outcome, in a few words.
fn evidence(ended: &Ended, result: &SizeResult) -> String {
    let Some(evidence) = &result.evidence else { return String::new() };
    let mut words = Vec::new();
    if let (Some(limit), Some(met)) = (evidence.limit_value, evidence.met_value) {
        let (name, unit) = (evidence.limit().word(), evidence.unit().word());
        let method = evidence.method().word();
        words.push(format!("{name} {limit:.0} {unit} met by {met:.1}, {method}"));
    }
    words.extend(evidence.signal.clone());
    let code = evidence.exit_code.filter(|_| result.outcome() != Outcome::Ok);
    words.extend(code.map(|code| format!("exit code {code}")));
    let hint = evidence.hint().word();
    words.extend((!hint.is_empty()).then(|| format!("hint {hint}")));
    words.extend(match evidence.killed_by() {
        KilledBy::Unspecified | KilledBy::Itself => None,
        KilledBy::Profiler => Some("by the profiler".to_owned()),
        KilledBy::KernelOom => Some("by the kernel, out of memory".to_owned()),
        KilledBy::KernelRlimit => Some("by the kernel, at a resource limit".to_owned()),
    });
    let cut = ended.report().compile.as_ref().is_some_and(|step| step.truncated);
    words.extend(cut.then(|| "compiler's output cut".to_owned()));
    words.join("; ")
}

/// Prints all rows, and how many are as expected on each backend.
pub(crate) fn print(rows: &Receiver<Row>, backends: &[&str]) {
    let rows: Vec<Row> = rows.try_iter().collect();
    if rows.is_empty() {
        return;
    }
    println!(
        "{:<11} {:<11} {:<40} {:<13} {:>6}  evidence",
        "backend", "group", "case", "outcome", "s"
    );
    for row in &rows {
        let Row { backend, group, program, outcome, evidence, took, wrong, .. } = row;
        let evidence: String = evidence.chars().take(EVIDENCE).collect();
        let mark = if wrong.is_empty() { "" } else { "NOT AS EXPECTED: " };
        let seconds = took.as_secs_f64();
        println!(
            "{backend:<11} {group:<11} {program:<40} {outcome:<13} {seconds:>6.2}  {mark}{evidence}"
        );
    }
    for Row { backend, program, wrong, retried, .. } in &rows {
        for wrong in wrong {
            println!("{backend}::{program}: {wrong}");
        }
        if let Some(answer) = retried {
            let answer: String = answer.chars().take(ANSWER).collect();
            println!("retried {backend}::{program}: {answer}");
        }
    }
    let of = |backend: &&&str| {
        let hostile = rows.iter().filter(|row| row.group != Group::Ordinary);
        let of_it: Vec<_> = hostile.filter(|row| row.backend == **backend).collect();
        let good = of_it.iter().filter(|row| row.wrong.is_empty()).count();
        let again = of_it.iter().filter(|row| row.retried.is_some()).count();
        let again = if again > 0 { format!(" ({again} retried)") } else { String::new() };
        (!of_it.is_empty()).then(|| {
            format!("{good} of {} hostile cases as expected on {backend}{again}", of_it.len())
        })
    };
    let counts: Vec<_> = backends.iter().filter_map(|backend| of(&backend)).collect();
    println!("{}", counts.join(", "));
}
