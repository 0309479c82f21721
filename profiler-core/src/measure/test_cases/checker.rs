//! Checkers: programs that judge the answers to test cases, as testlib's checkers do.
//!
//! A checker runs after the program's run has ended, in a sandbox in which the program never runs.
//! So neither can reach the other, and the checker changes no figure of the program.

use crate::build::{Builder, build_program};
use crate::error::SandboxFault;
use crate::figures::units::mib;
use crate::job::{Job, RunLimits};
use crate::limits::{
    ALLOWANCE_BYTES, ANSWER_MARGIN, CHECKER_MEMORY_BYTES, CHECKER_TIMEOUT, MAX_ANSWER_BYTES,
    MAX_CHECKED_BYTES,
};
use crate::measure::answer::{ANSWER_BYTES, quoted};
use crate::measure::session::MeasureSession;
use crate::measure::verdict::judge;
use crate::report::ending_name;
use crate::sandbox::{Borrowed, Pool};
use profiler_proto::v1::{
    DetectionMethod, Evidence, LimitKind, Outcome, TestCase, TestCaseResult, TestVerdict, Warning,
    WarningCode,
};
use runner_protocol::{Check, Checked, CheckedFile, Ending, File};
use std::time::Duration;

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
/// Reasons why no answer is judged.
const DOES_NOT_COMPILE: &str = "the checker does not compile";
const NO_SANDBOX: &str = "the checker has no sandbox";
/// Maximum length of a checker's message in the report, in characters.
const MESSAGE: usize = 200;
/// Limits of one run of a checker.
const LIMITS: RunLimits = RunLimits {
    timeout: CHECKER_TIMEOUT,
    grace: Duration::ZERO,
    memory_bytes: CHECKER_MEMORY_BYTES,
    address_space_bytes: None,
    clock: None,
};

/// The checker of a job, in a sandbox of its own.
pub(crate) struct CheckerSandbox {
    /// The sandbox with the checker, until it is lost.
    sandbox: Result<Borrowed, Unable>,
}

/// Reason why a checker judges no answer, and the cause: the compiler's error, or the fault of its
/// sandbox.
struct Unable {
    why: &'static str,
    cause: String,
}

impl From<SandboxFault> for Unable {
    fn from(fault: SandboxFault) -> Self {
        Self { why: NO_SANDBOX, cause: fault.to_string() }
    }
}

/// Decision of a checker.
#[derive(Debug, PartialEq)]
struct Ruling {
    /// The verdict on the answer, or the reason why the checker failed.
    verdict: Result<TestVerdict, String>,
    points: Option<f64>,
    /// The first line of the checker's stderr.
    message: String,
}

impl CheckerSandbox {
    /// Compiles the job's checker in a sandbox of `pool`. `None` if the job has no checker.
    pub(crate) async fn start(job: &Job, builder: &Builder, pool: &Pool) -> Option<Self> {
        let checker = job.of_other(job.checker.as_ref()?);
        Some(Self { sandbox: compiled(&checker, builder, pool).await })
    }

    /// Returns the warning about a checker that can judge no answer.
    pub(crate) fn warning(&self) -> Option<Warning> {
        let Unable { why, cause } = self.sandbox.as_ref().err()?;
        Some(Warning::new(WarningCode::CheckerFailed, format!("{why}: {cause}")))
    }

    /// Reason why the checker can judge no further answer, if there is one.
    pub(crate) fn unable(&self) -> Option<&'static str> {
        self.sandbox.as_ref().err().map(|unable| unable.why)
    }

    /// Judges the answer of `session`'s last run, which ended OK and wrote `answer_bytes` bytes.
    /// Sets the verdict in `result`. Returns the warning about the verdict, and the time of the
    /// checker. A fault of the checker's own sandbox leaves the case without a verdict.
    pub(crate) async fn judge(
        &mut self,
        session: &mut MeasureSession<'_>,
        (number, case): (usize, &TestCase),
        answer_bytes: u64,
        result: &mut TestCaseResult,
    ) -> Result<(Option<Warning>, Duration), SandboxFault> {
        (result.correct, result.answer) = (None, Vec::new());
        result.set_verdict(TestVerdict::NotRun);
        if answer_bytes > MAX_CHECKED_BYTES {
            return Ok((Some(too_long(number, answer_bytes, result)), Duration::ZERO));
        }
        let sandbox = match &mut self.sandbox {
            Ok(sandbox) => sandbox,
            Err(Unable { why, .. }) => {
                result.reason = (*why).into();
                return Ok((None, Duration::ZERO));
            }
        };
        let answer = session.channel.fetch_stdout(answer_bytes).await?;
        let (ruling, wall_ns) = match check(sandbox, case, &answer).await {
            Ok(checked) => (Ruling::of(&checked), checked.execution.sample.wall_ns),
            Err(fault) => {
                let verdict = Err(format!("has no sandbox: {fault}"));
                self.sandbox = Err(fault.into());
                (Ruling { verdict, points: None, message: String::new() }, 0)
            }
        };
        Ok((ruling.apply(number, answer, result), Duration::from_nanos(wall_ns)))
    }

    /// Destroys the sandbox, and returns when it is gone.
    pub(crate) async fn end(self) {
        if let Ok(sandbox) = self.sandbox {
            sandbox.end().await;
        }
    }
}

