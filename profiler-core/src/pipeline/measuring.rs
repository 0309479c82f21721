//! Measurement of a program, on a core of its own.

use super::context::{Built, Context, Profiler, Trial, Unmeasured};
use super::judging;
use super::sizes::{add_size, look_into_sizes, measure_sizes, over_limit};
use super::trying;
use crate::analyse::growth_runs::{self, ExtraRuns, KnownSizes};
use crate::analyse::instructions::{self, SizeCounts};
use crate::error::{EarlyEnd, SandboxFault};
use crate::job::{Point, without_macros};
use crate::limits::PACE_AGE;
use crate::measure::input_check;
use crate::measure::session::{MeasureSession, own_core};
use crate::measure::startup::{Pace, PaceKey};
use crate::measure::test_cases::Validator;
use crate::measure::verdict::judge_binary;
use crate::report::{MeasuredSize, ReportBuilder};
use crate::sandbox::{CoreReservation, Cores, Sandbox};
use profiler_proto::v1::{ErrorCode, InputExperiment, TestOrder};
use std::time::{Duration, Instant};

/// Checks the answers to the test cases if they come first, and measures the program if all are
/// right and the job wants it. The job ends before that if the input of a size is invalid.
pub(super) async fn measure(
    context: &mut Context<'_>,
    sandbox: &mut Sandbox,
    built: Built,
) -> Result<Result<ExtraRuns, Unmeasured>, EarlyEnd> {
    let Context { job, profiler: Profiler { builder, pool, .. }, .. } = *context;
    context.validator = Validator::start(job, builder, pool).await;
    if job.options.reward {
        judging::judge_alone(context, sandbox, built).await?;
        return Ok(Ok(ExtraRuns::default()));
    }
    if job.options.test_order != TestOrder::After
        && let Some(why) = Box::pin(judging::judge_apart(context, sandbox, built)).await?
    {
        leave_out_sizes(context).await;
        return Ok(Err(why));
    }
    check_sizes(context).await?;
    Ok(Box::pin(try_and_measure(context, sandbox, built)).await?.ok_or(Unmeasured::NotFed))
}

/// Ends the job if the validator rejects the input of a size.
async fn check_sizes(context: &mut Context<'_>) -> Result<(), EarlyEnd> {
    let Context { job, report, validator: Some(validator), .. } = context else { return Ok(()) };
    let refused = validator.check_sizes(job).await;
    report.warn(validator.take_fault());
    match refused {
        Some(message) => Err(EarlyEnd { code: ErrorCode::InvalidInput, message }),
        None => Ok(()),
    }
}

/// Measures the program. `None` if the job ends because the program lacks its input.
async fn try_and_measure(
    context: &mut Context<'_>,
    sandbox: &mut Sandbox,
    built: Built,
) -> Result<Option<ExtraRuns>, EarlyEnd> {
    let trial = trying::check(context, sandbox, built).await?;
    if trial == Trial::Starved {
        leave_out_sizes(context).await;
        return Ok(None);
    }
    let cores = context.profiler.pool.cores_of(&sandbox.hello);
    let toolchain = sandbox.toolchain.clone();
    let session = &mut MeasureSession::new(context.job, &mut sandbox.channel, None);
    let (extra_runs, begun) = on_a_core(context, session, (cores, toolchain), built).await?;
    session.core = None;
    if let Some(measured) = context.measured.take() {
        measured();
    }
    make_untimed_runs(context, session, built).await?;
    if context.job.options.instructions {
        count(context, sandbox, built).await?;
    }
    if trial == Trial::Failed {
        // Without a second sandbox, the input is checked in this one.
        let session = &mut MeasureSession::new(context.job, &mut sandbox.channel, None);
        check_input(context, session).await?;
    }
    if !growth_runs::is_measured(context.job) || context.report.is_without_input() {
        return Ok(Some(ExtraRuns::default()));
    }
    Ok(Some(extra_runs.allowing(context.job, context.report.sizes(), begun.elapsed())))
}

/// Reports all sizes of the list as not run.
async fn leave_out_sizes(context: &mut Context<'_>) {
    let Context { job, report, events, .. } = context;
    for &size in job.sizes.certain() {
        for candidate in 0..job.candidates() {
            let not_run = MeasuredSize::not_run(Point { size, candidate });
            let not_run = MeasuredSize { candidates: job.candidates(), ..not_run };
            add_size(report, events, not_run).await;
        }
    }
}

