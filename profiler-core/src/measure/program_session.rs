//! One program that runs on inputs of the caller's choice, outside of any report. It is compiled
//! once, and runs once on each input. Nothing is timed, so no processor is reserved.

use crate::build::{Builder, build_program, compiler};
use crate::error::SandboxFault;
use crate::job::{Job, OtherProgram};
use crate::limits::{
    ALLOWANCE_BYTES, COMPILING_BYTES, MAX_CHECKED_BYTES, MAX_INPUT_BYTES, MAX_SANITIZED,
    RECORD_BYTES, SANITIZED_SLOW_DOWN,
};
use crate::measure::answer::Answer;
use crate::measure::session::sanitized::sanitized_bytes;
use crate::measure::session::{InputOf, MeasureSession};
use crate::measure::startup;
use crate::measure::test_cases::{Ruling, check, judge_job, run_generator};
use crate::measure::verdict::judge_binary;
use crate::sandbox::{Pool, Sandbox};
use profiler_decode::diagnostics::sanitizer::Finding;
use profiler_proto::v1::{CompileStep, SanitizerFinding};
use runner_protocol::{
    Binary, Counted, CountedSeries, Ending, InputCount, MAX_SERIES_BYTES, MAX_SERIES_INPUTS,
    Sample, SeriesLines, SourceLine, Variant, Written,
};
use std::time::Duration;

/// Number of outputs in a checker's sandbox, besides the input.
const CHECKED_FILES: u64 = 2;
/// Number of inputs tried in the next process, as a multiple of the number counted in the last one.
const SERIES_GROWTH: usize = 4;

/// A program in a sandbox of its own. [`Self::start`] it, [`Self::compile`] it, [`Self::run`] it on
/// any number of inputs, and [`Self::end`] it: a sandbox that is only dropped may outlive the
/// process.
pub struct ProgramSession {
    pub(super) job: Job,
    pool: Pool,
    sandbox: Sandbox,
    binary: Option<Binary>,
    /// Size of files in the sandbox besides the input, in bytes.
    files_bytes: u64,
    /// Number of inputs worth trying in one process of the counter.
    series: usize,
}

/// Reason why there is no program to run.
#[derive(Debug, Clone, PartialEq)]
pub struct NotCompiled {
    /// The compiler's command and output.
    pub step: CompileStep,
    /// Reason why there is no binary, in one sentence.
    pub because: String,
}

impl ProgramSession {
    /// Starts a sandbox of `pool` for the program of `job`. Only the source, the flags and the
    /// limits of the job matter.
    pub async fn start(job: Job, pool: &Pool) -> Result<Self, SandboxFault> {
        let sandbox = pool.acquire().await?;
        let (pool, series) = (pool.clone(), MAX_SERIES_INPUTS);
        Ok(Self { job, pool, sandbox, binary: None, files_bytes: 0, series })
    }

    /// Compiles the program.
    pub async fn compile(
        &mut self,
        builder: &Builder,
    ) -> Result<Result<(), NotCompiled>, SandboxFault> {
        let Self { job, pool, sandbox, binary, .. } = self;
        let built = build_program(job, builder, pool, sandbox).await?;
        match built.binary {
            Ok(made) => *binary = Some(made),
            Err(because) => return Ok(Err(NotCompiled { step: built.step, because })),
        }
        self.limit_memory(0).await.map(Ok)
    }

    /// Limits the sandbox's memory to what the program and its files need, plus `more` bytes.
    pub(super) async fn limit_memory(&mut self, more: u64) -> Result<(), SandboxFault> {
        let files = MAX_INPUT_BYTES as u64 + self.files_bytes + self.sandbox.builds_bytes;
        let bytes = self.job.limits.memory_bytes + files + ALLOWANCE_BYTES + more;
        self.sandbox.lease.limit_memory(bytes).await
    }