/// Compiles a checker in a sandbox of its own.
async fn compiled(checker: &Job, builder: &Builder, pool: &Pool) -> Result<Borrowed, Unable> {
    let mut sandbox = pool.acquire().await?;
    let built = build_program(checker, builder, pool, &mut sandbox).await?;
    if let Err(cause) = built.binary {
        sandbox.end().await;
        return Err(Unable { why: DOES_NOT_COMPILE, cause });
    }
    let file_bytes = checker.input_bytes() + MAX_CHECKED_BYTES + MAX_ANSWER_BYTES as u64;
    let bytes = CHECKER_MEMORY_BYTES + file_bytes + sandbox.builds_bytes + ALLOWANCE_BYTES;
    sandbox.lease.limit_memory(bytes).await?;
    Ok(sandbox)
}

/// Runs the checker on an answer to a test case.
async fn check(
    sandbox: &mut Borrowed,
    case: &TestCase,
    answer: &[u8],
) -> Result<Checked, SandboxFault> {
    for (file, content) in [
        (CheckedFile::Input, case.input.as_bytes()),
        (CheckedFile::Output, answer),
        (CheckedFile::Answer, case.output.as_bytes()),
    ] {
        sandbox.channel.put(File::Checked(file), content).await?;
    }
    let request = Check { limits: LIMITS.for_runner() };
    sandbox.channel.ask(request, LIMITS.wall_stop() + ANSWER_MARGIN).await
}

/// Changes the outcome of a run whose output is too long for a checker. Returns the warning about
/// it.
fn too_long(number: usize, answer_bytes: u64, result: &mut TestCaseResult) -> Warning {
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
        "test {number} ended with {}: the answer has {answer_bytes} bytes, and a checker \
         reads at most {MAX_CHECKED_BYTES}",
        Outcome::OutputLimit.name()
    );
    Warning::new(WarningCode::WrongAnswer, problem)
}

impl Ruling {
    /// Reads the decision of a checker from its ending.
    fn of(checked: &Checked) -> Self {
        let message = first_line(&checked.message);
        let (ending, mut given) = (checked.execution.ending, None);
        let verdict = match judge(&checked.execution, &LIMITS, &checked.message).outcome {
            Outcome::Ok => Ok(TestVerdict::Accepted),
            Outcome::RuntimeError => match ending {
                Ending::Exited(WRONG_ANSWER) => Ok(TestVerdict::WrongAnswer),
                Ending::Exited(PRESENTATION_ERROR | UNEXPECTED_EOF) => {
                    Ok(TestVerdict::PresentationError)
                }
                Ending::Exited(POINTS) => {
                    given = points(&message);
                    let verdict = |points: f64| {
                        if points > 0.0 { TestVerdict::Accepted } else { TestVerdict::WrongAnswer }
                    };
                    given.map(verdict).ok_or_else(|| "gave no points on stderr".to_owned())
                }
                _ => Err(format!("ended with {}", ending_name(ending))),
            },
            limit => Err(format!("ended with {}", limit.name())),
        };
        Self { verdict, points: given, message }
    }

    /// Sets the verdict in `result`, with the beginning of an answer that is not accepted. Returns
    /// the warning about such an answer.
    fn apply(
        self,
        number: usize,
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
                (WarningCode::WrongAnswer, format!("test {number} printed {printed}{said}"))
            }
            Err(fault) => {
                result.reason = format!("the checker {fault}{said}");
                let problem = format!("test {number} is not judged, because {}", result.reason);
                (WarningCode::CheckerFailed, problem)
            }
        };
        Some(Warning::new(code, problem))
    }
}

/// The first line of a text, without control characters and at most [`MESSAGE`] characters long.
fn first_line(text: &[u8]) -> String {
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    line.trim().chars().filter(|it| !it.is_control()).take(MESSAGE).collect()
}

/// The points at the beginning of a checker's message.
fn points(message: &str) -> Option<f64> {
    let rest = message.strip_prefix(POINTS_WORD).unwrap_or(message);
    let number = rest.split_whitespace().next()?;
    number.parse().ok().filter(|points: &f64| points.is_finite())
}

#[cfg(test)]
mod tests;
