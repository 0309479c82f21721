//! The results of the request's test cases.

use crate::html::elements::evidence;
use crate::html::escape::escaped;
use profiler_proto::v1::{Outcome, ProfileReport};

/// Maximum number of test cases shown.
const MAX_TESTS: usize = 64;

/// The results of the test cases.
pub(in crate::html) fn test_cases(report: &ProfileReport) -> String {
    if report.test_cases.is_empty() {
        return String::new();
    }
    let rows = report.test_cases.iter().take(MAX_TESTS).enumerate().map(|(at, test)| {
        let (class, came) = match (test.outcome(), test.correct) {
            (Outcome::Ok, Some(true)) => ("good", "correct"),
            (Outcome::Ok, Some(false)) => ("bad", "wrong answer"),
            (Outcome::Ok, None) => ("bad", "no verdict"),
            (outcome, _) => ("bad", outcome.name()),
        };
        let rests = test.evidence.as_ref().filter(|_| test.outcome() != Outcome::Ok).map(evidence);
        let message = escaped(&test.checker_message);
        let answer = escaped(&String::from_utf8_lossy(&test.answer));
        let answer = if answer.is_empty() { answer } else { format!("<pre>{answer}</pre>") };
        format!("<tr><th scope=\"row\">{}</th><td class=\"words\"><span class=\"{class}\">{came}</span> {}{message}{answer}</td></tr>", at + 1, rests.unwrap_or_default())
    });
    let rows: String = rows.collect();
    format!(
        "<div class=\"wide\"><table class=\"figures\"><thead><tr><th scope=\"col\">case</th><th scope=\"col\">result</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )
}
