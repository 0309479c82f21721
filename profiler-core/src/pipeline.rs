//! Data flow from a job to its report.
//!
//! sandbox → build → a core of its own → calibrate → start-up → for each size: input → run →
//! verdict and figures → probe → … → test cases → check of the input → instructions → extra runs
//! for growth → hotspots → allocations → worst input → advice → growth → report
//!
//! Each step takes the few things it needs and returns a value. The pipeline adds every value to
//! the [`ReportBuilder`] as soon as it is finished. Cancelling a run drops the step under way, and
//! the builder then holds exactly what was finished: this is the partial report.

use crate::analyse::growth_runs::{self, ExtraRuns, KnownSizes};
use crate::analyse::{advice, allocations, hotspots, instructions};
use crate::build::{BinaryCache, Builder, build_interactor, build_program};
use crate::cancel::CancelToken;
use crate::error::{EarlyEnd, ErrorCode};
use crate::job::{Inputs, Job, OnMemoryLimit, Point};
use crate::limits::{COMPILING_BYTES, RECORD_BYTES, TRACE_BYTES};
use crate::measure::schedule::Schedule;
use crate::measure::session::{MeasureSession, program_bytes};
use crate::measure::size::{self, SizeBudget, second_look};
use crate::measure::verdict::judge_binary;
use crate::measure::{input_check, startup, test_cases, worst};
use crate::report::{
    EventKind, Events, Host, Outcome, ProfileReport, ReportBuilder, SandboxError, SizeResult, Step,
    largest_ok,
};
use crate::sandbox::{Borrowed, CoreReservation, Pool};
use profiler_growth::Effort;
use runner_protocol::{Binary, Variant};
use std::future::ready;
use std::time::Instant;
use tracing::Instrument;

/// Sandboxes for profiling jobs, and the builds in them. Clones share both.
#[derive(Clone)]
pub struct Profiler {
    /// Source of the sandboxes.
    pub pool: Pool,
    /// Source of the builds.
    pub builder: Builder,
}

impl Profiler {
    /// A profiler that uses sandboxes of `pool`. It keeps binaries in `cache`, if there is one.
    pub fn new(pool: Pool, cache: Option<BinaryCache>) -> Self {
        let builder = Builder::new(pool.backend().clone(), cache);
        Self { pool, builder }
    }

    /// The same profiler for the jobs of `owner`. It finds binaries of this owner alone.
    #[must_use]
    pub fn for_owner(&self, owner: &str) -> Self {
        Self { pool: self.pool.clone(), builder: self.builder.for_owner(owner) }
    }
}

/// State that the steps of a job share.
struct Context<'a> {
    job: &'a Job,
    profiler: &'a Profiler,
    report: &'a mut ReportBuilder,
    events: &'a mut Events,
}

/// Profiles `job` in a sandbox of `profiler`, after `turn` has returned. Emits an event for each
/// step, then exactly one last event, which equals the returned value. The sandbox is gone when
/// this returns.
pub async fn run_job(
    job: &Job,
    profiler: &Profiler,
    events: &mut Events,
    cancel: &mut CancelToken,
    turn: impl Future<Output = ()>,
) -> Result<ProfileReport, SandboxError> {
    let (run_id, task_id) = (events.run_id(), &job.task_id);
    let span = tracing::info_span!(target: "Profiler", "job", run_id, task_id);
    let turns = async {
        let first = profile(job, profiler, events, cancel, turn).await?;
        take_turns(first, job, profiler, events.run_id(), cancel).await
    };
    let ended = turns.instrument(span).await;
    events
        .emit(match &ended {
            Ok(report) => EventKind::Finished(Box::new(report.clone())),
            Err(error) => EventKind::Failed(Box::new(error.clone())),
        })
        .await;
    ended
}

