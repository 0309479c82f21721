//! Runs that a job requests from the runner, once there is a binary.

pub(super) mod bench;
pub(crate) mod beside;
pub(crate) mod own_core;
pub(crate) mod sanitized;
mod side_limits;
mod side_runs;
mod stop;

use crate::build::put_files;
use crate::error::SandboxFault;
use crate::job::{Inputs, Job, Point, generator_limits};
use crate::limits::{
    ALLOWANCE_BYTES, ANSWER_MARGIN, GENERATE_TIMEOUT, LEAST_REPETITIONS, MOST_REPETITIONS,
    SERIES_MARGIN, SERIES_TIME,
};
use crate::measure::interactive;
use crate::report::{Fed, ending_name};
use crate::sandbox::{Channel, Sandbox};
use profiler_input::Recipe;
use runner_protocol::ask::{Count, CountForked, Probe, Repeat, Trace};
use runner_protocol::{
    BatchResult, Continue, CountSeries, Counted, CountedSeries, Execution, File, Generate, Input,
    MAX_STDOUT_HEAD_BYTES, NamedFiles, Probed, Run, SeriesLines, Subject, Traced, Variant, Written,
};
use side_limits::{counted, traced, wall_limited};
use std::time::Duration;
use stop::{brief_stop, stop};

/// Number of wall-clock limits by which a batch can outlast its budget, because a run can begin
/// just before the end.
const STOPS_PER_BATCH: u32 = 2;
/// Number of programs that a request with addr2line runs, each within the time of a run: the
/// program and addr2line.
const STOPS_WITH_ADDR2LINE: u32 = 2;
/// Number of processes that a forked count can take, each within the time of a run: the forked one,
/// and one that is started if the first gives no count.
const STARTS_PER_FORK: u32 = 2;
/// Number of programs that a trace runs: the program, addr2line and c++filt.
const STOPS_PER_TRACE: u32 = 3;

/// Input of a run.
pub(crate) enum InputOf<'a> {
    /// Input of a point of the job.
    Point(Point),
    /// Bytes from the caller.
    Bytes(&'a [u8]),
    /// Input of a point, continued by texts, each with the number of its repetitions; see
    /// [`Continue`]. The run keeps as much of its output as possible.
    Continued(Point, &'a [(&'static str, u32)]),
}

impl From<Point> for InputOf<'_> {
    fn from(point: Point) -> Self {
        Self::Point(point)
    }
}

impl<'a> From<&'a [u8]> for InputOf<'a> {
    fn from(input: &'a [u8]) -> Self {
        Self::Bytes(input)
    }
}

/// Requests runs of one job from a runner.
pub(crate) struct MeasureSession<'a> {
    pub(crate) job: &'a Job,
    pub(crate) channel: &'a mut Channel,
    /// The processor that the program is pinned to.
    pub(crate) core: Option<u32>,
    /// The point whose input is in the sandbox, and that input.
    placed: Option<(Point, Fed)>,
    /// Whether the generator has been put into the sandbox.
    generates: bool,
}

impl<'a> MeasureSession<'a> {
    /// Makes a session for runs of `job` by the runner at the other end of `channel`, pinned to
    /// `core` if there is one.
    pub(crate) fn new(job: &'a Job, channel: &'a mut Channel, core: Option<u32>) -> Self {
        Self { job, channel, core, placed: None, generates: false }
    }

    /// Makes the same session with the runner at the other end of another channel.
    pub(crate) fn elsewhere(&self, channel: &'a mut Channel) -> Self {
        Self::new(self.job, channel, self.core)
    }

    /// Makes all timed runs of one size: as many as the job says, or within `budget` until the
    /// headline is precise enough.
    pub(crate) async fn timed(
        &mut self,
        point: Point,
        budget: Duration,
    ) -> Result<BatchResult, SandboxFault> {
        let budget = self.job.repetitions_time().unwrap_or(budget);
        let stop = match (self.job.options.repetitions, self.job.brief_precision()) {
            (Some(count), _) => stop(count, count, budget),
            // Without a budget, a warm-up is the only run.
            (None, Some(_)) if self.job.runs_once() => stop(1, 1, Duration::ZERO),
            (None, Some(precision)) => brief_stop(precision, budget),
            (None, None) => stop(LEAST_REPETITIONS, MOST_REPETITIONS, budget),
        };
        let interactor = interactive::limits(self.job);
        let warm_up = interactor.is_none();
        let gnu_time = warm_up && self.job.brief_precision().is_none();
        let run = Run { warm_up, gnu_time, interactor, stop, ..self.point(point).await? };
        self.batch(run, budget).await
    }

