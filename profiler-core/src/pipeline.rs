//! Data flow from a job to its report.
//!
//! inputs of a generator → sandbox → build → its turn → test cases, if they come first → validator
//! → a core of its own → calibrate → start-up →
//! for each size: input → run → verdict and figures → … → sizes for growth alone → test cases, if
//! they come last → end of its turn → for each size: memory probe or questions → … → check of the
//! input → instructions → counts for growth → judgement of the outputs → hotspots → allocations →
//! worst input → advice → growth → report
//!
//! In the job's sandbox, everything that is not timed comes after the last timed run. So a program
//! that recognises an untimed run can do none of the timed work in it.
//!
//! The last size of a list has a sandbox of its own, and so have the counts of instructions. Both
//! are started while the program compiles.
//!
//! A job may ask for an early check of its input. That check has its own sandbox, and ends before
//! the sizes are measured: no run of the program is alive beside one that is timed or counted. It
//! usually precedes the job's turn. A job for which only the verdict counts ends after its test
//! cases. A stress test replaces all steps after the build.
//!
//! Each step takes the few things it needs and returns a value. The pipeline adds every value to
//! the [`ReportBuilder`] as soon as it is finished. Cancelling a run drops the step under way, and
//! the builder then holds exactly what was finished: this is the partial report.

mod context;
mod counting;
mod early_end;
mod generating;
mod judging;
mod measuring;
mod sizes;
mod trying;
mod turn;

pub use context::Profiler;
pub use turn::Turn;

use crate::analyse::growth_runs::{self, ExtraRuns};
use crate::analyse::{advice, allocations, fault, hotspots, sanitizers};
use crate::build::{build_interactor, build_program};
use crate::cancel::CancelToken;
use crate::error::EarlyEnd;
use crate::job::{Inputs, Job, StressPlan};
use crate::limits::{COMPILING_BYTES, RECORD_BYTES, TRACE_BYTES};
use crate::measure::NotCompiled;
use crate::measure::session::beside::beside;
use crate::measure::session::{MeasureSession, program_bytes};
use crate::measure::size::cold::Spare;
use crate::measure::stress::{self, job_step::NoResult};
use crate::measure::test_cases::{SizeOutputs, Validator};
use crate::measure::worst::{self, WorstCase};
use crate::report::{Events, ReportBuilder, Step, largest_ok};
use crate::sandbox::Sandbox;
use context::{Built, Context, Trial, Unmeasured};
use counting::Counting;
use early_end::{ended_early, unless_cancelled};
use futures::future::OptionFuture;
use profiler_growth::Effort;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{ErrorCode, ProfileReport, SandboxError, StressResult};
use runner_protocol::Variant;
use tracing::Instrument;

/// Profiles `job` in a sandbox of `profiler`, at its `turn`. Emits an event for each step, then
/// exactly one last event, which carries the returned value. The sandbox is gone when this returns.
pub async fn run_job(
    job: &Job,
    profiler: &Profiler,
    events: &mut Events,
    cancel: &mut CancelToken,
    turn: Turn<'_>,
) -> Result<ProfileReport, Box<SandboxError>> {
    let (run_id, task_id) = (events.run_id(), &job.task_id);
    let span = tracing::info_span!(target: "Profiler", "job", run_id, task_id);
    let turns = async {
        let generated = generating::generate(job, profiler, events, cancel, turn);
        let (job, turn) = Box::pin(generated).await?;
        let first = Box::pin(profile(&job, profiler, events, cancel, turn)).await?;
        Box::pin(take_turns(first, &job, profiler, events.run_id(), cancel)).await
    };
    let ended = turns.instrument(span).await;
    events
        .emit(match &ended {
            Ok(report) => Kind::Finished(report.clone()),
            Err(error) => Kind::Failed(SandboxError::clone(error)),
        })
        .await;
    ended
}

