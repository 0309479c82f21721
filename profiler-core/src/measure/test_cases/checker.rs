//! Checkers: programs that judge answers, as testlib's checkers do, or a comparison of words. A
//! checker runs after the program's run has ended, on three files.

use super::judge_program::{JudgeProgram, Unable, exit_code, first_line};
use crate::build::Builder;
use crate::error::SandboxFault;
use crate::figures::units::mib;
use crate::job::{Job, Options, RunLimits};
use crate::limits::{ANSWER_MARGIN, MAX_ANSWER_BYTES, MAX_CHECKED_BYTES};
use crate::measure::answer::{ANSWER_BYTES, WordDifference, quoted, rejected_word};
use crate::measure::session::MeasureSession;
use crate::measure::verdict::judge;
use crate::sandbox::{Channel, Pool};
use profiler_proto::v1::{
    Checker, DetectionMethod, Evidence, LimitKind, Outcome, TestCaseResult, TestVerdict, Warning,
    WarningCode,
};
use runner_protocol::{Check, Checked, CheckedFile, File};
use std::time::Duration;

/// Exit code of a checker that accepts an answer.
const ACCEPTED: i32 = 0;
/// Exit code of a checker that rejects an answer as wrong.
const WRONG_ANSWER: i32 = 1;
/// Exit code of a checker that rejects the form of an answer.
const PRESENTATION_ERROR: i32 = 2;
/// Exit code of a checker for an answer that ends too early.
const UNEXPECTED_EOF: i32 = 8;
/// Exit code of a checker that gives points.
const POINTS: i32 = 7;
/// Word that testlib writes before points.
const POINTS_WORD: &str = "points";

/// The checker of a job, in a sandbox of its own.
pub(crate) struct CheckerSandbox {
    /// The checker, until its sandbox is lost.
    program: Result<JudgeProgram, Unable>,
}

/// Question to a checker, without the output.
pub(super) struct Asked<'a> {
    /// The test or the run in warnings.
    pub(super) name: &'a str,
    pub(super) input: &'a [u8],
    /// The expected output; `None` if it is the output itself.
    pub(super) expected: Option<&'a [u8]>,
}

/// Decision of a checker.
#[derive(Debug, PartialEq)]
pub(crate) struct Ruling {
    /// The verdict on the answer, or the reason why the checker failed.
    verdict: Result<TestVerdict, String>,
    points: Option<f64>,
    /// The first line of the checker's stderr.
    message: String,
}

impl CheckerSandbox {
    /// Compiles the job's checker in a sandbox of `pool`. `None` if the job has no checker.
    pub(crate) async fn start(job: &Job, builder: &Builder, pool: &Pool) -> Option<Self> {
        let file_bytes = MAX_CHECKED_BYTES + MAX_ANSWER_BYTES as u64;
        let checker = job.checker.as_ref()?;
        let program = JudgeProgram::start(job, checker, file_bytes, (builder, pool)).await;
        Some(Self { program })
    }

    /// Returns the warning about a checker that can judge no answer.
    pub(crate) fn warning(&self) -> Option<Warning> {
        let unable = self.program.as_ref().err()?;
        Some(Warning::new(WarningCode::CheckerFailed, format!("the checker {unable}")))
    }

