//! Checks the program against a task's test cases.

mod checker;

pub(crate) use checker::CheckerSandbox;

use crate::error::SandboxFault;
use crate::job::{Job, Options};
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

/// The test cases of a job. Each is run once, within the program's limits. No further case is run
/// if the program has failed for [`FAILED_CASES_BUDGET`], has run for [`TEST_CASES_BUDGET`], or has
/// failed once and the job needs no more.
pub(crate) struct TestCases<'j> {
    cases: &'j [TestCase],
    /// Number of results that were returned.
    returned: usize,
    ran_for: Duration,
    failed_for: Duration,
    /// Reason why no further case is run.
    ended_because: Option<&'static str>,
    not_run: usize,
    /// The job's own checker, if there is one.
    checker: Option<CheckerSandbox>,
}

impl<'j> TestCases<'j> {
    /// The test cases of `job`, none of which was run yet, and the job's checker.
    pub(crate) fn of(job: &'j Job, checker: Option<CheckerSandbox>) -> Self {
        Self {
            cases: &job.test_cases,
            returned: 0,
            ran_for: Duration::ZERO,
            failed_for: Duration::ZERO,
            ended_because: None,
            not_run: 0,
            checker,
        }
    }

    /// Runs the next case. Returns its result, and a warning if it is not correct; `None` after the
    /// last case. A case that was not run is not correct, and has no warning of its own.
    pub(crate) async fn next(
        &mut self,
        session: &mut MeasureSession<'_>,
    ) -> Result<Option<(TestCaseResult, Option<Warning>)>, SandboxFault> {
        let Some(case) = self.cases.get(self.returned) else { return Ok(None) };
        self.returned += 1;
        if self.ended_because.is_some() {
            self.not_run += 1;
            let outcome = Outcome::NotRun.into();
            return Ok(Some((TestCaseResult { outcome, ..TestCaseResult::default() }, None)));
        }
        let options = &session.job.options;
        let (checker, order) = (options.checker, options.test_order);
        let (mut result, answer_bytes, mut took) = one(session, case).await?;
        let warning = match &mut self.checker {
            Some(own) if result.outcome() == Outcome::Ok => {
                let case = (self.returned, case);
                let (warning, checked_for) =
                    own.judge(session, case, answer_bytes, &mut result).await?;
                result.answer.truncate(ANSWER_BYTES);
                took += checked_for;
                warning
            }
            _ => problem(self.returned, case, (&result, answer_bytes), checker)
                .map(|text| Warning::new(WarningCode::WrongAnswer, text)),
        };
        self.ran_for += took;
        if result.correct != Some(true) {
            self.failed_for += took;
            let is_enough = order == TestOrder::First && result.is_wrong();
            self.ended_because = is_enough.then_some("an earlier one failed");
        }
        if self.failed_for > FAILED_CASES_BUDGET || self.ran_for > TEST_CASES_BUDGET {
            self.ended_because.get_or_insert("the time for test cases was spent");
        }
        Ok(Some((result, warning)))
    }

    /// Returns the warning about the cases that were not run.
    pub(crate) fn warning(&self) -> Option<Warning> {
        let why = self.ended_because.filter(|_| self.not_run > 0)?;
        let (not_run, all) = (self.not_run, self.cases.len());
        let text = format!("{not_run} of {all} test cases were not run, because {why}");
        Some(Warning::new(WarningCode::TestCasesNotRun, text))
    }

    /// Destroys the checker's sandbox.
    pub(crate) async fn end(self) {
        if let Some(checker) = self.checker {
            checker.end().await;
        }
    }
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
            let said = format!("test case {number} expects {expected}, but the answer is {answer}");
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
        ..TestCaseResult::default()
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