/// Profiles the further turns of a comparison: the other program twice, then the job's own again.
/// So a host that gradually slows down favours neither. Watchers hear of the first turn alone.
async fn take_turns(
    mut report: ProfileReport,
    job: &Job,
    profiler: &Profiler,
    run_id: &str,
    cancel: &mut CancelToken,
) -> Result<ProfileReport, SandboxError> {
    let Some(other) = &job.against else { return Ok(report) };
    let other = job.of_other(other);
    for program in [&other, &other, job] {
        let (mut unheard, _) = Events::new(run_id);
        let turn = profile(program, profiler, &mut unheard, cancel, ready(()));
        match Box::pin(turn).await {
            Ok(turn) => report.turns.push(turn),
            Err(SandboxError { code, message, .. }) => {
                let is_its_own = matches!(code, ErrorCode::Compile | ErrorCode::Memory);
                let of = if is_its_own && report.turns.len() < 2 { "against: " } else { "" };
                let message = format!("{of}{message}");
                return Err(SandboxError { code, message, partial: Box::new(report) });
            }
        }
    }
    Ok(report)
}

/// Profiles a job. A cancelled or failed job ends as an error with the partial report.
async fn profile(
    job: &Job,
    profiler: &Profiler,
    events: &mut Events,
    cancel: &mut CancelToken,
    turn: impl Future<Output = ()>,
) -> Result<ProfileReport, SandboxError> {
    let backend = profiler.pool.backend();
    let host = Host { backend: backend.name().into(), ..Host::default() };
    let mut report = ReportBuilder::new(job, events.run_id(), host);
    let acquired = async {
        turn.await;
        profiler.pool.acquire().await
    };
    let ended = match unless_cancelled(cancel, acquired).await {
        Ok(mut sandbox) => {
            report.set_host(&sandbox.hello, backend.not_enforced());
            // Boxed because this future holds everything under way, and every future around it
            // would grow.
            let mut context = Context { job, profiler, report: &mut report, events };
            let steps = Box::pin(steps(&mut context, &mut sandbox));
            let ended = unless_cancelled(cancel, steps).await;
            sandbox.end().await;
            ended
        }
        Err(early) => Err(early),
    };
    let mut report = report.finish();
    match ended {
        Ok(extra_runs) => {
            report.growth = growth_runs::classify(job, &report, extra_runs);
            Ok(report)
        }
        Err(EarlyEnd { code, message }) => {
            match code {
                ErrorCode::Internal | ErrorCode::Parse => {
                    tracing::warn!(target: "Profiler", %code, %message, "ended early");
                }
                // The message may quote the source.
                _ => tracing::info!(target: "Profiler", %code, "ended early"),
            }
            report.growth = growth_runs::classify_partial(job, &report);
            Err(SandboxError { code, message, partial: Box::new(report) })
        }
    }
}

/// Does `step` unless the run is cancelled first. Dropping the step is safe: its sandbox is not
/// used again.
async fn unless_cancelled<T, E: Into<EarlyEnd>>(
    cancel: &mut CancelToken,
    step: impl Future<Output = Result<T, E>>,
) -> Result<T, EarlyEnd> {
    tokio::select! {
        biased;
        code = cancel.cancelled() => {
            Err(EarlyEnd { code, message: cancel.message() })
        }
        done = step => done.map_err(Into::into),
    }
}

/// Builds, measures and analyses.
async fn steps(context: &mut Context<'_>, sandbox: &mut Borrowed) -> Result<ExtraRuns, EarlyEnd> {
    context.events.begin(Step::Build);
    let built = build(context, sandbox).await?;
    let bytes = program_bytes(context.job, sandbox);
    sandbox.lease.limit_memory(bytes).await?;
    context.events.begin(Step::Measure);
    let mut extra_runs = measure(context, sandbox, built).await?;
    context.events.begin(Step::Analyse);
    analyse(context, sandbox, &mut extra_runs).await?;
    Ok(extra_runs)
}

/// The builds in the sandbox.
#[derive(Debug, Clone, Copy)]
struct Built {
    binary: Binary,
    /// Whether there is an empty program.
    empty: bool,
}