    /// Times a subject other than the program, without a warm-up.
    pub(crate) async fn time_subject(
        &mut self,
        subject: Subject,
        (least, most): (u32, u32),
        budget: Duration,
    ) -> Result<BatchResult, SandboxFault> {
        let stop = stop(least, most, budget);
        let run = Run { subject, stop, stdout_head: 0, ..self.once(Input::Size(0)) };
        self.batch(run, budget).await
    }

    /// Times exactly `runs` runs of another build of the program, without a warm-up. The build
    /// replaces the one in the sandbox.
    pub(crate) async fn time_build(
        &mut self,
        binary: &[u8],
        point: Point,
        runs: u32,
    ) -> Result<BatchResult, SandboxFault> {
        self.channel.put(File::Binary(Variant::Plain), binary).await?;
        let budget = runs * self.job.limits.wall_stop();
        let run = self.point(point).await?;
        self.batch(Run { stop: stop(runs, runs, budget), stdout_head: 0, ..run }, budget).await
    }

    /// Runs the program once within its own limits, and keeps as much of its output as possible.
    pub(crate) async fn answer(
        &mut self,
        input: impl Into<InputOf<'_>>,
    ) -> Result<BatchResult, SandboxFault> {
        let run = self.on(input).await?;
        let run = Run { stdout_head: MAX_STDOUT_HEAD_BYTES, ..run };
        self.batch(run, Duration::ZERO).await
    }

    /// Runs the program once, for at most `within` of wall clock.
    pub(crate) async fn run(
        &mut self,
        input: impl Into<InputOf<'_>>,
        within: Duration,
    ) -> Result<(Execution, Written), SandboxFault> {
        let run = self.on(input).await?;
        let run = Run { limits: wall_limited(run.limits, within), ..run };
        self.single(run, within).await
    }

    /// Runs the program once as a memory probe, for at most `within` of wall clock.
    pub(crate) async fn probe(
        &mut self,
        input: impl Into<InputOf<'_>>,
        within: Duration,
    ) -> Result<Probed, SandboxFault> {
        let run = self.on(input).await?;
        let run = Run { limits: wall_limited(run.limits, within), ..run };
        self.channel.ask(Probe(run), within + ANSWER_MARGIN).await
    }

    /// Puts `input` into the sandbox in place of the input of `point`. Runs of `point` use it until
    /// another point runs or [`Self::forget_input`] is called.
    pub(crate) async fn replace_input(
        &mut self,
        point: Point,
        input: &[u8],
    ) -> Result<(), SandboxFault> {
        self.channel.put(File::Input, input).await?;
        self.placed = Some((point, Fed::of(input)));
        Ok(())
    }

    /// Forgets the input in the sandbox, so that the next run gets its own input, even at a point
    /// whose input was replaced.
    pub(crate) fn forget_input(&mut self) {
        self.placed = None;
    }

    /// Puts the instruction counter into the sandbox, for [`Self::count`].
    pub(crate) async fn place_counter(&mut self) -> Result<(), SandboxFault> {
        self.channel.put(File::Counter, sandbox_image::COUNTER).await
    }

    /// Counts the instructions of one run, for at most `within` of wall clock. The counter must be
    /// in the sandbox.
    pub(crate) async fn count(
        &mut self,
        input: impl Into<InputOf<'_>>,
        within: Duration,
    ) -> Result<Counted, SandboxFault> {
        let run = self.on(input).await?;
        let run = Run { limits: counted(run.limits, within), ..run };
        self.channel.ask(Count(run), within + ANSWER_MARGIN).await
    }

