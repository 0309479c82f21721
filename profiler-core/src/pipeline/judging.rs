//! The test cases, and the counts of the right answers.

use super::context::{Built, Context, Profiler, Unmeasured};
use crate::analyse::instructions;
use crate::analyse::test_counts::{CountedCase, TestCounts};
use crate::error::{EarlyEnd, SandboxFault};
use crate::job::{Job, without_macros};
use crate::limits::COMPILING_BYTES;
use crate::measure::session::{MeasureSession, program_bytes};
use crate::measure::size::cold::Spare;
use crate::measure::startup;
use crate::measure::test_cases::{CheckerSandbox, Judged, TestCases, Validator};
use crate::report::{ReportBuilder, StartUpCosts};
use crate::sandbox::{CoreReservation, Cores, Pool, Sandbox};
use futures::future::OptionFuture;
use profiler_proto::v1::{Warning, WarningCode};
use runner_protocol::{Binary, Variant};
use std::time::Duration;

/// Reason why no test case is counted without a sandbox for that.
const NO_SANDBOX: &str = "the sandbox for counts could not be started";

/// Judges a program that is not measured by its test cases, and counts the instructions of each
/// right answer. The counts run on the measured processor if it is free now.
pub(super) async fn judge_alone(
    context: &mut Context<'_>,
    sandbox: &mut Sandbox,
    built: Built,
) -> Result<(), EarlyEnd> {
    let Context { job, profiler, report, counting, validator, .. } = context;
    let reservation = profiler.pool.cores_of(&sandbox.hello).and_then(Cores::take_now);
    let core = reservation.as_ref().and_then(CoreReservation::core);
    let counting = counting.apart(job, sandbox, built.binary).await;
    let counts = counts_in(counting, core, job, profiler, report).await?;
    let mut session = MeasureSession::new(job, &mut sandbox.channel, None);
    run_test_cases(report, profiler, &mut session, (counts, validator.as_mut())).await?;
    Ok(())
}

/// Judges the program in a sandbox of its own, because a program could leave something behind for
/// its timed runs. Returns the reason not to measure the program; `None` if it is right. If the job
/// wants counts, they run in a sandbox of their own.
pub(super) async fn judge_apart(
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
    let mut counting = counting_sandbox(pool, built.binary, &mut session).await;
    let mut apart = apart.with(built.binary, &mut session).await?;
    let counts = counts_in(counting.as_mut(), None, job, profiler, report).await?;
    let mut session = session.elsewhere(&mut apart.channel);
    let found = run_test_cases(report, profiler, &mut session, (counts, validator.as_mut())).await;
    apart.end().await;
    OptionFuture::from(counting.map(Sandbox::end)).await;
    Ok(found?)
}

/// Judges the program in the sandbox of its timed runs, after them. If the job wants counts, they
/// run in a sandbox of their own.
pub(super) async fn judge_after(
    context: &mut Context<'_>,
    session: &mut MeasureSession<'_>,
    binary: Binary,
) -> Result<(), EarlyEnd> {
    let Context { job, profiler, report, validator, .. } = context;
    let mut counting = counting_sandbox(&profiler.pool, binary, session).await;
    let counts = counts_in(counting.as_mut(), None, job, profiler, report).await?;
    run_test_cases(report, profiler, session, (counts, validator.as_mut())).await?;
    OptionFuture::from(counting.map(Sandbox::end)).await;
    Ok(())
}

/// Starts a sandbox with the program for the counts of the test cases alone, if the job wants them.
/// The sizes are counted in another one, because a program could leave answers in this one.
async fn counting_sandbox(
    pool: &Pool,
    binary: Binary,
    session: &mut MeasureSession<'_>,
) -> Option<Sandbox> {
    if !session.job.options.counts_tests {
        return None;
    }
    let started = Spare::start(pool).with(binary, session).await;
    let started = started.inspect_err(|EarlyEnd { message, .. }| {
        tracing::warn!(target: "Profiler", message, "the counts of tests have no new sandbox");
    });
    started.ok()
}

