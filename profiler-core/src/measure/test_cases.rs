//! Checks the program against a task's test cases after it was measured. A wrong answer is only a
//! warning, because the cost of a wrong program may still be useful.

use crate::error::SandboxFault;
use crate::job::TestCase;
use crate::limits::TEST_CASES_BUDGET;
use crate::measure::answer::{Answer, words};
use crate::measure::session::MeasureSession;
use crate::report::{TestCaseResult, Warning, WarningCode};
use std::time::Instant;

/// Maximum length of a wrong answer in the report, in bytes.
const ANSWER_BYTES: usize = 4 << 10;
/// Maximum length of an answer quoted in a warning, in characters.
const QUOTED: usize = 60;

/// Runs every test case once, until the time for them is spent. Calls `finished` with each result
/// and its warning at once, so that a run that ends early keeps them. Returns a warning about the
/// cases that were not run.
pub(crate) async fn check(
    session: &mut MeasureSession<'_>,
    mut finished: impl FnMut(TestCaseResult, Option<Warning>),
) -> Result<Option<Warning>, SandboxFault> {
    let begun = Instant::now();
    let cases = &session.job.test_cases;
    for (at, case) in cases.iter().enumerate() {
        if begun.elapsed() > TEST_CASES_BUDGET {
            let left = cases.len() - at;
            let problem = format!("the time for test cases was spent before the last {left}");
            return Ok(Some(Warning::new(WarningCode::TestCasesNotRun, problem)));
        }
        let result = one(session, case).await?;
        let problem = problem(at + 1, case, &result);
        finished(result, problem.map(|text| Warning::new(WarningCode::WrongAnswer, text)));
    }
    Ok(None)
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
    let given = Answer::of_run(runs, &case.input).await?;
    // An answer that was cut is much longer than any expected answer.
    let correct = given
        .is_ok()
        .then(|| given.is_whole() && words(&given.written.stdout_head).eq(words(&case.output)));
    let mut answer = given.written.stdout_head;
    answer.truncate(if correct == Some(true) { 0 } else { ANSWER_BYTES });
    Ok(TestCaseResult { verdict: given.verdict, correct, answer })
}

/// The beginning of an answer, on one line.
fn quoted(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let begin: String = text.trim().chars().take(QUOTED).collect();
    let more = if begin.len() < text.trim().len() { "…" } else { "" };
    format!("{begin:?}{more}")
}
