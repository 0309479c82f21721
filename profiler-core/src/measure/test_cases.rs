//! Whether the program answers what a task's test cases expect, before it is measured. A wrong answer is
//! a warning: what a wrong program costs may still be of use.

use crate::error::SandboxFault;
use crate::job::TestCase;
use crate::limits::TEST_CASES_BUDGET;
use crate::measure::session::Runs;
use crate::measure::verdict::judge;
use crate::report::Outcome;
use crate::report::WarningCode;
use crate::report::{ProfileReport, TestCaseResult};
use std::time::Instant;

/// How much of a wrong answer the report has, in bytes.
const ANSWER_BYTES: usize = 4 << 10;
/// How much of an answer stands in a warning, in characters.
const QUOTED: usize = 60;

/// Runs every test case once, as far as the time for them goes.
pub(crate) async fn check(
    runs: &mut Runs<'_>,
    report: &mut ProfileReport,
) -> Result<(), SandboxFault> {
    let begun = Instant::now();
    let cases = &runs.job.test_cases;
    for (at, case) in cases.iter().enumerate() {
        if begun.elapsed() > TEST_CASES_BUDGET {
            let left = cases.len() - at;
            let problem = format!("the time for test cases was spent before the last {left}");
            report.warn(WarningCode::TestCasesNotRun, None, problem);
            break;
        }
        let result = one(runs, case).await?;
        let number = at + 1;
        if result.correct == Some(false) {
            let [expected, answer] = [&case.output, &result.answer].map(|text| quoted(text));
            let problem = format!("test case {number} expects {expected}, the answer is {answer}");
            report.warn(WarningCode::WrongAnswer, None, problem);
        }
        if result.correct.is_none() {
            let ended = result.verdict.outcome.as_str();
            report.warn(
                WarningCode::WrongAnswer,
                None,
                format!("test case {number} ended with {ended}"),
            );
        }
        report.test_cases.push(result);
    }
    Ok(())
}

async fn one(runs: &mut Runs<'_>, case: &TestCase) -> Result<TestCaseResult, SandboxFault> {
    let ran = runs.answer(&case.input).await?;
    let written = ran.written;
    let verdict = ran
        .repetitions
        .first()
        .map(|run| judge(run, &runs.job.limits, &written.stderr_tail))
        .ok_or_else(|| SandboxFault::Lost("a test case was not run".into()))?;
    // An answer of which only a part is kept is much longer than any that is expected.
    let whole = written.stdout_bytes == written.stdout_head.len() as u64;
    let correct = (verdict.outcome == Outcome::Ok)
        .then(|| whole && words(&written.stdout_head).eq(words(&case.output)));
    let mut answer = written.stdout_head;
    answer.truncate(if correct == Some(true) { 0 } else { ANSWER_BYTES });
    Ok(TestCaseResult { verdict, correct, answer })
}

/// What an answer consists of, blanks and line ends apart.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// The beginning of an answer, on one line.
fn quoted(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let begin: String = text.trim().chars().take(QUOTED).collect();
    let more = if begin.len() < text.trim().len() { "…" } else { "" };
    format!("{begin:?}{more}")
}
