//! Measurement of a program, on a core of its own.

use super::context::{Built, Context, Profiler};
use super::sizes::{add_size, measure_sizes};
use crate::analyse::growth_runs::{self, ExtraRuns, KnownSizes};
use crate::analyse::instructions::{self, SizeCounts};
use crate::analyse::test_counts::TestCounts;
use crate::error::{EarlyEnd, SandboxFault};
use crate::job::{Inputs, Job, Point, without_macros};
use crate::measure::input_check::{self, trial};
use crate::measure::session::{MeasureSession, own_core};
use crate::measure::size::cold::Spare;
use crate::measure::startup::{Pace, PaceKey};
use crate::measure::test_cases::{CheckerSandbox, Judged, TestCases, Validator};
use crate::measure::verdict::judge_binary;
use crate::report::{MeasuredSize, ReportBuilder};
use crate::sandbox::{CoreReservation, Cores, Sandbox};
use futures::future::{Either, OptionFuture, select};
use profiler_proto::v1::{
    ErrorCode, InputCheck, InputExperiment, InputUse, TestOrder, Warning, WarningCode,
};
use runner_protocol::{Binary, Variant};
use std::time::Instant;

/// Reason why nothing was measured.
#[derive(Debug, Clone, Copy)]
pub(super) enum Unmeasured {
    /// The program gave a wrong answer to a test case.
    Wrong,
    /// The program gave no wrong answer, but a test case has no verdict.
    NotAllJudged,
    /// The program lacks its input. Its sandbox may be in the middle of a run.
    NotFed,
}

impl Unmeasured {
    pub(super) fn sentence(self) -> &'static str {
        match self {
            Self::Wrong => "the program is wrong on a test case",
            Self::NotAllJudged => "not every test case has a verdict",
            Self::NotFed => "the program lacked input",
        }
    }
}

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
        count_and_judge(context, sandbox, built).await?;
        return Ok(Ok(ExtraRuns::default()));
    }
    if job.options.test_order != TestOrder::After
        && let Some(why) = Box::pin(run_test_cases_apart(context, sandbox, built)).await?
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

/// Judges a program that is not measured by its test cases, and counts the instructions of each
/// right answer. The counts run on the measured processor if it is free now, and so at the same
/// time as the judged runs.
async fn count_and_judge(
    context: &mut Context<'_>,
    sandbox: &mut Sandbox,
    built: Built,
) -> Result<(), EarlyEnd> {
    let Context { job, profiler, report, counting, validator, .. } = context;
    let reservation = profiler.pool.cores_of(&sandbox.hello).and_then(Cores::take_now);
    let core = reservation.as_ref().and_then(CoreReservation::core);
    let counts = if let Some(apart) = counting.apart(job, sandbox, built.binary).await {
        let session = MeasureSession::new(job, &mut apart.channel, core);
        Some(TestCounts::begin(session).await?)
    } else {
        let problem = "no test case is counted: the sandbox for counts could not be started";
        report.warn([Warning::new(WarningCode::NotCounted, problem)]);
        None
    };
    let mut session = MeasureSession::new(job, &mut sandbox.channel, None);
    run_test_cases(report, profiler, &mut session, (counts, validator.as_mut())).await?;
    Ok(())
}

/// Runs the test cases in a sandbox of their own, because a program could leave something behind
/// for its timed runs. Returns the reason not to measure the program; `None` if it is right.
async fn run_test_cases_apart(
    context: &mut Context<'_>,
    sandbox: &mut Sandbox,
    built: Built,
) -> Result<Option<Unmeasured>, EarlyEnd> {
    let Context { job, profiler, report, spare, validator, .. } = context;
    let pool = &profiler.pool;
    if job.test_cases.is_empty() {
        return Ok(None);
    }
    let mut session = MeasureSession::new(job, &mut sandbox.channel, None);
    // The sandbox that waits for the last size is taken, and another one is started for that size.
    let waiting = spare.take();
    *spare = waiting.is_some().then(|| Spare::start(pool));
    let apart = waiting.unwrap_or_else(|| Spare::start(pool));
    let mut apart = apart.with(built.binary, &mut session).await?;
    let mut session = session.elsewhere(&mut apart.channel);
    let found = run_test_cases(report, profiler, &mut session, (None, validator.as_mut())).await;
    apart.end().await;
    Ok(found?)
}