/// Compiles the program, an empty one and the interactor.
async fn build(context: &mut Context<'_>, sandbox: &mut Borrowed) -> Result<Built, EarlyEnd> {
    let Context { job, profiler: Profiler { pool, builder }, report, events } = context;
    let refused = |message| EarlyEnd { code: ErrorCode::Compile, message };
    let span = tracing::info_span!(target: "Profiler", "compile");
    let program = build_program(job, builder, pool, sandbox).instrument(span).await?;
    let step = program.step;
    tracing::info!(target: "Profiler", command = %step.command, wall_ms = step.wall_ms, "compiled");
    report.set_compile(step.clone(), sandbox.toolchain.as_deref());
    events.emit(EventKind::Compiled(Box::new(step))).await;
    let binary = program.binary.map_err(refused)?;
    let empty = builder.obtain(job, sandbox, Variant::Empty).await?.compiled;
    if let Some(interactor) = build_interactor(job, builder, sandbox).await? {
        report.set_interactor_compile(interactor.step);
        interactor.binary.map_err(refused)?;
    }
    Ok(Built { binary, empty: empty.binary.is_some() })
}

/// Everything that needs a core of its own.
async fn measure(
    context: &mut Context<'_>,
    sandbox: &mut Borrowed,
    built: Built,
) -> Result<ExtraRuns, EarlyEnd> {
    let Context { job, profiler, report, .. } = context;
    let reservation = match profiler.pool.cores_of(&sandbox.hello) {
        Some(cores) => Some(cores.take().await),
        None => None,
    };
    if let Some(reservation) = &reservation {
        report.add_neighbours(reservation.neighbours());
        report.set_measured_core(reservation.core());
    }
    let core = reservation.as_ref().and_then(CoreReservation::core);
    let begun_measuring = Instant::now();
    let session = &mut MeasureSession::new(job, &mut sandbox.channel, core);
    report.set_calibration(startup::calibrate(session).await?);
    let start_up = if built.empty { startup::measure(session).await? } else { Vec::new() };
    report.set_start_up(start_up);
    let over_limit = measure_sizes(context, session, built.binary, reservation.as_ref()).await?;
    check_program(context, session, built.binary).await?;
    if let Some(size) = over_limit {
        let message = format!("size {size} exceeded the memory limit");
        return Err(EarlyEnd { code: ErrorCode::Memory, message });
    }
    let Context { job, report, .. } = context;
    if job.instructions {
        let sizes = report.sizes().to_vec();
        let keep = |index, counted| report.set_instructions(index, counted, instructions::METHOD);
        instructions::count_sizes(session, &sizes, keep).await?;
    }
    if !growth_runs::is_measured(job) || report.is_without_input() {
        return Ok(ExtraRuns::default());
    }
    let took = begun_measuring.elapsed();
    let known = KnownSizes { sizes: report.sizes(), start_up: report.start_up_samples(), took };
    Ok(growth_runs::measure(job, &mut sandbox.channel, core, known).await?)
}

/// Measures the sizes of the schedule. Returns the size over the memory limit that ends the run.
async fn measure_sizes(
    context: &mut Context<'_>,
    session: &mut MeasureSession<'_>,
    binary: Binary,
    reservation: Option<&CoreReservation>,
) -> Result<Option<u64>, EarlyEnd> {
    let Context { job, profiler: Profiler { pool, .. }, report, events } = context;
    let mut behaves_in_two_ways = false;
    let mut schedule = Schedule::for_job(job);
    let mut unspent = schedule.budget();
    while let Some(size) = schedule.next(report.sizes(), unspent) {
        for candidate in 0..job.candidates() {
            if job.skip_after_limits && Schedule::is_hopeless(report.sizes(), candidate) {
                let result = SizeResult::not_run(Point { size, candidate });
                add_size(report, events, SizeResult { candidates: job.candidates(), ..result })
                    .await;
                continue;
            }
            let begun = Instant::now();
            let share = schedule.share(report.sizes().len(), unspent);
            let (point, budget) = (Point { size, candidate }, SizeBudget { share, unspent });
            let start_up = report.start_up_samples();
            let mut measured = size::measure(session, binary, point, budget, start_up).await?;
            if !behaves_in_two_ways && measured.result.two_ways().is_some() {
                let first = &measured.result;
                match second_look::look(pool, session, binary, first, budget, start_up).await {
                    Some(second) => measured = second,
                    None => behaves_in_two_ways = true,
                }
            }
            let result = SizeResult { candidates: job.candidates(), ..measured.result };
            report.warn(measured.warnings);
            if let Some(reservation) = reservation {
                report.add_neighbours(reservation.neighbours());
            }
            unspent = unspent.saturating_sub(begun.elapsed());
            let ends_run = ends_run(job, &result);
            add_size(report, events, result).await;
            if ends_run {
                return Ok(Some(size));
            }
        }
    }
    report.set_schedule_end(schedule.end());
    Ok(None)
}

