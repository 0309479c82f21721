//! Judgement of what a program writes at the sizes of a job, so that programs with different right
//! answers can be compared.

use super::checker::{Asked, CheckerSandbox, judge_words};
use super::judge_program::Unable;
use crate::build::Builder;
use crate::error::SandboxFault;
use crate::figures::units::hex;
use crate::job::{Job, Point};
use crate::limits::{MAX_ANSWER_BYTES, TEST_CASES_BUDGET};
use crate::measure::answer::Answer;
use crate::measure::program_session::ProgramSession;
use crate::measure::session::MeasureSession;
use crate::measure::session::beside::beside;
use crate::report::MeasuredSize;
use crate::sandbox::Pool;
use profiler_proto::v1::{Outcome, TestCaseResult, TestVerdict, Warning};
use std::time::Duration;

/// The program in warnings about a size.
const NAME: &str = "the program";

/// The checker of a job, and the program whose output is the expected one.
pub(crate) struct SizeOutputs {
    /// `None` if the comparison that the job's options name decides.
    checker: Option<CheckerSandbox>,
    /// `None` if the judged output itself is the expected one.
    reference: Option<Result<ProgramSession, Unable>>,
    ran_for: Duration,
}

impl SizeOutputs {
    /// Compiles the checker and the reference in sandboxes of `pool`. `None` if the job does not
    /// ask for the judgement.
    pub(crate) async fn start(job: &Job, builder: &Builder, pool: &Pool) -> Option<Self> {
        if !job.options.check_sizes {
            return None;
        }
        let checker = CheckerSandbox::start(job, builder, pool).await;
        let reference = match &job.reference {
            Some(program) => Some(start(job.of_other(program), builder, pool).await),
            None => None,
        };
        Some(Self { checker, reference, ran_for: Duration::ZERO })
    }

    /// Returns the warning about a checker that can judge no output.
    pub(crate) fn warning(&self) -> Option<Warning> {
        self.checker.as_ref()?.warning()
    }

    /// Runs the program of `session` once on the input of `size`, and judges what it writes, if
    /// that is what the timed runs wrote. Returns the result, and a warning if the checker rejects
    /// the output or fails.
    pub(crate) async fn judge(
        &mut self,
        session: &mut MeasureSession<'_>,
        size: &MeasuredSize,
    ) -> Result<(TestCaseResult, Option<Warning>), SandboxFault> {
        let point = size.point();
        let (input, expected) = match self.ready(session.job, point).await {
            Ok(ready) => ready,
            Err(why) => return Ok((TestCaseResult::not_run(&why), None)),
        };
        let given = Answer::of_run(session, input.as_slice()).await?;
        self.ran_for += Duration::from_nanos(given.sample.wall_ns);
        let outcome = given.verdict.outcome;
        let mut result = TestCaseResult {
            outcome: outcome.into(),
            evidence: given.verdict.published_evidence(),
            verdict: TestVerdict::of(outcome, None).into(),
            ..TestCaseResult::default()
        };
        if !given.is_ok() {
            result.reason = format!("{NAME} ended with {} when it ran again", outcome.name());
            return Ok((result, None));
        }
        // A program can tell that it is not timed. So another output vouches for none of the timed
        // runs, not even if those vary.
        let words = hex(&given.written.stdout_words_sha256);
        if size.stdout.as_ref().is_none_or(|timed| timed.varies || timed.words_sha256 != words) {
            let why = "its output is not that of every timed run";
            return Ok((TestCaseResult::not_run(why), None));
        }
        let asked = Asked { name: NAME, input: &input, expected: expected.as_deref() };
        let bytes = given.written.stdout_bytes;
        let warning = match &mut self.checker {
            Some(checker) => {
                let (warning, took) = checker.judge(session, asked, bytes, &mut result).await?;
                self.ran_for += took;
                warning
            }
            None => judge_words(session, asked, bytes, &mut result).await?,
        };
        if let Some(Warning { message, .. }) = &warning
            && result.outcome() == Outcome::OutputLimit
        {
            result.reason.clone_from(message);
        }
        Ok((result, warning.map(|it| point.warning(it.code(), it.message))))
    }

    /// Returns the input of `point`, and the reference's output on it. The error is the reason why
    /// the output there cannot be judged, as the end of a sentence.
    async fn ready(
        &mut self,
        job: &Job,
        point: Point,
    ) -> Result<(Vec<u8>, Option<Vec<u8>>), String> {
        if let Some(why) = self.checker.as_ref().and_then(CheckerSandbox::unable) {
            return Err(why.into());
        }
        if self.ran_for > TEST_CASES_BUDGET {
            return Err("the time for checking outputs was spent".into());
        }
        let input = beside(|| job.input(point)).ok_or("its input cannot be made")?;
        let expected = match &mut self.reference {
            Some(reference) => {
                let (output, took) = output(reference, &input).await?;
                self.ran_for += took;
                Some(output)
            }
            None => None,
        };
        Ok((input, expected))
    }

    /// Destroys the sandboxes.
    pub(crate) async fn end(self) {
        if let Some(checker) = self.checker {
            checker.end().await;
        }
        if let Some(Ok(program)) = self.reference {
            program.end().await;
        }
    }
}

/// Compiles the program of `job` in a sandbox of `pool`.
async fn start(job: Job, builder: &Builder, pool: &Pool) -> Result<ProgramSession, Unable> {
    let mut program = ProgramSession::start(job, pool).await?;
    if let Err(refused) = program.compile(builder).await? {
        program.end().await;
        return Err(Unable::DoesNotCompile(refused.because));
    }
    Ok(program)
}

/// Returns the reference's output on `input`, and the time of the run. A reference whose sandbox is
/// lost gives no further output.
async fn output(
    reference: &mut Result<ProgramSession, Unable>,
    input: &[u8],
) -> Result<(Vec<u8>, Duration), String> {
    let fault = match reference {
        Err(unable) => return Err(format!("the reference {unable}")),
        Ok(program) => match written(program, input).await {
            Ok(output) => return output,
            Err(fault) => fault,
        },
    };
    let unable = Unable::from(fault);
    let why = format!("the reference {unable}");
    *reference = Err(unable);
    Err(why)
}

/// Runs the reference on `input`. Returns its output and the time of the run.
async fn written(
    program: &mut ProgramSession,
    input: &[u8],
) -> Result<Result<(Vec<u8>, Duration), String>, SandboxFault> {
    let ran = program.run(input).await?;
    let bytes = ran.written.stdout_bytes;
    if !ran.is_ok() {
        return Ok(Err(format!("the reference ended with {}", ran.verdict.outcome.name())));
    }
    if bytes > MAX_ANSWER_BYTES as u64 {
        return Ok(Err(format!("the reference wrote more than {MAX_ANSWER_BYTES} bytes")));
    }
    let output = program.output(bytes).await?;
    Ok(Ok((output, Duration::from_nanos(ran.sample.wall_ns))))
}