    /// Reason why the checker can judge no further answer, if there is one.
    pub(crate) fn unable(&self) -> Option<&'static str> {
        self.program.as_ref().err().map(|unable| match unable {
            Unable::DoesNotCompile(_) => "the checker does not compile",
            Unable::NoSandbox(_) => "the checker has no sandbox",
        })
    }

    /// Judges the answer of `session`'s last run, which ended OK and wrote `answer_bytes` bytes.
    /// Sets the verdict in `result`. Returns the warning about the verdict, and the time of the
    /// checker. A fault of the checker's own sandbox leaves the case without a verdict.
    pub(super) async fn judge(
        &mut self,
        session: &mut MeasureSession<'_>,
        asked: Asked<'_>,
        answer_bytes: u64,
        result: &mut TestCaseResult,
    ) -> Result<(Option<Warning>, Duration), SandboxFault> {
        (result.correct, result.answer) = (None, Vec::new());
        result.set_verdict(TestVerdict::NotRun);
        if answer_bytes > MAX_CHECKED_BYTES {
            return Ok((Some(too_long(asked.name, answer_bytes, result)), Duration::ZERO));
        }
        if let Some(why) = self.unable() {
            result.reason = why.into();
        }
        let Ok(program) = &mut self.program else { return Ok((None, Duration::ZERO)) };
        let answer = session.channel.fetch_stdout(answer_bytes).await?;
        let JudgeProgram { job, sandbox } = program;
        let files = [asked.input, &answer, asked.expected.unwrap_or(&answer)];
        let (ruling, wall_ns) = match check(job, &mut sandbox.channel, files).await {
            Ok(checked) => {
                let ruling = Ruling::of(&checked, &program.job.limits);
                (ruling, checked.execution.sample.wall_ns)
            }
            Err(fault) => {
                let unable = Unable::from(fault);
                let verdict = Err(unable.to_string());
                self.program = Err(unable);
                (Ruling { verdict, points: None, message: String::new() }, 0)
            }
        };
        Ok((ruling.apply(asked.name, answer, result), Duration::from_nanos(wall_ns)))
    }

    /// Destroys the sandbox, and returns when it is gone.
    pub(crate) async fn end(self) {
        if let Ok(program) = self.program {
            program.end().await;
        }
    }
}

/// Judges the answer of `session`'s last run as [`CheckerSandbox::judge`] does, by the comparison
/// that the options of the job name.
pub(super) async fn judge_words(
    session: &mut MeasureSession<'_>,
    asked: Asked<'_>,
    answer_bytes: u64,
    result: &mut TestCaseResult,
) -> Result<Option<Warning>, SandboxFault> {
    result.set_verdict(TestVerdict::NotRun);
    if answer_bytes > MAX_CHECKED_BYTES {
        return Ok(Some(too_long(asked.name, answer_bytes, result)));
    }
    let answer = session.channel.fetch_stdout(answer_bytes).await?;
    let expected = asked.expected.unwrap_or(&answer);
    let ruling = Ruling::of_words([&answer, expected], &session.job.options);
    Ok(ruling.apply(asked.name, answer, result))
}

/// Runs the checker that `job` has as its program on an input, an output and the expected output.
pub(crate) async fn check(
    job: &Job,
    channel: &mut Channel,
    [input, output, expected]: [&[u8]; 3],
) -> Result<Checked, SandboxFault> {
    for (file, content) in [
        (CheckedFile::Input, input),
        (CheckedFile::Output, output),
        (CheckedFile::Answer, expected),
    ] {
        channel.put(File::Checked(file), content).await?;
    }
    let request = Check { limits: job.limits.for_runner() };
    channel.ask(request, job.limits.wall_stop() + ANSWER_MARGIN).await
}

/// Changes the outcome of a run whose output is too long for a checker. Returns the warning about
/// it.
fn too_long(name: &str, answer_bytes: u64, result: &mut TestCaseResult) -> Warning {
    result.set_outcome(Outcome::OutputLimit);
    result.set_verdict(TestVerdict::of(Outcome::OutputLimit, None));
    result.evidence = Some(Evidence {
        limit: LimitKind::Output.into(),
        limit_value: Some(mib(MAX_CHECKED_BYTES)),
        met_value: Some(mib(answer_bytes)),
        unit: LimitKind::Output.unit().into(),
        method: DetectionMethod::FileSize.into(),
        ..result.evidence.take().unwrap_or_default()
    });
    let problem = format!(
        "{name} ended with {}: the answer has {answer_bytes} bytes, and a checker \
         reads at most {MAX_CHECKED_BYTES}",
        Outcome::OutputLimit.name()
    );
    Warning::new(WarningCode::WrongAnswer, problem)
}