    /// Runs the compiled program once on `input`, which has at most [`MAX_INPUT_BYTES`]. It finds
    /// nothing that an earlier run left.
    pub async fn run(&mut self, input: &[u8]) -> Result<Answer, SandboxFault> {
        let too_large = self.binary.and_then(|binary| judge_binary(binary, &self.job.limits));
        if let Some(verdict) = too_large {
            let (written, sample) = (Written::default(), Sample::default());
            return Ok(Answer { verdict, written, sample });
        }
        Answer::of_run(&mut self.session(), input).await
    }

    /// Returns the output of the last run, which wrote `bytes` bytes.
    pub(super) async fn output(&mut self, bytes: u64) -> Result<Vec<u8>, SandboxFault> {
        self.sandbox.channel.fetch_stdout(bytes).await
    }

    /// Makes a session for runs of the compiled program.
    pub(super) fn session(&mut self) -> MeasureSession<'_> {
        MeasureSession::new(&self.job, &mut self.sandbox.channel, None)
    }

    /// Puts the instruction counter into the sandbox, for counts of runs and of lines.
    pub async fn place_counter(&mut self) -> Result<(), SandboxFault> {
        self.session().place_counter().await
    }

    /// Counts the instructions of one run on `input`, for at most `within` of wall clock.
    pub async fn count(&mut self, input: &[u8], within: Duration) -> Result<Counted, SandboxFault> {
        self.session().count(input, within).await
    }

    /// Counts the instructions of one run on each of the first few `inputs`, for at most `within`
    /// of wall clock each. The number of counted inputs depends on the program, and is at least one
    /// unless `inputs` is empty. The counts equal those of [`Self::count`], and take much less time
    /// unless a run changes something that the next run could notice.
    pub async fn count_first(
        &mut self,
        inputs: &[&[u8]],
        within: Duration,
    ) -> Result<Vec<InputCount>, SandboxFault> {
        let (counts, _) = self.count_series(inputs, SeriesLines::None, within).await?;
        match inputs.first() {
            Some(input) if counts.is_empty() => Ok(vec![self.count(input, within).await?.into()]),
            _ => Ok(counts),
        }
    }

    /// Counts the instructions of the empty program. `None` if it does not compile or cannot be
    /// counted.
    pub(super) async fn count_empty(
        &mut self,
        builder: &Builder,
    ) -> Result<Option<u64>, SandboxFault> {
        self.limit_memory(COMPILING_BYTES).await?;
        let built = builder.obtain(&self.job, &mut self.sandbox, Variant::Empty).await?;
        self.limit_memory(0).await?;
        let is_built = built.compiled.binary.is_some();
        if is_built { startup::count(&mut self.session()).await } else { Ok(None) }
    }

    /// Counts the instructions of the program, and looks at `lines`, on the first few `inputs` in
    /// one process. Returns no counts if the first input is too long for a series, or if the
    /// process gives no count. Without `lines`, a single input is not counted, because
    /// [`Self::count`] is as fast. Also returns the lines with code, if they are asked for and
    /// known.
    pub(super) async fn count_series(
        &mut self,
        inputs: &[&[u8]],
        lines: SeriesLines,
        within: Duration,
    ) -> Result<(Vec<InputCount>, Vec<SourceLine>), SandboxFault> {
        let mut bytes = 0;
        let fits = |input: &&&[u8]| {
            bytes += size_of::<u32>() + input.len();
            bytes <= MAX_SERIES_BYTES
        };
        let count = inputs.iter().take(self.series).take_while(fits).count();
        let least = if lines == SeriesLines::None { 2 } else { 1 };
        if count < least {
            return Ok((Vec::new(), Vec::new()));
        }
        let inputs = &inputs[..count];
        let counted = self.session().count_series(inputs, lines, within).await?;
        let CountedSeries { mut counts, code_lines, .. } = counted;
        counts.truncate(inputs.len());
        // If a process counts few inputs, the next process gets few, because it would read more in
        // vain.
        self.series = (SERIES_GROWTH * counts.len()).clamp(2, MAX_SERIES_INPUTS);
        Ok((counts, code_lines))
    }

    /// Compiles the build that records its allocations. Returns whether it could be built.
    pub(crate) async fn compile_allocations(
        &mut self,
        builder: &Builder,
    ) -> Result<bool, SandboxFault> {
        self.limit_memory(COMPILING_BYTES).await?;
        let built = builder.obtain(&self.job, &mut self.sandbox, Variant::Allocations).await?;
        self.limit_memory(RECORD_BYTES).await?;
        Ok(built.compiled.binary.is_some())
    }

    /// Compiles the build with sanitizers. Returns the reason if it cannot be built.
    pub async fn compile_sanitized(
        &mut self,
        builder: &Builder,
    ) -> Result<Result<(), String>, SandboxFault> {
        let Self { job, sandbox, .. } = self;
        sandbox.lease.limit_memory(COMPILING_BYTES).await?;
        let compiled = builder.obtain(job, sandbox, Variant::Sanitized).await?.compiled;
        let (_, binary) = compiler::step_and_binary(&compiled, builder.limits);
        let memory_bytes = job.limits.memory_bytes;
        self.limit_memory(sanitized_bytes(memory_bytes).saturating_sub(memory_bytes)).await?;
        let failed = |why| format!("the program cannot be built with sanitizers: {why}");
        Ok(binary.map(drop).map_err(failed))
    }

    /// Runs the build with sanitizers once on `input`. The error is the end of a run in which no
    /// sanitizer found anything.
    pub(crate) async fn run_sanitized(
        &mut self,
        input: impl Into<InputOf<'_>>,
    ) -> Result<Result<SanitizerFinding, Ending>, SandboxFault> {
        let within = (SANITIZED_SLOW_DOWN * self.job.limits.timeout).min(MAX_SANITIZED);
        let (execution, written) = self.session().sanitized(input, within).await?;
        let found = Finding::parse(&written.stderr_tail, &self.job.own_files());
        let failed = !execution.ending.is_success();
        Ok(found.filter(|_| failed).map(published).ok_or(execution.ending))
    }

    /// Starts a sandbox of `pool` for the checker of `job`. `None` if it has none.
    pub async fn start_checker(
        job: &Job,
        builder: &Builder,
        pool: &Pool,
    ) -> Result<Option<Self>, SandboxFault> {
        let Some(checker) = &job.checker else { return Ok(None) };
        let session = Self::start(judge_job(job, checker, builder), pool).await?;
        Ok(Some(Self { files_bytes: CHECKED_FILES * MAX_CHECKED_BYTES, ..session }))
    }

    /// Runs this program, a checker, on an input, an output and the expected output. Returns what
    /// it says if it rejects the output. The error is its own fault.
    pub(super) async fn check(
        &mut self,
        files: [&[u8]; 3],
    ) -> Result<Result<Option<String>, String>, SandboxFault> {
        let checked = check(&self.job, &mut self.sandbox.channel, files).await?;
        Ok(Ruling::of(&checked, &self.job.limits).rejection())
    }

    /// Starts a sandbox of `pool` for a generator. It has the limits of a checker.
    pub async fn start_generator(
        job: &Job,
        generator: &OtherProgram,
        (builder, pool): (&Builder, &Pool),
    ) -> Result<Self, SandboxFault> {
        Self::start(judge_job(job, generator, builder), pool).await
    }

    /// Runs this program, a generator, with n and a seed as its arguments. Returns the input that
    /// it writes. The error is its own fault, as a sentence.
    pub async fn generate(
        &mut self,
        n: u64,
        seed: u32,
    ) -> Result<Result<Vec<u8>, String>, SandboxFault> {
        let channel = &mut self.sandbox.channel;
        Ok(match run_generator(&self.job, channel, (n, seed)).await? {
            Ok(written) => Ok(channel.fetch_stdout(written.stdout_bytes).await?),
            Err(fault) => Err(format!("the generator {}", fault.reason())),
        })
    }

    /// Destroys the sandbox; returns when it is gone.
    pub async fn end(self) {
        self.sandbox.end().await;
    }
}

fn published(finding: Finding) -> SanitizerFinding {
    let Finding { sanitizer, kind, detail, file, line, function } = finding;
    SanitizerFinding { sanitizer: sanitizer.into(), kind, detail, file, line, function }
}

#[cfg(test)]
pub(super) mod tests;