    /// Like [`Self::count`], for one of many runs. The run's process is forked from one in which
    /// the program has not read its input yet. That takes less time than a start, and gives the
    /// same count.
    pub(crate) async fn count_forked(
        &mut self,
        input: impl Into<InputOf<'_>>,
        within: Duration,
    ) -> Result<Counted, SandboxFault> {
        if self.job.options.files != NamedFiles::default() {
            return self.count(input, within).await;
        }
        let run = self.on(input).await?;
        let run = Run { limits: counted(run.limits, within), ..run };
        self.channel.ask(CountForked(run), STARTS_PER_FORK * within + ANSWER_MARGIN).await
    }

    /// Counts the instructions of one run of a subject other than the program, like
    /// [`Self::count`].
    pub(crate) async fn count_subject(
        &mut self,
        subject: Subject,
        within: Duration,
    ) -> Result<Counted, SandboxFault> {
        let run = self.once(Input::Size(0));
        let run = Run { subject, limits: counted(run.limits, within), stdout_head: 0, ..run };
        self.channel.ask(Count(run), within + ANSWER_MARGIN).await
    }

    /// Counts one run of the program on each of the first few `inputs`, for at most `within` each.
    /// One process counts as many runs as it can. The inputs must fit into a series.
    pub(crate) async fn count_series(
        &mut self,
        inputs: &[&[u8]],
        lines: SeriesLines,
        within: Duration,
    ) -> Result<CountedSeries, SandboxFault> {
        // A process that counts many runs would find the files as the first run left them.
        if let Some(first) = inputs.first()
            && self.job.options.files != NamedFiles::default()
        {
            let counted = self.count(*first, within).await?;
            let execution = counted.execution.clone();
            let (counts, code_lines) = (vec![counted.into()], Vec::new());
            return Ok(CountedSeries { execution, counts, code_lines });
        }
        let mut framed = Vec::new();
        for input in inputs {
            framed.extend(u32::try_from(input.len()).unwrap_or(u32::MAX).to_le_bytes());
            framed.extend_from_slice(input);
        }
        self.channel.put(File::Inputs, &framed).await?;
        let run = self.once(Input::Put);
        let whole = SERIES_TIME + within + SERIES_MARGIN;
        let (limits, stops) = match &lines {
            SeriesLines::None => (counted(run.limits, whole), 1),
            SeriesLines::Cost(_) => (traced(run.limits, whole), STOPS_WITH_ADDR2LINE),
            SeriesLines::Reached => (traced(run.limits, whole), 1),
        };
        let run = Run { limits, ..run };
        let [each_ms, all_ms] =
            [within, SERIES_TIME].map(|it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX));
        let request = CountSeries { run, each_ms, all_ms, lines };
        self.channel.ask(request, stops * whole + ANSWER_MARGIN).await
    }

    /// Counts the instructions of one run by line and by function, for at most `within` of wall
    /// clock. The counter must be in the sandbox.
    pub(crate) async fn trace(
        &mut self,
        input: impl Into<InputOf<'_>>,
        within: Duration,
    ) -> Result<Traced, SandboxFault> {
        let run = self.on(input).await?;
        let run = Run { limits: traced(run.limits, within), ..run };
        self.channel.ask(Trace(run), STOPS_PER_TRACE * within + ANSWER_MARGIN).await
    }

    async fn batch(&mut self, run: Run, budget: Duration) -> Result<BatchResult, SandboxFault> {
        let within = budget + STOPS_PER_BATCH * self.job.limits.wall_stop() + ANSWER_MARGIN;
        self.channel.ask(Repeat(run), within).await
    }

    /// The last run's input.
    pub(crate) fn fed(&self) -> Option<Fed> {
        self.placed.map(|(_, fed)| fed)
    }

    /// Prepares a run of the program on `input`: puts the input into the sandbox.
    async fn on(&mut self, input: impl Into<InputOf<'_>>) -> Result<Run, SandboxFault> {
        match input.into() {
            InputOf::Point(point) => self.point(point).await,
            InputOf::Bytes(input) => {
                self.placed = None;
                self.channel.put_ahead(File::Input, input).await?;
                Ok(self.once(Input::Put))
            }
            InputOf::Continued(point, parts) => {
                let run = self.point(point).await?;
                let run = Run { stdout_head: MAX_STDOUT_HEAD_BYTES, ..run };
                if parts.is_empty() {
                    return Ok(run);
                }
                let parts = parts.iter().map(|&(text, times)| (text.to_owned(), times)).collect();
                self.channel.continue_input(Continue { from: run.input, parts }).await?;
                Ok(Run { input: Input::Continued, ..run })
            }
        }
    }

    /// Prepares a run of the program with the input of `point`: puts the input into the sandbox,
    /// unless it is already there.
    async fn point(&mut self, point: Point) -> Result<Run, SandboxFault> {
        let size = point.size;
        let placed = self.placed.filter(|(placed, _)| *placed == point);
        let (input, fed) = match (&self.job.inputs, placed) {
            (Inputs::Size, _) => (Input::Size(size), Fed::of(format!("{size}\n").as_bytes())),
            (_, Some((_, fed))) => (Input::Put, fed),
            (Inputs::Explicit(inputs), None) => {
                let bytes = inputs.get(&size).map_or(&[][..], Vec::as_slice);
                self.channel.put(File::Input, bytes).await?;
                (Input::Put, Fed::of(bytes))
            }
            (Inputs::Described(candidates), None) => match candidates.made(point) {
                Some(made) => {
                    self.channel.put(File::Input, made).await?;
                    (Input::Put, Fed::of(made))
                }
                None => (Input::Put, self.generate(candidates.recipe(point).as_ref()).await?),
            },
        };
        self.placed = Some((point, fed));
        Ok(self.once(input))
    }

    /// Generates an input in the sandbox.
    async fn generate(&mut self, recipe: Option<&Recipe>) -> Result<Fed, SandboxFault> {
        let failed = |cause| SandboxFault::Failed { stage: "make an input", cause };
        let recipe = recipe.ok_or_else(|| failed("there is no such candidate".into()))?;
        let bytes = runner_protocol::encode(recipe).map_err(|error| failed(error.to_string()))?;
        if !self.generates {
            self.channel.put(File::Generator, sandbox_image::GENERATOR).await?;
            self.generates = true;
        }
        self.channel.put(File::Recipe, &bytes).await?;
        let request = Generate { limits: generator_limits() };
        let made = self.channel.ask(request, GENERATE_TIMEOUT + ANSWER_MARGIN).await?;
        if !made.execution.ending.is_success() {
            let ended = ending_name(made.execution.ending);
            let said = String::from_utf8_lossy(&made.stderr_tail);
            return Err(failed(format!("{ended} at n = {}: {}", recipe.n, said.trim())));
        }
        Ok(Fed { bytes: made.bytes, sha256: made.sha256 })
    }

    fn once(&self, input: Input) -> Run {
        Run {
            subject: Subject::Build(Variant::Plain),
            warm_up: false,
            gnu_time: false,
            core: self.core,
            input,
            files: self.job.options.files,
            limits: self.job.limits.for_runner(),
            stop: stop(1, 1, Duration::ZERO),
            stdout_head: self.job.options.stdout_bytes,
            interactor: None,
            counts_lines: false,
        }
    }
}

/// Puts a binary of the job's program into `sandbox`, and limits the sandbox's memory to what the
/// program needs.
pub(crate) async fn place_program(
    job: &Job,
    sandbox: &mut Sandbox,
    binary: &[u8],
) -> Result<(), SandboxFault> {
    put_files(&job.source, &job.files, sandbox).await?;
    sandbox.channel.put(File::Binary(Variant::Plain), binary).await?;
    sandbox.builds_bytes += binary.len() as u64;
    let bytes = program_bytes(job, sandbox);
    sandbox.lease.limit_memory(bytes).await
}

/// Memory for the program and for the files next to it in the sandbox, in bytes.
pub(crate) fn program_bytes(job: &Job, sandbox: &Sandbox) -> u64 {
    let input_bytes = job.input_bytes() + interactive::room_bytes(job);
    job.limits.memory_bytes + input_bytes + sandbox.builds_bytes + ALLOWANCE_BYTES
}
