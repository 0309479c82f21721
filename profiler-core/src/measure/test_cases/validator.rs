//! Validators: programs that check the inputs of a task, as testlib's validators do. A validator
//! reads an input on stdin.

use super::judge_program::{JudgeProgram, Unable, exit_code, first_line};
use crate::build::Builder;
use crate::job::{Inputs, Job, Point};
use crate::measure::answer::Answer;
use crate::measure::session::{InputOf, MeasureSession};
use crate::sandbox::Pool;
use profiler_proto::v1::{Warning, WarningCode};
use std::time::Duration;

/// Exit code of a validator that accepts an input.
const VALID: i32 = 0;
/// Exit codes by which a validator rejects an input: testlib's `_wa`, `_pe`, `_fail`, `_dirt` and
/// `_unexpected_eof`.
const INVALID: [i32; 5] = [1, 2, 3, 4, 8];

/// The validator of a job, in a sandbox of its own.
pub(crate) struct Validator {
    /// The program, until it fails.
    program: Option<JudgeProgram>,
    /// The warning that it has failed, until the warning is taken.
    fault: Option<Warning>,
}

impl Validator {
    /// Compiles the job's validator in a sandbox of `pool`. `None` if the job has no validator.
    pub(crate) async fn start(job: &Job, builder: &Builder, pool: &Pool) -> Option<Self> {
        let validator = job.validator.as_ref()?;
        Some(match JudgeProgram::start(job, validator, 0, (builder, pool)).await {
            Ok(program) => Self { program: Some(program), fault: None },
            Err(unable) => {
                let problem = format!("no input is checked, because the validator {unable}");
                Self { program: None, fault: Some(failure(problem)) }
            }
        })
    }

    /// Takes the warning about a validator that has failed.
    pub(crate) fn take_fault(&mut self) -> Option<Warning> {
        self.fault.take()
    }

    /// Checks an input, which `name` names. Returns why the input is invalid, and the time of the
    /// validator. A validator that fails checks no further input.
    pub(crate) async fn check(
        &mut self,
        input: impl Into<InputOf<'_>>,
        name: &str,
    ) -> (Option<String>, Duration) {
        let Some(JudgeProgram { job, sandbox }) = &mut self.program else {
            return (None, Duration::ZERO);
        };
        let mut session = MeasureSession::new(job, &mut sandbox.channel, None);
        let (ended, took) = match Answer::of_run(&mut session, input).await {
            Ok(ran) => {
                let took = Duration::from_nanos(ran.sample.wall_ns);
                let said = first_line(&ran.written.stderr_tail);
                (exit_code(&ran.verdict).map(|code| (code, said)), took)
            }
            Err(fault) => (Err(Unable::from(fault).to_string()), Duration::ZERO),
        };
        let why = match ended {
            Ok((VALID, _)) => return (None, took),
            Ok((code, said)) if INVALID.contains(&code) => {
                let silent = format!("the validator ended with exit code {code}");
                return (Some(if said.is_empty() { silent } else { said }), took);
            }
            Ok((code, _)) => format!("ended with exit code {code}"),
            Err(why) => why,
        };
        let problem = format!("inputs are not checked from {name} on, because the validator {why}");
        self.fault = Some(failure(problem));
        if let Some(program) = self.program.take() {
            program.end().await;
        }
        (None, took)
    }

    /// Checks the inputs of `job`'s smallest and largest size, and all explicit inputs. Returns the
    /// sentence about the first one that is invalid.
    pub(crate) async fn check_sizes(&mut self, job: &Job) -> Option<String> {
        let (names, are_all) = match &job.inputs {
            // It holds nothing of the task.
            Inputs::Size => return None,
            Inputs::Explicit(_) => (Vec::new(), true),
            Inputs::Described(candidates) => (candidates.names(), false),
        };
        let first_rung = usize::from(!job.sizes.possible().is_empty());
        let sizes = &job.sizes.requested()[..job.sizes.certain().len() + first_rung];
        let ends = [sizes.first().copied(), sizes.last().copied()];
        let is_checked = |size: &u64| are_all || ends.contains(&Some(*size));
        for size in sizes.iter().copied().filter(is_checked) {
            for candidate in 0..job.candidates() {
                let candidate_name = names.get(candidate as usize).filter(|_| names.len() > 1);
                let spec = candidate_name.map(|name| format!(", {name}")).unwrap_or_default();
                let name = format!("the input of n = {size}{spec}");
                if let (Some(why), _) = self.check(Point { size, candidate }, &name).await {
                    return Some(format!("{name} is invalid: {why}"));
                }
            }
        }
        None
    }

    /// Destroys the sandbox, and returns when it is gone.
    pub(crate) async fn end(self) {
        if let Some(program) = self.program {
            program.end().await;
        }
    }
}

fn failure(message: String) -> Warning {
    Warning::new(WarningCode::ValidatorFailed, message)
}
