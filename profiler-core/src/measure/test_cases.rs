//! Checks the program against a task's test cases before it is measured. A wrong answer is only a
//! warning, because the cost of a wrong program may still be useful.

use crate::error::SandboxFault;
use crate::job::TestCase;
use crate::limits::TEST_CASES_BUDGET;
use crate::measure::session::MeasureSession;
use crate::measure::verdict::judge;
use crate::report::{Outcome, TestCaseResult, Warning, WarningCode};
use std::time::Instant;

/// How much of a wrong answer the report contains, in bytes.
const ANSWER_BYTES: usize = 4 << 10;
/// How much of an answer a warning quotes, in characters.
const QUOTED: usize = 60;

/// The results of the test cases.
pub(crate) struct CheckedCases {
    pub(crate) results: Vec<TestCaseResult>,
    pub(crate) warnings: Vec<Warning>,
}

/// Runs every test case once, until the time for them is spent.
pub(crate) async fn check(session: &mut MeasureSession<'_>) -> Result<CheckedCases, SandboxFault> {
    let begun = Instant::now();
    let cases = &session.job.test_cases;
    let mut checked = CheckedCases { results: Vec::new(), warnings: Vec::new() };
    for (at, case) in cases.iter().enumerate() {
        if begun.elapsed() > TEST_CASES_BUDGET {
            let left = cases.len() - at;
            let problem = format!("the time for test cases was spent before the last {left}");
            checked.warnings.push(Warning::new(WarningCode::TestCasesNotRun, problem));
            break;
        }
        let result = one(session, case).await?;
        let problem = problem(at + 1, case, &result);
        checked.warnings.extend(problem.map(|text| Warning::new(WarningCode::WrongAnswer, text)));
        checked.results.push(result);
    }
    Ok(checked)
}

/// Describes how the answer to a test case is wrong, if it is.
fn problem(number: usize, case: &TestCase, result: &TestCaseResult) -> Option<String> {
    match result.correct {
        Some(true) => None,
        Some(false) => {
            let [expected, answer] = [&case.output, &result.answer].map(|text| quoted(text));
            Some(format!("test case {number} expects {expected}, the answer is {answer}"))
        }
        None => {
            let ended = result.verdict.outcome.as_str();
            Some(format!("test case {number} ended with {ended}"))
        }
    }
}

async fn one(
    runs: &mut MeasureSession<'_>,
    case: &TestCase,
) -> Result<TestCaseResult, SandboxFault> {
    let ran = runs.run_with_input(&case.input).await?;
    let written = ran.written;
    let verdict = ran
        .repetitions
        .first()
        .map(|run| judge(run, &runs.job.limits, &written.stderr_tail))
        .ok_or_else(|| SandboxFault::Lost("a test case was not run".into()))?;
    // An answer that was cut is much longer than any expected answer.
    let whole = written.stdout_bytes == written.stdout_head.len() as u64;
    let correct = (verdict.outcome == Outcome::Ok)
        .then(|| whole && words(&written.stdout_head).eq(words(&case.output)));
    let mut answer = written.stdout_head;
    answer.truncate(if correct == Some(true) { 0 } else { ANSWER_BYTES });
    Ok(TestCaseResult { verdict, correct, answer })
}

/// The words of an answer; blanks and line ends do not matter.
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