/// Makes all measurements that need a core of their own, and checks the answers to the test cases
/// if they come last. Returns when it began to measure.
async fn on_a_core(
    context: &mut Context<'_>,
    session: &mut MeasureSession<'_>,
    (cores, toolchain): (Option<&Cores>, Option<String>),
    built: Built,
) -> Result<(ExtraRuns, Instant), EarlyEnd> {
    let job = context.job;
    let Context { profiler, report, spare, counting, events, .. } = context;
    if let Some(spare) = spare {
        spare.wait().await;
    }
    counting.wait().await;
    let reservation = match cores {
        Some(cores) => Some(own_core::take(cores, events).await),
        None => None,
    };
    if let Some(reservation) = &reservation {
        report.add_neighbours(reservation.neighbours());
        report.set_measured_core(reservation.core());
    }
    session.core = reservation.as_ref().and_then(CoreReservation::core);
    let begun_measuring = Instant::now();
    let Pace { calibration_ms, start_up, instructions } =
        pace(profiler, session, toolchain, built).await?;
    report.set_calibration(calibration_ms);
    report.set_start_up(start_up, instructions);
    measure_sizes(context, session, built.binary, reservation.as_ref()).await?;
    let took = begun_measuring.elapsed();
    let extra_runs = add_sizes(context.report, session, took).await?;
    if job.options.test_order == TestOrder::After && !job.test_cases.is_empty() {
        Box::pin(judging::judge_after(context, session, built.binary)).await?;
    }
    Ok((extra_runs, begun_measuring))
}

/// Measures sizes that only growth needs, unless the run ends. `took` is the time of the job's own
/// sizes.
async fn add_sizes(
    report: &ReportBuilder,
    session: &mut MeasureSession<'_>,
    took: Duration,
) -> Result<ExtraRuns, SandboxFault> {
    let job = session.job;
    if !growth_runs::is_measured(job) || over_limit(job, report.sizes()).is_some() {
        return Ok(ExtraRuns::default());
    }
    let known = KnownSizes { sizes: report.sizes(), start_up: report.start_up_samples(), took };
    growth_runs::measure(session, known).await
}

/// Returns the pace of the measured processor. Jobs that take little time share it.
async fn pace(
    profiler: &Profiler,
    session: &mut MeasureSession<'_>,
    toolchain: Option<String>,
    built: Built,
) -> Result<Pace, SandboxFault> {
    let (job, core) = (session.job, session.core);
    let (flags, limits) = (without_macros(&job.flags), job.limits);
    let counts = instructions::are_counted(job);
    let key = toolchain.map(|toolchain| PaceKey { core, toolchain, flags, limits, counts });
    if job.shares_pace()
        && let Some(known) = key.as_ref().and_then(|key| profiler.paces.recent(key, PACE_AGE))
    {
        return Ok(known);
    }
    let pace = Pace::measure(session, built.empty, counts).await?;
    if let Some(key) = key.filter(|_| pace.is_whole()) {
        profiler.paces.keep(key, pace.clone());
    }
    Ok(pace)
}

/// Looks into the sizes, and checks whether the input is enough. These runs come after the timed
/// ones, because a program could do its work here and leave the result for a timed run. They need
/// no core of their own, so another job is measured meanwhile.
async fn make_untimed_runs(
    context: &mut Context<'_>,
    session: &mut MeasureSession<'_>,
    built: Built,
) -> Result<(), EarlyEnd> {
    let job = context.job;
    look_into_sizes(context, session).await?;
    if job.options.input_experiment == InputExperiment::After
        && judge_binary(built.binary, &job.limits).is_none()
    {
        check_input(context, session).await?;
    }
    if let Some(size) = over_limit(job, context.report.sizes()) {
        let message = format!("size {size} exceeded the memory limit");
        return Err(EarlyEnd { code: ErrorCode::Memory, message });
    }
    Ok(())
}

/// Counts the instructions of the sizes.
async fn count(
    context: &mut Context<'_>,
    sandbox: &mut Sandbox,
    built: Built,
) -> Result<(), EarlyEnd> {
    let Context { job, report, counting, .. } = context;
    let counted = counting.sandbox(job, sandbox, built.binary).await;
    let session = &mut MeasureSession::new(job, &mut counted.channel, None);
    let sizes = report.sizes().to_vec();
    let mut counts = SizeCounts::begin(session, &sizes, report.start_up_costs()).await?;
    while let Some((index, counted)) = counts.next(session).await? {
        report.set_instructions(index, counted, instructions::METHOD);
        if counts.are_doubtful {
            report.doubt_counts();
        }
    }
    report.warn(counting.take_warning());
    Ok(())
}

/// Finds out whether the input is enough.
async fn check_input(
    context: &mut Context<'_>,
    session: &mut MeasureSession<'_>,
) -> Result<(), EarlyEnd> {
    if let Some(check) = input_check::check(session).await? {
        context.report.set_input_check(check);
    }
    Ok(())
}