/// Profiles the further turns of a comparison: the other program twice, then the job's own again.
/// So a host that gradually slows down favours neither. Watchers get the events of the first turn
/// only.
async fn take_turns(
    mut report: ProfileReport,
    job: &Job,
    profiler: &Profiler,
    run_id: &str,
    cancel: &mut CancelToken,
) -> Result<ProfileReport, Box<SandboxError>> {
    let Some(other) = &job.against else { return Ok(report) };
    // One judgement of each program, one run with sanitizers and one count of questions are enough.
    let other = job.opposite(other);
    for program in [&other, &*other.unjudged(), &*job.unjudged()] {
        let (mut unheard, _) = Events::new(run_id);
        let turn = profile(program, profiler, &mut unheard, cancel, Turn::now());
        match Box::pin(turn).await {
            Ok(turn) => report.turns.push(turn),
            Err(error) => {
                let is_its_own = matches!(error.code(), ErrorCode::Compile | ErrorCode::Memory);
                let of = if is_its_own && report.turns.len() < 2 { "against: " } else { "" };
                let message = format!("{of}{}", error.message);
                let partial = Some(report);
                return Err(Box::new(SandboxError { code: error.code, message, partial }));
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
    turn: Turn<'_>,
) -> Result<ProfileReport, Box<SandboxError>> {
    let backend = profiler.pool.backend();
    let mut report = ReportBuilder::new(job, events.run_id(), backend.name());
    let Turn { to_build, to_measure, measured } = turn;
    let acquired = async {
        to_build.await;
        profiler.pool.acquire().await
    };
    let ended = match unless_cancelled(cancel, acquired).await {
        Ok(mut sandbox) => {
            report.set_host(&sandbox.hello, backend.not_enforced());
            let mut context = Context {
                job,
                profiler,
                report: &mut report,
                events,
                to_measure: Some(to_measure),
                measured: Some(measured).filter(|_| !job.times_until_its_end()),
                spare: None,
                counting: Counting::default(),
                trial: Trial::default(),
                validator: None,
                worst: None,
            };
            // Boxed because this future holds everything under way, and every future around it
            // would grow.
            let steps = Box::pin(steps(&mut context, &mut sandbox));
            let ended = unless_cancelled(cancel, steps).await;
            context.report.set_core_wait(context.events.core_wait());
            if let Some(stopped) = context.worst.take().filter(|case| case.worst().is_some()) {
                context.report.set_worst(stopped.found(None));
            }
            if let Some(spare) = context.spare.take() {
                spare.end().await;
            }
            let validator = OptionFuture::from(context.validator.map(Validator::end));
            tokio::join!(context.counting.end(), validator, sandbox.end());
            ended
        }
        Err(early) => Err(early),
    };
    report.settle();
    match ended {
        Ok(extra_runs) => {
            let growth = growth_runs::classify(job, &report, extra_runs);
            report.set_growth(growth.as_ref());
            events.observe(growth.and_then(|growth| growth.observed));
            Ok(report.finish())
        }
        Err(early) => Err(ended_early(report, job, early)),
    }
}

/// Whether the last size gets a sandbox of its own. An interactor is only in the job's sandbox.
fn needs_spare(job: &Job) -> bool {
    job.interactor.is_none() && job.sizes.promised().is_some_and(|sizes| sizes > 1)
}

/// Builds, measures and analyses.
async fn steps(context: &mut Context<'_>, sandbox: &mut Sandbox) -> Result<ExtraRuns, EarlyEnd> {
    let Context { job, profiler: Profiler { pool, .. }, .. } = *context;
    // Without processors of its own, a compiler would disturb the program that is measured.
    if !pool.keeps_apart(&sandbox.hello) {
        context.turn().await;
    }
    context.spare = needs_spare(job).then(|| Spare::start(pool));
    context.counting = Counting::start(job, pool);
    context.events.begin(Step::Build);
    let mut built = build(context, sandbox).await?;
    if trying::precedes_turn(job) {
        trying::check(context, sandbox, built).await?;
    }
    context.turn().await;
    // The sandbox of a run that was built ahead may have waited for long.
    if sandbox.channel.has_ended() {
        tracing::warn!(target: "Profiler", "the sandbox was lost before the run's turn");
        *sandbox = pool.acquire().await?;
        built = build(context, sandbox).await?;
    }
    let bytes = program_bytes(context.job, sandbox);
    sandbox.lease.limit_memory(bytes).await?;
    context.events.begin(Step::Measure);
    if let Some(plan) = &job.stress {
        stress_test(context, plan).await?;
        return Ok(ExtraRuns::default());
    }
    let mut extra_runs = match Box::pin(measuring::measure(context, sandbox, built)).await? {
        Ok(extra_runs) => extra_runs,
        Err(why) => {
            if context.job.options.advice {
                context.report.set_advice(advice::untried(why.sentence()));
            }
            if !context.report.is_without_input() {
                locate_fault(context, sandbox, built).await;
            }
            return Ok(ExtraRuns::default());
        }
    };
    if let Some(measured) = context.measured.take() {
        measured();
    }
    context.events.begin(Step::Analyse);
    look_into_growth(context, sandbox, built, &mut extra_runs).await?;
    Box::pin(judge_outputs(context, sandbox)).await?;
    analyse(context, sandbox, built).await?;
    locate_fault(context, sandbox, built).await;
    Ok(extra_runs)
}

/// Finds the place at which the program fails, if it does.
async fn locate_fault(context: &mut Context<'_>, sandbox: &mut Sandbox, built: Built) {
    let Context { job, profiler: Profiler { pool, .. }, report, .. } = context;
    let place = (pool, &mut sandbox.channel, built.binary);
    let found = fault::find(job, place, report.sizes(), report.test_cases()).await;
    report.set_fault(found);
}

/// Compiles the program and, to measure it, an empty one and the interactor. Only the first build
/// is told.
async fn build(context: &mut Context<'_>, sandbox: &mut Sandbox) -> Result<Built, EarlyEnd> {
    let Context { job, profiler: Profiler { pool, builder, .. }, report, events, .. } = context;
    let refused = |message| EarlyEnd { code: ErrorCode::Compile, message };
    let span = tracing::info_span!(target: "Profiler", "compile");
    let program = build_program(job, builder, pool, sandbox).instrument(span).await?;
    let step = program.step;
    tracing::info!(target: "Profiler", command = %step.command, wall_ms = step.wall_ms, "compiled");
    if !report.is_compiled() {
        report.set_compile(step.clone(), sandbox.toolchain.as_deref());
        events.emit(Kind::Compiled(step)).await;
    }
    let binary = program.binary.map_err(refused)?;
    if job.options.reward || job.stress.is_some() {
        return Ok(Built { binary, empty: false });
    }
    let empty = builder.obtain(job, sandbox, Variant::Empty).await?.compiled;
    if let Some(interactor) = build_interactor(job, builder, sandbox).await? {
        report.set_interactor_compile(interactor.step);
        interactor.binary.map_err(refused)?;
    }
    Ok(Built { binary, empty: empty.binary.is_some() })
}

/// Searches for an input to which the program and the reference give different answers.
async fn stress_test(context: &mut Context<'_>, plan: &StressPlan) -> Result<(), EarlyEnd> {
    let Context { job, profiler: Profiler { pool, builder, .. }, report, .. } = context;
    match Box::pin(stress::job_step::run(plan, job, (pool, builder))).await? {
        Ok(result) => report.set_stress(result),
        Err(NoResult::Reference(NotCompiled { step, because })) => {
            let reference_compile = Some(step);
            report.set_stress(StressResult { reference_compile, ..StressResult::default() });
            let message = format!("the reference does not compile: {because}");
            return Err(EarlyEnd { code: ErrorCode::Compile, message });
        }
        Err(NoResult::Generator(message)) => {
            return Err(EarlyEnd { code: ErrorCode::InvalidInput, message });
        }
    }
    Ok(())
}

/// Makes the runs that only growth needs and that need no measured core.
async fn look_into_growth(
    context: &mut Context<'_>,
    sandbox: &mut Sandbox,
    built: Built,
    extra_runs: &mut ExtraRuns,
) -> Result<(), EarlyEnd> {
    let Context { job, profiler: Profiler { builder, .. }, report, counting, .. } = context;
    if !growth_runs::is_measured(job) || !extra_runs.can_count(report.sizes()) {
        return Ok(());
    }
    if !report.doubts_counts() {
        let counted = counting.sandbox(job, sandbox, built.binary).await;
        let bytes = program_bytes(job, counted) + TRACE_BYTES;
        counted.lease.limit_memory(bytes).await?;
        let (channel, start_up) = (&mut counted.channel, report.start_up_costs());
        let warnings =
            growth_runs::count(job, channel, report.sizes(), start_up, extra_runs).await?;
        report.warn(warnings);
        report.warn(counting.take_warning());
    }
    // Recording needs a build of its own.
    if job.options.growth == Effort::Full && job.program.is_empty() {
        let bytes = program_bytes(job, sandbox);
        sandbox.lease.limit_memory(COMPILING_BYTES.max(bytes)).await?;
        if allocations::compile(job, builder, sandbox).await?.is_none() {
            let bytes = program_bytes(job, sandbox) + RECORD_BYTES;
            sandbox.lease.limit_memory(bytes).await?;
            growth_runs::record(job, &mut sandbox.channel, report.sizes(), extra_runs).await?;
        }
    }
    Ok(())
}

/// Judges the outputs of the sizes that ended OK, if the job asks for that.
async fn judge_outputs(context: &mut Context<'_>, sandbox: &mut Sandbox) -> Result<(), EarlyEnd> {
    let Context { job, profiler: Profiler { pool, builder, .. }, report, .. } = context;
    let sizes: Vec<_> = report.sizes().iter().filter(|size| size.is_ok()).cloned().collect();
    if sizes.is_empty() {
        return Ok(());
    }
    let Some(mut outputs) = SizeOutputs::start(job, builder, pool).await else { return Ok(()) };
    // The test cases have already told about their checker.
    report.warn(outputs.warning().filter(|_| job.test_cases.is_empty()));
    let mut session = MeasureSession::new(job, &mut sandbox.channel, None);
    for size in &sizes {
        let (result, warning) = outputs.judge(&mut session, size).await?;
        report.set_output_check(size.point(), result);
        report.warn(warning);
    }
    outputs.end().await;
    Ok(())
}

/// Runs other builds to explain the figures. The measured core has been given back by then.
async fn analyse(
    context: &mut Context<'_>,
    sandbox: &mut Sandbox,
    built: Built,
) -> Result<(), EarlyEnd> {
    let Context { job, profiler: Profiler { pool, builder, .. }, report, worst, .. } = context;
    if job.options.sanitize {
        let run = sanitizers::explain(job, (pool, builder), report.sizes()).await;
        report.set_sanitizer(run);
    }
    let largest = largest_ok(report.sizes()).cloned();
    report.warn(hotspots::warning_of_renumbering(job));
    let mut hot_lines = Vec::new();
    if job.options.debug || job.options.advice {
        let bytes = program_bytes(job, sandbox) + TRACE_BYTES;
        sandbox.lease.limit_memory(COMPILING_BYTES.max(bytes)).await?;
        let (largest, start_up) = (largest.as_ref(), report.start_up_costs());
        let program = (pool, builder, built.binary);
        let (found, warnings) = hotspots::find(job, program, sandbox, largest, start_up).await?;
        hot_lines.clone_from(&found.lines);
        if job.options.debug {
            report.set_hotspots(found);
            report.warn(warnings);
        }
    }
    if job.options.allocations {
        let bytes = program_bytes(job, sandbox);
        sandbox.lease.limit_memory(COMPILING_BYTES.max(bytes) + RECORD_BYTES).await?;
        let (found, warnings) =
            allocations::record(job, builder, sandbox, largest.as_ref()).await?;
        report.set_allocations(found);
        report.warn(warnings);
    }
    if let (Some(plan), Inputs::Described(candidates)) = (job.worst, &job.inputs) {
        let case = worst.insert(beside(|| WorstCase::new(candidates.space(), plan)).into());
        let searching = worst::job_step::search(case, job, (pool, builder));
        let ended = Box::pin(searching).await?;
        report.set_worst(case.found(Some(&ended)));
        *worst = None;
    }
    if job.options.advice {
        let found = if report.is_without_input() {
            advice::untried(Unmeasured::NotFed.sentence())
        } else {
            advice::find(job, (pool, builder), report.sizes(), &hot_lines).await
        };
        report.set_advice(found);
    }
    Ok(())
}