/// Returns counts of test cases in `sandbox`, which has the program; `None` if the job wants none.
/// Without a sandbox, warns that there are none.
async fn counts_in<'s>(
    sandbox: Option<&'s mut Sandbox>,
    core: Option<u32>,
    job: &'s Job,
    profiler: &Profiler,
    report: &mut ReportBuilder,
) -> Result<Option<TestCounts<'s>>, SandboxFault> {
    if !job.options.counts_tests {
        return Ok(None);
    }
    let Some(sandbox) = sandbox else {
        let problem = format!("no test case is counted: {NO_SANDBOX}");
        report.warn([Warning::new(WarningCode::NotCounted, problem)]);
        return Ok(Some(TestCounts::impossible(NO_SANDBOX)));
    };
    let instructions = count_empty(sandbox, core, job, profiler).await?;
    let session = MeasureSession::new(job, &mut sandbox.channel, core);
    let start_up = StartUpCosts { instructions, user_ms: 0.0 };
    TestCounts::begin(session, start_up).await.map(Some)
}

/// Returns the instructions of an empty program with the flags of `job`. They are counted in
/// `sandbox`, unless they are known from an earlier job. `None` if there is no count, and for a
/// program that the caller compiled, which need not start like one of the sandbox's compiler.
async fn count_empty(
    sandbox: &mut Sandbox,
    core: Option<u32>,
    job: &Job,
    Profiler { builder, empty, .. }: &Profiler,
) -> Result<Option<u64>, SandboxFault> {
    if !job.program.is_empty() {
        return Ok(None);
    }
    let key = sandbox.toolchain.clone().map(|toolchain| (toolchain, without_macros(&job.flags)));
    if let Some(known) = key.as_ref().and_then(|key| empty.recent(key, Duration::MAX)) {
        return Ok(Some(known));
    }
    let bytes = COMPILING_BYTES.max(program_bytes(job, sandbox));
    sandbox.lease.limit_memory(bytes).await?;
    let compiled = builder.obtain(job, sandbox, Variant::Empty).await?.compiled;
    let bytes = program_bytes(job, sandbox);
    sandbox.lease.limit_memory(bytes).await?;
    if compiled.binary.is_none() {
        return Ok(None);
    }
    let count = startup::count(&mut MeasureSession::new(job, &mut sandbox.channel, core)).await?;
    if let Some((key, count)) = key.zip(count) {
        empty.keep(key, count);
    }
    Ok(count)
}

/// Runs the test cases, and reports each result at once. If there are `counts`, the instructions of
/// each right answer are counted after that: a judged run could work for a counted one beside it.
/// Returns the reason not to measure the program; `None` if all answers are right.
async fn run_test_cases(
    report: &mut ReportBuilder,
    Profiler { builder, pool, .. }: &Profiler,
    session: &mut MeasureSession<'_>,
    (counts, mut validator): (Option<TestCounts<'_>>, Option<&mut Validator>),
) -> Result<Option<Unmeasured>, SandboxFault> {
    let checker = CheckerSandbox::start(session.job, builder, pool).await;
    report.warn(checker.as_ref().and_then(CheckerSandbox::warning));
    let mut cases = TestCases::of(session.job, checker);
    let mut right = Vec::new();
    for index in 0.. {
        let judged = cases.next(session, validator.as_deref_mut()).await?;
        report.warn(validator.as_deref_mut().and_then(Validator::take_fault));
        let Some(Judged { result, warning, run }) = judged else { break };
        let is_right = result.correct == Some(true);
        right.extend(run.filter(|_| is_right).map(|run| (index, run)));
        report.add_test_case(result, warning);
    }
    if let Some(mut counts) = counts {
        for (index, run) in right {
            add_count(report, counts.count(index, run).await?);
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

fn add_count(report: &mut ReportBuilder, counted: CountedCase) {
    let CountedCase { index, outcome, warnings, withdrawn } = counted;
    report.set_test_instructions(index, outcome, instructions::METHOD);
    let (cases, why) = withdrawn.unwrap_or_default();
    for case in cases {
        report.set_test_instructions(case, Err(why.clone()), instructions::METHOD);
    }
    report.warn(warnings);
}
