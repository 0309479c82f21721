//! The tests of a run as rows.

use super::rows::{MAX_ROWS, rounded};
use crate::job::TESTS_TASK;
use crate::tool_result::{clipped, known};
use profiler_export::{explain_outcome, readable};
use profiler_proto::Word;
use profiler_proto::v1::{Outcome, ProfileReport, SizeResult, TestCaseResult};
use serde_json::{Value, json};

/// Maximum number of bytes of an output that are shown.
const OUTPUT_BYTES: usize = 300;

/// Whether the sizes of a report are the inputs of tests without an expected output.
pub(super) fn are_unjudged(report: &ProfileReport) -> bool {
    report.task_id == TESTS_TASK && report.test_cases.is_empty() && !report.sizes.is_empty()
}

/// Describes in a sentence how a program ended on tests without an expected output.
pub(super) fn ending(report: &ProfileReport) -> String {
    let all = report.sizes.len();
    let failed = report.sizes.iter().find(|size| size.outcome() != Outcome::Ok);
    match failed {
        None => format!("ended OK on {all} of {all} inputs; no output was expected"),
        Some(size) => format!("test {} ended with {}", size.size, size.outcome().name()),
    }
}

/// Returns the tests, the failed ones first.
pub(super) fn rows(report: &ProfileReport) -> Vec<Value> {
    if are_unjudged(report) {
        return report.sizes.iter().take(MAX_ROWS).map(unjudged).collect();
    }
    let mut cases: Vec<_> = report.test_cases.iter().enumerate().collect();
    cases.sort_by_key(|(_, case)| !case.is_wrong());
    cases.into_iter().take(MAX_ROWS).map(|(at, case)| judged(at + 1, case)).collect()
}

fn judged(number: usize, case: &TestCaseResult) -> Value {
    known(json!({
        "test": number,
        "verdict": case.judged().word(),
        "runtime_ms": rounded(case.runtime_ms, 3),
        "peak_mib": rounded(case.peak_memory_mb, 2),
        "stdout": shown(&case.answer),
        "checker": shown(case.checker_message.as_bytes()),
        "why": shown(case.reason.as_bytes()),
    }))
    .into()
}

fn unjudged(size: &SizeResult) -> Value {
    let outcome = size.outcome();
    let why = (outcome != Outcome::Ok)
        .then(|| explain_outcome(outcome, size.evidence.as_ref(), &size.stderr_tail));
    known(json!({
        "test": size.size,
        "outcome": outcome.name(),
        "runtime_ms": rounded(size.runtime_ms, 3),
        "peak_mib": rounded(size.peak_memory_mb, 2),
        "stdout": size.stdout.as_ref().and_then(|it| shown(&it.head)),
        "why": why.map(|why| clipped(&why, OUTPUT_BYTES)),
    }))
    .into()
}

fn shown(text: &[u8]) -> Option<String> {
    let text = readable(&String::from_utf8_lossy(text));
    (!text.is_empty()).then(|| clipped(&text, OUTPUT_BYTES))
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::TestVerdict;

    #[test]
    fn wrong_tests_come_first() {
        let case = |verdict: TestVerdict, answer: &str| TestCaseResult {
            verdict: verdict.into(),
            answer: answer.into(),
            ..TestCaseResult::default()
        };
        let test_cases =
            vec![case(TestVerdict::Accepted, ""), case(TestVerdict::WrongAnswer, "7\n")];
        let report = ProfileReport { test_cases, ..ProfileReport::default() };
        let wrong = json!({ "test": 2, "verdict": "WA", "stdout": "7" });
        assert_eq!(rows(&report), [wrong, json!({ "test": 1, "verdict": "AC" })]);
    }

    #[test]
    fn sizes_of_a_single_run_are_tests() {
        let ok = SizeResult { size: 1, outcome: Outcome::Ok.into(), ..SizeResult::default() };
        let late = SizeResult { size: 2, outcome: Outcome::TimeLimit.into(), ..ok.clone() };
        let report = |sizes, task: &str| ProfileReport {
            sizes,
            task_id: task.into(),
            ..ProfileReport::default()
        };
        assert!(!are_unjudged(&report(vec![ok.clone()], "other")));
        let both = report(vec![ok, late], TESTS_TASK);
        assert!(are_unjudged(&both));
        assert_eq!(ending(&both), "test 2 ended with TIME_LIMIT");
        assert_eq!(rows(&both)[0], json!({ "test": 1, "outcome": "OK" }));
    }
}