/// Runs the test cases, and reports each result at once. While a case is judged, the instructions
/// of the one before it are counted if its answer was right and there are `counts`. Returns the
/// reason not to measure the program; `None` if all answers are right.
async fn run_test_cases(
    report: &mut ReportBuilder,
    Profiler { builder, pool, .. }: &Profiler,
    session: &mut MeasureSession<'_>,
    (mut counts, mut validator): (Option<TestCounts<'_>>, Option<&mut Validator>),
) -> Result<Option<Unmeasured>, SandboxFault> {
    let checker = CheckerSandbox::start(session.job, builder, pool).await;
    report.warn(checker.as_ref().and_then(CheckerSandbox::warning));
    let mut cases = TestCases::of(session.job, checker);
    let mut right = None;
    for index in 0.. {
        let count = counts.as_mut().zip(right.take());
        let count = count.map(|(counts, (index, run))| async move {
            counts.count(index, run).await.map(|counted| (index, counted))
        });
        let next = cases.next(session, validator.as_deref_mut());
        let (judged, counted) = tokio::join!(next, OptionFuture::from(count));
        let judged = judged?;
        report.warn(validator.as_deref_mut().and_then(Validator::take_fault));
        let is_over = judged.is_none();
        if let Some(Judged { result, warning, run }) = judged {
            let is_right = result.correct == Some(true);
            right = run.filter(|_| is_right).map(|run| (index, run));
            report.add_test_case(result, warning);
        }
        if let Some((index, (count, uncounted))) = counted.transpose()? {
            report.set_test_instructions(index, count, instructions::METHOD);
            report.warn(uncounted);
        }
        if is_over {
            break;
        }
    }
    report.warn(cases.warnings());
    cases.end().await;
    Ok(if report.is_wrong() {
        Some(Unmeasured::Wrong)
    } else {
        report.lacks_verdicts().then_some(Unmeasured::NotAllJudged)
    })
}

/// Measures the program. If the job wants to know early whether its input is enough, the check runs
/// at the same time, or before measuring if the processors are not divided. `None` if the job ends
/// because the program lacks its input.
async fn try_and_measure(
    context: &mut Context<'_>,
    sandbox: &mut Sandbox,
    built: Built,
) -> Result<Option<ExtraRuns>, EarlyEnd> {
    let Context { job, profiler: Profiler { pool, .. }, .. } = *context;
    if job.options.input_experiment != InputExperiment::First
        || job.interactor.is_some()
        || judge_binary(built.binary, &job.limits).is_some()
    {
        return on_a_core(context, sandbox, built).await.map(Some);
    }
    let binary = sandbox.channel.fetch(Variant::Plain, built.binary.bytes).await?;
    let keeps_apart = pool.keeps_apart(&sandbox.hello);
    context.counting.wait().await;
    let (starting, give_back) = context.counting.lend(pool);
    let mut trial = Box::pin(async {
        let (check, sandbox) = trial::run(starting, job, &binary).await;
        if let Some(sandbox) = sandbox
            && let Err(unwanted) = give_back.send(sandbox)
        {
            unwanted.end().await;
        }
        check
    });
    let early = if keeps_apart { None } else { Some((&mut trial).await) };
    let (check, measured) = match early {
        Some(check) if ends_job(job, check.as_ref()) => (check, Ok(None)),
        Some(check) => (check, on_a_core(context, sandbox, built).await.map(Some)),
        None => match select(trial, Box::pin(on_a_core(context, sandbox, built))).await {
            Either::Left((check, _)) if ends_job(job, check.as_ref()) => (check, Ok(None)),
            Either::Left((check, measuring)) => (check, measuring.await.map(Some)),
            Either::Right((measured, trial)) => (trial.await, measured.map(Some)),
        },
    };
    let measured = match measured {
        Ok(Some(_)) if ends_job(job, check.as_ref()) => Ok(None),
        // Without a second sandbox, the input is checked in this one.
        Ok(Some(extra_runs)) if check.is_none() => {
            check_input(context, &mut MeasureSession::new(job, &mut sandbox.channel, None)).await?;
            Ok(Some(extra_runs))
        }
        measured => measured,
    };
    if let Some(check) = check {
        context.report.set_input_check(check);
    }
    if let Ok(None) = measured {
        leave_out_sizes(context).await;
    }
    measured
}

/// Reports all sizes of the list as not run, even those that were already measured.
async fn leave_out_sizes(context: &mut Context<'_>) {
    let Context { job, report, events, .. } = context;
    let mut told = report.forget_sizes();
    for &size in job.sizes.certain() {
        for candidate in 0..job.candidates() {
            let not_run = MeasuredSize::not_run(Point { size, candidate });
            let not_run = MeasuredSize { candidates: job.candidates(), ..not_run };
            if told > 0 {
                told -= 1;
                report.add_size(not_run);
            } else {
                add_size(report, events, not_run).await;
            }
        }
    }
}

/// Whether the job ends because the program lacks input, or reads it from a file that is not there.
/// Nothing of its task can then be measured or tested. A growing schedule has no sizes to report as
/// left out, so it goes on.
fn ends_job(job: &Job, check: Option<&InputCheck>) -> bool {
    let lacks_input = |check: &InputCheck| {
        check.input_use() == InputUse::Starved
            && (matches!(job.inputs, Inputs::Size) || check.opened_file.is_some())
    };
    job.test_cases.is_empty() && job.sizes.promised().is_some() && check.is_some_and(lacks_input)
}

/// Makes all measurements that need a core of their own.
async fn on_a_core(
    context: &mut Context<'_>,
    sandbox: &mut Sandbox,
    built: Built,
) -> Result<ExtraRuns, EarlyEnd> {
    let Context { job, profiler, report, spare, counting, events, .. } = context;
    if let Some(spare) = spare {
        spare.wait().await;
    }
    counting.wait().await;
    let reservation = match profiler.pool.cores_of(&sandbox.hello) {
        Some(cores) => Some(own_core::take(cores, events).await),
        None => None,
    };
    if let Some(reservation) = &reservation {
        report.add_neighbours(reservation.neighbours());
        report.set_measured_core(reservation.core());
    }
    let core = reservation.as_ref().and_then(CoreReservation::core);
    let begun_measuring = Instant::now();
    let toolchain = sandbox.toolchain.clone();
    let session = &mut MeasureSession::new(job, &mut sandbox.channel, core);
    let Pace { calibration_ms, start_up, instructions } =
        pace(profiler, session, toolchain, built).await?;
    report.set_calibration(calibration_ms);
    report.set_start_up(start_up, instructions);
    let over_limit = measure_sizes(context, session, built.binary, reservation.as_ref()).await?;
    check_program(context, session, built.binary).await?;
    if let Some(size) = over_limit {
        let message = format!("size {size} exceeded the memory limit");
        return Err(EarlyEnd { code: ErrorCode::Memory, message });
    }
    let Context { job, report, counting, .. } = context;
    if job.options.instructions {
        let counted = counting.sandbox(job, sandbox, built.binary).await;
        let session = &mut MeasureSession::new(job, &mut counted.channel, core);
        let sizes = report.sizes().to_vec();
        let mut counts = SizeCounts::begin(session, &sizes, report.start_up_costs()).await?;
        while let Some((index, counted)) = counts.next(session).await? {
            report.set_instructions(index, counted, instructions::METHOD);
            if counts.are_doubtful {
                report.doubt_counts();
            }
        }
        report.warn(counting.take_warning());
    }
    if !growth_runs::is_measured(job) || report.is_without_input() {
        return Ok(ExtraRuns::default());
    }
    let took = begun_measuring.elapsed();
    let known = KnownSizes { sizes: report.sizes(), start_up: report.start_up_samples(), took };
    Ok(growth_runs::measure(job, &mut sandbox.channel, core, known).await?)
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
        && let Some(known) = key.as_ref().and_then(|key| profiler.paces.recent(key))
    {
        return Ok(known);
    }
    let pace = Pace::measure(session, built.empty, counts).await?;
    if let Some(key) = key.filter(|_| pace.is_whole()) {
        profiler.paces.keep(key, pace.clone());
    }
    Ok(pace)
}

/// Checks the answers to the test cases if they come last, and whether the input is enough. Nothing
/// is timed. These runs come after the timed ones, because a program could do its work here and
/// leave the result for a timed run.
async fn check_program(
    context: &mut Context<'_>,
    session: &mut MeasureSession<'_>,
    binary: Binary,
) -> Result<(), EarlyEnd> {
    let Context { job, profiler, report, validator, .. } = context;
    if job.options.test_order == TestOrder::After && !job.test_cases.is_empty() {
        run_test_cases(report, profiler, session, (None, validator.as_mut())).await?;
    }
    if job.options.input_experiment == InputExperiment::After
        && judge_binary(binary, &job.limits).is_none()
    {
        check_input(context, session).await?;
    }
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
