//! Checks the program against a task's test cases, and by the task's checker at every size.

mod checker;
mod generator;
mod judge_program;
mod size_outputs;
mod validator;

use checker::Asked;
pub(crate) use checker::{CheckerSandbox, Ruling, check};
pub(crate) use generator::{has_generator, make_inputs, run_generator};
pub(crate) use judge_program::judge_job;
pub(crate) use size_outputs::SizeOutputs;
pub(crate) use validator::Validator;

use crate::error::SandboxFault;
use crate::figures::RuntimeClock;
use crate::figures::units::{mib, ms};
use crate::job::{Job, Options};
use crate::limits::{
    FAILED_CASES_BUDGET, FIRST_CASES_BUDGET, MAX_DESCRIBED_CASES, TEST_CASES_BUDGET,
};
use crate::measure::answer::{ANSWER_BYTES, Answer, quoted};
use crate::measure::session::MeasureSession;
use profiler_proto::v1::{
    Checker, Outcome, TestCase, TestCaseResult, TestOrder, TestVerdict, Warning, WarningCode,
};
use runner_protocol::{HELD_SLACK_BYTES, MAX_STDOUT_HEAD_BYTES, Sample};
use std::time::Duration;

/// The test cases of a job. Each is run once, within the program's limits. No case is run if the
/// checker can judge none. No further case is run if the program has failed once and the job needs
/// no more, or if a budget is spent: [`FIRST_CASES_BUDGET`] for cases that come first,
/// [`TEST_CASES_BUDGET`] for others, and [`FAILED_CASES_BUDGET`] unless the job asks for all first.
pub(crate) struct TestCases<'j> {
    cases: &'j [TestCase],
    /// Number of results that were returned.
    returned: usize,
    ran_for: Duration,
    failed_for: Duration,
    /// Reason why no further case is run.
    ended_because: Option<&'static str>,
    not_run: usize,
    /// Number of cases that were run and are wrong.
    wrong: usize,
    /// Number of cases that were run and have no verdict, and of those with an invalid input.
    not_judged: usize,
    /// Number of cases in which the program's own threads or processes delayed its leader.
    concurrent: usize,
    /// The job's own checker, if there is one.
    checker: Option<CheckerSandbox>,
}

/// Result of a test case.
pub(crate) struct Judged {
    pub(crate) result: TestCaseResult,
    /// Problem of a case that is not correct.
    pub(crate) warning: Option<Warning>,
    /// Facts of the run; `None` if the case was not run.
    pub(crate) run: Option<JudgedRun>,
}

/// Facts of a judged run, with which a count of another run on the same input must agree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JudgedRun {
    pub(crate) stdout_sha256: [u8; 32],
    pub(crate) user_ms: f64,
    pub(crate) sys_ms: f64,
    stdout_bytes: u64,
    wall_ns: u64,
    delays_itself: bool,
}

impl<'j> TestCases<'j> {
    /// The test cases of `job`, none of which was run yet, and the job's checker.
    pub(crate) fn of(job: &'j Job, checker: Option<CheckerSandbox>) -> Self {
        Self {
            cases: &job.test_cases,
            returned: 0,
            ran_for: Duration::ZERO,
            failed_for: Duration::ZERO,
            ended_because: checker.as_ref().and_then(CheckerSandbox::unable),
            not_run: 0,
            wrong: 0,
            not_judged: 0,
            concurrent: 0,
            checker,
        }
    }

    /// Runs the next case, unless the `validator` rejects its input. Returns its result, and a
    /// warning if it is not correct; `None` after the last case. A case that was not run is not
    /// correct, and has no warning of its own, unless its input is invalid. After
    /// [`MAX_DESCRIBED_CASES`] that are wrong, or as many without a verdict, further ones have
    /// neither warnings nor answers.
    pub(crate) async fn next(
        &mut self,
        session: &mut MeasureSession<'_>,
        validator: Option<&mut Validator>,
    ) -> Result<Option<Judged>, SandboxFault> {
        let Some(case) = self.cases.get(self.returned) else { return Ok(None) };
        self.returned += 1;
        if let Some(why) = self.ended_because {
            self.not_run += 1;
            let result = TestCaseResult::not_run(why);
            return Ok(Some(Judged { result, warning: None, run: None }));
        }
        let order = session.job.options.test_order;
        if let Some(validator) = validator {
            let name = format!("the input of test {}", self.returned);
            let (refused, took) = validator.check(case.input.as_bytes(), &name).await;
            self.ran_for += took;
            if let Some(why) = refused {
                self.stop_if_spent(order);
                return Ok(Some(self.invalid(&why)));
            }
        }
        let (mut result, run) = one(session, case).await?;
        self.concurrent += usize::from(run.delays_itself);
        let mut took = Duration::from_nanos(run.wall_ns);
        let problem = match &mut self.checker {
            Some(own) if result.outcome() == Outcome::Ok => {
                let name = format!("test {}", self.returned);
                let (input, expected) = (case.input.as_bytes(), Some(case.output.as_bytes()));
                let asked = Asked { name: &name, input, expected };
                let (problem, checked_for) =
                    own.judge(session, asked, run.stdout_bytes, &mut result).await?;
                took += checked_for;
                self.ended_because = own.unable();
                problem
            }
            _ => problem(self.returned, case, &result),
        };
        self.ran_for += took;
        if result.correct != Some(true) {
            self.failed_for += took;
            if order == TestOrder::First && result.is_wrong() {
                self.ended_because.get_or_insert("an earlier one failed");
            }
        }
        self.stop_if_spent(order);
        let alike = if result.is_wrong() { &mut self.wrong } else { &mut self.not_judged };
        *alike += usize::from(problem.is_some());
        let is_described = *alike <= MAX_DESCRIBED_CASES;
        if !is_described {
            result.answer.clear();
        }
        let warning = problem.filter(|_| is_described);
        Ok(Some(Judged { result, warning, run: Some(run) }))
    }