/// Checks the answers to the test cases, and whether the input is enough. Nothing is timed. These
/// runs come after the timed ones, because a program could do its work here and find it done there.
async fn check_program(
    context: &mut Context<'_>,
    session: &mut MeasureSession<'_>,
    binary: Binary,
) -> Result<(), EarlyEnd> {
    let Context { job, report, .. } = context;
    let keep = |result, warning| report.add_test_case(result, warning);
    let not_run = test_cases::check(session, keep).await?;
    report.warn(not_run);
    if judge_binary(binary, &job.limits).is_none()
        && let Some(check) = input_check::check(session).await?
    {
        report.set_input_check(check);
    }
    Ok(())
}

/// Adds a result to the report, and tells it.
async fn add_size(report: &mut ReportBuilder, events: &mut Events, result: SizeResult) {
    result.log();
    events.emit(EventKind::SizeMeasured(Box::new(result.clone()))).await;
    report.add_size(result);
}

/// Whether a size over the memory limit ends the run. If the schedule chose the size, the limit
/// ends only the schedule, as every limit does.
fn ends_run(job: &Job, result: &SizeResult) -> bool {
    result.outcome == Outcome::MemoryLimit
        && job.on_memory_limit == OnMemoryLimit::Abort
        && job.sizes.certain().contains(&result.size)
}

/// Runs other builds to explain the figures. The measured core has been given back by then.
async fn analyse(
    context: &mut Context<'_>,
    sandbox: &mut Borrowed,
    extra_runs: &mut ExtraRuns,
) -> Result<(), EarlyEnd> {
    let Context { job, profiler: Profiler { pool, builder }, report, .. } = context;
    let largest = largest_ok(report.sizes()).cloned();
    if growth_runs::is_measured(job) && extra_runs.can_count(report.sizes()) {
        let mut records = false;
        if job.growth == Effort::Full {
            let bytes = program_bytes(job, sandbox);
            sandbox.lease.limit_memory(COMPILING_BYTES.max(bytes)).await?;
            records = allocations::compile(job, builder, sandbox).await?.is_none();
        }
        let bytes = program_bytes(job, sandbox) + TRACE_BYTES.max(RECORD_BYTES);
        sandbox.lease.limit_memory(bytes).await?;
        let (channel, sizes) = (&mut sandbox.channel, report.sizes());
        let warnings = growth_runs::look_into(job, channel, records, sizes, extra_runs).await?;
        report.warn(warnings);
    }
    report.warn(hotspots::warning_of_renumbering(job));
    if job.debug {
        let bytes = program_bytes(job, sandbox) + TRACE_BYTES;
        sandbox.lease.limit_memory(COMPILING_BYTES.max(bytes)).await?;
        let found = hotspots::find(job, builder, sandbox, largest.as_ref()).await?;
        report.set_hotspots(found.hotspots);
        report.warn(found.warnings);
    }
    if job.allocations {
        let bytes = program_bytes(job, sandbox);
        sandbox.lease.limit_memory(COMPILING_BYTES.max(bytes) + RECORD_BYTES).await?;
        let recorded = allocations::record(job, builder, sandbox, largest.as_ref()).await?;
        report.set_allocations(recorded.allocations);
        report.warn(recorded.warnings);
    }
    if let (Some(plan), Inputs::Described(candidates)) = (job.worst, &job.inputs) {
        let keep = |found| report.set_worst(found);
        worst::of_job::search(job, (candidates, plan), (pool, builder), keep).await?;
    }
    if job.advice {
        let found = if report.is_without_input() {
            advice::untried("the program was not fed what it reads")
        } else {
            advice::find(job, (pool, builder), report.sizes(), report.hotspots()).await
        };
        report.set_advice(found);
    }
    Ok(())
}
