//! Programs of a task's author: checkers, validators and generators.
//!
//! Such a program runs in a sandbox in which the submitted program never runs. So neither can reach
//! the other, and no figure of the submitted program changes.

use crate::build::{Builder, build_program};
use crate::error::SandboxFault;
use crate::job::{Job, OtherProgram, RunLimits};
use crate::limits::JUDGE_MEMORY_BYTES;
use crate::measure::session::program_bytes;
use crate::report::Verdict;
use crate::sandbox::{Pool, Sandbox};
use profiler_proto::v1::{Evidence, Outcome};
use std::time::Duration;

/// Maximum length of a message in the report, in characters.
const MESSAGE: usize = 200;

/// Limits of one run of such a program.
pub(super) fn limits(timeout: Duration) -> RunLimits {
    RunLimits {
        timeout,
        grace: Duration::ZERO,
        memory_bytes: JUDGE_MEMORY_BYTES,
        address_space_bytes: None,
        clock: None,
    }
}

/// Makes the job of such a program, which belongs to `job`.
pub(crate) fn judge_job(job: &Job, program: &OtherProgram, builder: &Builder) -> Job {
    Job { limits: limits(builder.judge_timeout), ..job.of_other(program) }
}

/// A checker, a validator or a generator, in a sandbox of its own.
pub(super) struct JudgeProgram {
    /// The job with this program and its limits, without test cases.
    pub(super) job: Job,
    pub(super) sandbox: Sandbox,
}

/// Reason why such a program cannot run, as the end of a sentence.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unable {
    /// The compiler's error.
    #[error("does not compile: {0}")]
    DoesNotCompile(String),
    /// The fault of the sandbox, which did not start or was lost.
    #[error("has no sandbox: {0}")]
    NoSandbox(#[from] SandboxFault),
}

impl JudgeProgram {
    /// Compiles a program of `job` in a sandbox of `pool`. Besides the input, the sandbox has room
    /// for files of `file_bytes`.
    pub(super) async fn start(
        job: &Job,
        program: &OtherProgram,
        file_bytes: u64,
        (builder, pool): (&Builder, &Pool),
    ) -> Result<Self, Unable> {
        let judging = judge_job(job, program, builder);
        let mut sandbox = pool.acquire().await?;
        let built = build_program(&judging, builder, pool, &mut sandbox).await?;
        if let Err(why) = built.binary {
            sandbox.end().await;
            return Err(Unable::DoesNotCompile(why));
        }
        let bytes = program_bytes(&judging, &sandbox) + file_bytes;
        sandbox.lease.limit_memory(bytes).await?;
        Ok(Self { job: Job { test_cases: Vec::new(), ..judging }, sandbox })
    }

    /// Destroys the sandbox, and returns when it is gone.
    pub(super) async fn end(self) {
        self.sandbox.end().await;
    }
}

/// Returns the exit code of a run, or the program's fault: it died or met a limit.
pub(super) fn exit_code(ended: &Verdict) -> Result<i32, String> {
    let Evidence { exit_code, signal, .. } = &ended.evidence;
    match (ended.outcome, exit_code, signal) {
        (Outcome::Ok | Outcome::RuntimeError, Some(code), _) => Ok(*code),
        (Outcome::RuntimeError, None, Some(signal)) => Err(format!("ended with {signal}")),
        (limit, ..) => Err(format!("ended with {}", limit.name())),
    }
}

/// The first line of a text, without control characters and at most [`MESSAGE`] characters long.
pub(super) fn first_line(text: &[u8]) -> String {
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    line.trim().chars().filter(|it| !it.is_control()).take(MESSAGE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_is_one_clean_line_of_bounded_length() {
        let hostile = b"\x1b[31mwrong\x07 \xff answer\r\nsecond";
        assert_eq!(first_line(hostile), "[31mwrong \u{fffd} answer");
        assert_eq!(first_line(b"\nsecond"), "");
        assert_eq!(first_line(&[b'a'; 5000]).len(), MESSAGE);
    }
}