impl Ruling {
    /// Reads the decision of a checker from its ending within `limits`.
    pub(crate) fn of(checked: &Checked, limits: &RunLimits) -> Self {
        let message = first_line(&checked.message);
        let ended = judge(&checked.execution, limits, &checked.message);
        let mut given = None;
        let verdict = exit_code(&ended).and_then(|code| match code {
            ACCEPTED => Ok(TestVerdict::Accepted),
            WRONG_ANSWER => Ok(TestVerdict::WrongAnswer),
            PRESENTATION_ERROR | UNEXPECTED_EOF => Ok(TestVerdict::PresentationError),
            POINTS => {
                given = points(&message);
                let verdict = |points: f64| {
                    if points > 0.0 { TestVerdict::Accepted } else { TestVerdict::WrongAnswer }
                };
                given.map(verdict).ok_or_else(|| "gave no points on stderr".to_owned())
            }
            code => Err(format!("ended with exit code {code}")),
        });
        Self { verdict, points: given, message }
    }

    /// Compares an answer with the expected one, as `options` say.
    pub(crate) fn of_words([answer, expected]: [&[u8]; 2], options: &Options) -> Self {
        let Options { checker, tolerance, .. } = *options;
        let (verdict, message) = match rejected_word([answer, expected], checker, tolerance) {
            Some(WordDifference { number, words }) => {
                let [word, expected] = words.map(|word| match word {
                    Some(word) => quoted(&word, false),
                    None => "missing".into(),
                });
                let message = format!("word {number} is {word}, expected {expected}");
                (TestVerdict::WrongAnswer, message)
            }
            None if checker == Checker::Exact && answer != expected => {
                let message = "the words are right, the blanks or line ends are not";
                (TestVerdict::PresentationError, message.into())
            }
            None => (TestVerdict::Accepted, String::new()),
        };
        Self { verdict: Ok(verdict), points: None, message }
    }

    /// Returns what the judge says about an answer that it rejects; `None` if it accepts the
    /// answer. The error is the judge's own fault.
    pub(crate) fn rejection(self) -> Result<Option<String>, String> {
        let Self { verdict, message, .. } = self;
        let said =
            if message.is_empty() { "the checker rejects the output".into() } else { message };
        match verdict {
            Ok(TestVerdict::Accepted) => Ok(None),
            Ok(_) => Ok(Some(said)),
            Err(fault) => Err(format!("the checker {fault}")),
        }
    }

    /// Sets the verdict in `result`, with the beginning of an answer that is not accepted. Returns
    /// the warning about such an answer.
    fn apply(
        self,
        name: &str,
        mut answer: Vec<u8>,
        result: &mut TestCaseResult,
    ) -> Option<Warning> {
        let Self { verdict, points, message } = self;
        let said = if message.is_empty() { message.clone() } else { format!(": {message}") };
        (result.points, result.checker_message) = (points, message);
        if verdict == Ok(TestVerdict::Accepted) {
            result.correct = Some(true);
            result.set_verdict(TestVerdict::Accepted);
            return None;
        }
        answer.truncate(ANSWER_BYTES);
        result.answer = answer;
        let (code, problem) = match verdict {
            Ok(verdict) => {
                result.correct = Some(false);
                result.set_verdict(verdict);
                let said = if said.is_empty() { ", which the checker rejects" } else { &said };
                let printed = quoted(&result.answer, false);
                (WarningCode::WrongAnswer, format!("{name} printed {printed}{said}"))
            }
            Err(fault) => {
                result.reason = format!("the checker {fault}{said}");
                let problem = format!("{name} is not judged, because {}", result.reason);
                (WarningCode::CheckerFailed, problem)
            }
        };
        Some(Warning::new(code, problem))
    }
}

/// The points at the beginning of a checker's message.
fn points(message: &str) -> Option<f64> {
    let rest = message.strip_prefix(POINTS_WORD).unwrap_or(message);
    let number = rest.split_whitespace().next()?;
    number.parse().ok().filter(|points: &f64| points.is_finite())
}

#[cfg(test)]
mod tests;
