//! Checks the program against a task's test cases.

use crate::error::SandboxFault;
use crate::job::Options;
use crate::limits::{FAILED_CASES_BUDGET, TEST_CASES_BUDGET};
use crate::measure::answer::Answer;
use crate::measure::session::MeasureSession;
use profiler_proto::v1::{
    Checker, Outcome, TestCase, TestCaseResult, TestOrder, Warning, WarningCode,
};
use runner_protocol::MAX_STDOUT_HEAD_BYTES;
use std::time::Duration;

/// Maximum length of a wrong answer in the report, in bytes.
const ANSWER_BYTES: usize = 4 << 10;
/// Maximum length of an answer quoted in a warning, in characters.
const QUOTED: usize = 60;

/// Runs every test case once, each within the program's limits. Runs no further cases if the
/// program has failed for [`FAILED_CASES_BUDGET`], has run for [`TEST_CASES_BUDGET`], or has failed
/// once and the job needs no more. A case that was not run is not correct. Calls `finished` with
/// each result and its warning at once, so that a run that ends early keeps them. Returns a warning
/// about the cases that were not run.
pub(crate) async fn check(
    session: &mut MeasureSession<'_>,
    mut finished: impl FnMut(TestCaseResult, Option<Warning>),
) -> Result<Option<Warning>, SandboxFault> {
    let cases = &session.job.test_cases;
    let (mut ran_for, mut failed_for) = (Duration::ZERO, Duration::ZERO);
    let one_is_enough = session.job.options.test_order == TestOrder::First;
    let (mut left, mut why) = (cases.iter(), None);
    while why.is_none()
        && let Some(case) = left.next()
    {
        let (result, answer_bytes, took) = one(session, case).await?;
        ran_for += took;
        if result.correct != Some(true) {
            failed_for += took;
            why = one_is_enough.then_some("a case before them failed");
        }
        if failed_for > FAILED_CASES_BUDGET || ran_for > TEST_CASES_BUDGET {
            why = why.or(Some("the time for test cases was spent"));
        }
        let number = cases.len() - left.len();
        let problem = problem(number, case, (&result, answer_bytes), session.job.options.checker);
        finished(result, problem.map(|text| Warning::new(WarningCode::WrongAnswer, text)));
    }
    let count = left.len();
    for _ in left {
        let outcome = Outcome::NotRun.into();
        finished(TestCaseResult { outcome, ..TestCaseResult::default() }, None);
    }
    Ok(why.filter(|_| count > 0).map(|why| {
        let text = format!("{count} of {} were not run, because {why}", cases.len());
        Warning::new(WarningCode::TestCasesNotRun, text)
    }))
}

/// Describes why a test case is not correct; `None` if it is.
fn problem(
    number: usize,
    case: &TestCase,
    (result, answer_bytes): (&TestCaseResult, u64),
    checker: Checker,
) -> Option<String> {
    match result.correct {
        Some(true) => None,
        Some(false) => {
            let [expected, answer] =
                [case.output.as_bytes(), &result.answer].map(|text| quoted(text, checker));
            let said = format!("test case {number} expects {expected}, the answer is {answer}");
            let is_cut = answer_bytes > u64::from(MAX_STDOUT_HEAD_BYTES);
            let reads_head = matches!(checker, Checker::Caseless | Checker::Numbers);
            Some(if is_cut && reads_head {
                format!("{said}: it has {answer_bytes} bytes, too many for this checker")
            } else {
                said
            })
        }
        None => {
            let ended = result.outcome().name();
            Some(format!("test case {number} ended with {ended}"))
        }
    }
}

/// Runs a test case. Also returns the length of the answer, in bytes, and the time of the run.
async fn one(
    runs: &mut MeasureSession<'_>,
    case: &TestCase,
) -> Result<(TestCaseResult, u64, Duration), SandboxFault> {
    let given = Answer::of_run(runs, case.input.as_bytes()).await?;
    let Options { checker, tolerance, .. } = runs.job.options;
    let correct = given.is_ok().then(|| given.is(case.output.as_bytes(), checker, tolerance));
    let mut answer = given.written.stdout_head;
    answer.truncate(if correct == Some(true) { 0 } else { ANSWER_BYTES });
    let result = TestCaseResult {
        outcome: given.verdict.outcome.into(),
        evidence: given.verdict.published_evidence(),
        correct,
        answer,
    };
    Ok((result, given.written.stdout_bytes, given.took))
}

/// The beginning of an answer, on one line. Blanks around the answer are left out unless they
/// matter to the checker.
fn quoted(text: &[u8], checker: Checker) -> String {
    let text = String::from_utf8_lossy(text);
    let text = if checker == Checker::Exact { &text } else { text.trim() };
    let begin: String = text.chars().take(QUOTED).collect();
    let more = if begin.len() < text.len() { "…" } else { "" };
    format!("{begin:?}{more}")
}