    /// Runs no further case if a budget is spent.
    fn stop_if_spent(&mut self, order: TestOrder) {
        let budget = match order {
            TestOrder::First | TestOrder::All => FIRST_CASES_BUDGET,
            TestOrder::After | TestOrder::Unspecified => TEST_CASES_BUDGET,
        };
        let failed_long = order != TestOrder::All && self.failed_for > FAILED_CASES_BUDGET;
        if self.ran_for > budget || failed_long {
            self.ended_because.get_or_insert("the time for test cases was spent");
        }
    }

    /// Makes the result of the last case, which is not run because its input is invalid.
    fn invalid(&mut self, why: &str) -> Judged {
        let result = TestCaseResult::not_run(&format!("its input is invalid: {why}"));
        let text = format!("test {} was not run, because {}", self.returned, result.reason);
        self.not_judged += 1;
        let is_described = self.not_judged <= MAX_DESCRIBED_CASES;
        let warning = is_described.then(|| Warning::new(WarningCode::InvalidInput, text));
        Judged { result, warning, run: None }
    }

    /// Returns the warnings about the cases that were not run, and about those whose times include
    /// the work of several threads or processes.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = Warning> {
        let concurrent = (self.concurrent > 0).then(|| {
            let (concurrent, all) = (self.concurrent, self.cases.len());
            let text = format!(
                "in {concurrent} of {all} test cases, several threads or processes ran and shared \
                 one core: their runtime_ms includes the processor time of all of them"
            );
            Warning::new(WarningCode::WallClock, text)
        });
        self.lack().into_iter().chain(concurrent)
    }

    fn lack(&self) -> Option<Warning> {
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
fn problem(number: usize, case: &TestCase, result: &TestCaseResult) -> Option<Warning> {
    let (code, text) = match result.correct {
        Some(true) => return None,
        Some(false) => {
            let keeps_blanks = result.verdict() == TestVerdict::PresentationError;
            let [expected, answer] =
                [case.output.as_bytes(), &result.answer].map(|text| quoted(text, keeps_blanks));
            // A digest does not tell the words.
            let is_known = case.output_words_sha256.is_empty();
            let expected = if is_known { expected } else { "other words".into() };
            let said = format!("test {number} printed {answer}, expected {expected}");
            (WarningCode::WrongAnswer, said)
        }
        None if result.is_not_judged() => {
            let said = format!("test {number} is not judged, because {}", result.reason);
            (WarningCode::NotJudged, said)
        }
        None => {
            let ended = result.outcome().name();
            (WarningCode::WrongAnswer, format!("test {number} ended with {ended}"))
        }
    };
    Some(Warning::new(code, text))
}

/// Runs a test case.
async fn one(
    runs: &mut MeasureSession<'_>,
    case: &TestCase,
) -> Result<(TestCaseResult, JudgedRun), SandboxFault> {
    let given = Answer::of_run(runs, case.input.as_bytes()).await?;
    let Options { checker, tolerance, .. } = runs.job.options;
    let accepts = |checker| given.is_right(case, checker, tolerance);
    let correct = accepts(checker);
    let are_blanks_wrong = correct == Some(false)
        && checker == Checker::Exact
        && accepts(Checker::Words) == Some(true);
    let verdict = if are_blanks_wrong {
        TestVerdict::PresentationError
    } else {
        TestVerdict::of(given.verdict.outcome, correct)
    };
    let clock = runs.job.limits.clock.unwrap_or(RuntimeClock::Unloaded);
    let run = JudgedRun {
        stdout_sha256: given.written.stdout_sha256,
        user_ms: ms(given.sample.user_ns),
        sys_ms: ms(given.sample.sys_ns),
        stdout_bytes: given.written.stdout_bytes,
        wall_ns: given.sample.wall_ns,
        delays_itself: clock == RuntimeClock::Unloaded && given.sample.delays_itself(),
    };
    let is_judged = !given.is_ok() || correct.is_some();
    let mut answer = given.written.stdout_head;
    answer.truncate(if correct == Some(true) { 0 } else { ANSWER_BYTES });
    let result = TestCaseResult {
        outcome: given.verdict.outcome.into(),
        evidence: given.verdict.published_evidence(),
        correct,
        answer,
        verdict: verdict.into(),
        runtime_ms: Some(ms(given.sample.on(clock).unwrap_or(run.wall_ns))),
        peak_memory_mb: Some(mib(peak_bytes(&given.sample))),
        reason: if is_judged { String::new() } else { unread(run.stdout_bytes) },
        ..TestCaseResult::default()
    };
    Ok((result, run))
}

/// Explains why a checker cannot judge an answer of this length.
fn unread(answer_bytes: u64) -> String {
    let read = MAX_STDOUT_HEAD_BYTES;
    format!("its answer has {answer_bytes} bytes, and this checker reads the first {read}")
}

/// Returns the peak resident set of a run, or what its processes held together if that is clearly
/// more.
fn peak_bytes(sample: &Sample) -> u64 {
    let Sample { peak_rss_bytes: resident, held_bytes: held, .. } = *sample;
    if held > resident.saturating_add(HELD_SLACK_BYTES) { held } else { resident }
}
