//! The results of the request's test cases.

use crate::html::elements::{evidence, truncation_note};
use crate::html::escape::escaped;
use crate::html::number::{ABSENT, count, figure};
use profiler_proto::Word;
use profiler_proto::v1::{Outcome, ProfileReport, TestCaseResult, TestVerdict};

/// Maximum number of test cases shown.
const MAX_TESTS: usize = 64;

/// The results of the test cases.
pub(in crate::html) fn test_cases(report: &ProfileReport) -> String {
    let tests = &report.test_cases;
    if tests.is_empty() {
        return String::new();
    }
    let are_counted = tests.iter().any(|test| test.instructions.is_some());
    let rows = tests.iter().take(MAX_TESTS).zip(1..).map(|test| row(test, are_counted));
    let rows: String = rows.collect();
    let counts = if are_counted { "<th scope=\"col\">instructions</th>" } else { "" };
    let note = truncation_note(tests.len(), MAX_TESTS, "test cases");
    format!(
        "<div class=\"wide\" tabindex=\"0\"><table class=\"figures\"><thead><tr><th scope=\"col\">test</th>\
         <th scope=\"col\">verdict</th><th scope=\"col\">runtime<small>ms</small></th>\
         <th scope=\"col\">peak<small>MiB</small></th>{counts}<th scope=\"col\">answer</th></tr></thead>\
         <tbody>{rows}</tbody></table></div>{note}"
    )
}

/// Renders a test case, with a cell for its instructions if any test is counted.
fn row((test, number): (&TestCaseResult, usize), are_counted: bool) -> String {
    let verdict = test.judged();
    let class = match verdict {
        TestVerdict::Accepted => "good",
        TestVerdict::NotRun | TestVerdict::Unspecified => "note",
        _ => "bad",
    };
    let [runtime, peak] = [(test.runtime_ms, 3), (test.peak_memory_mb, 2)]
        .map(|(value, digits)| value.map_or(ABSENT.into(), |value| figure(value, digits)));
    let instructions = test.instructions.map_or(ABSENT.into(), count);
    let counts = if are_counted { format!("<td>{instructions}</td>") } else { String::new() };
    let word = verdict.word();
    format!(
        "<tr><th scope=\"row\">{number}</th><td class=\"words\"><span class=\"{class}\">{word}</span></td>\
         <td>{runtime}</td><td>{peak}</td>{counts}<td class=\"words\">{}</td></tr>",
        answer(test)
    )
}

/// Renders the ending of a run that did not end OK, the reason why there is no verdict, or the
/// message of the checker, and the answer unless it is right.
fn answer(test: &TestCaseResult) -> String {
    let ended = match test.outcome() {
        Outcome::Ok if test.reason.is_empty() => escaped(&test.checker_message),
        Outcome::Ok | Outcome::NotRun => escaped(&test.reason),
        failed => {
            let rests = test.evidence.as_ref().map(evidence).unwrap_or_default();
            format!("{} <small>{rests}</small>", failed.name())
        }
    };
    let answer = escaped(&String::from_utf8_lossy(&test.answer));
    if answer.is_empty() { ended } else { format!("{ended}<pre>{answer}</pre>") }
}
