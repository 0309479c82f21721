//! The way of the data: a job becomes a report.
//!
//! sandbox → compile → for each size: input → run → verdict and figures → … → hotspots → report

use crate::cache;
use crate::compile::{self, CompileStep};
use crate::error::{ErrorCode, SandboxFault};
use crate::event::{EventKind, Events};
use crate::hotspots;
use crate::job::{Job, OnMemoryLimit};
use crate::limits::{ALLOWANCE_BYTES, ANSWER_MARGIN, COMPILE_MEMORY_BYTES, REPETITIONS, SHARE};
use crate::measure::{ParseError, nanoseconds};
use crate::outcome::{Outcome, Verdict};
use crate::report::{ProfileReport, SandboxError, SizeResult};
use crate::sandbox::{Borrowed, Pool, unexpected};
use crate::schedule::Schedule;
use crate::stop::Stopped;
use runner_protocol::{
    Binary, File, Input, Profiled, Ran, Request, Response, Run, Stop, Subject, Variant,
};
use std::time::{Duration, Instant};
use tracing::Instrument;

/// How often the compiler is started: once more if it died or its sandbox was lost.
const COMPILE_TRIES: u32 = 2;

/// Profiles a job. What is stopped or fails on the way ends as an error with what was measured.
pub(crate) async fn profile(
    job: &Job,
    pool: &Pool,
    events: &mut Events,
    stopped: &mut Stopped,
    turn: impl Future<Output = ()>,
) -> Result<ProfileReport, SandboxError> {
    let mut report = ProfileReport::begin(job, events.run_id(), pool.backend());
    let acquired = async {
        turn.await;
        pool.acquire().await
    };
    let ended = match unless(stopped, acquired).await {
        Ok(mut sandbox) => {
            let met = report.met(&sandbox.hello);
            let steps = async {
                met?;
                steps(job, pool, &mut sandbox, &mut report, events).await
            };
            let ended = unless(stopped, steps).await;
            sandbox.end().await;
            ended
        }
        Err(early) => Err(early),
    };
    report.settle_clock(job);
    match ended {
        Ok(()) => Ok(report),
        Err(Early { code, message }) => {
            tracing::warn!(target: "Profiler", %code, %message, "ended early");
            Err(SandboxError { code, message, partial: Box::new(report) })
        }
    }
}

/// What ends a run before its last step.
struct Early {
    code: ErrorCode,
    message: String,
}

impl From<SandboxFault> for Early {
    fn from(fault: SandboxFault) -> Self {
        Self { code: ErrorCode::Internal, message: fault.to_string() }
    }
}

impl From<ParseError> for Early {
    fn from(error: ParseError) -> Self {
        Self { code: ErrorCode::Parse, message: error.to_string() }
    }
}

/// Does `step` unless the run is stopped first. Dropping the step is safe: its sandbox is not used
/// again.
async fn unless<T, E: Into<Early>>(
    stopped: &mut Stopped,
    step: impl Future<Output = Result<T, E>>,
) -> Result<T, Early> {
    tokio::select! {
        biased;
        code = stopped.stopped() => Err(Early { code, message: format!("the run was stopped: {code}") }),
        done = step => done.map_err(Into::into),
    }
}

async fn steps(
    job: &Job,
    pool: &Pool,
    sandbox: &mut Borrowed,
    report: &mut ProfileReport,
    events: &mut Events,
) -> Result<(), Early> {
    let stage = tracing::info_span!(target: "Profiler", "compile");
    let compiled = compile(job, pool, sandbox, report, events);
    let binary = compiled.instrument(stage).await?;
    let program_bytes = job.limits.memory_bytes + ALLOWANCE_BYTES;
    sandbox.lease.limit_memory(program_bytes).await?;
    let schedule = Schedule::fixed(&job.sizes);
    let mut unspent = SHARE * u32::try_from(schedule.left(0)).unwrap_or(u32::MAX);
    while let Some(size) = schedule.next(report.sizes.len()) {
        let begun = Instant::now();
        let left = u32::try_from(schedule.left(report.sizes.len())).unwrap_or(u32::MAX);
        let result = if let Some(verdict) = Verdict::of_binary(binary, &job.limits) {
            SizeResult::never_started(size, verdict)
        } else {
            let ran = run(job, sandbox, size, unspent / left.max(1)).await?;
            SizeResult::of(job, size, &ran)?
        };
        unspent = unspent.saturating_sub(begun.elapsed());
        result.log();
        events.emit(EventKind::SizeMeasured(Box::new(result.clone()))).await;
        let over_memory = result.outcome == Outcome::MemoryLimit;
        report.add(result);
        if over_memory && job.on_memory_limit == OnMemoryLimit::Abort {
            let message = format!("size {size} exceeded the memory limit");
            return Err(Early { code: ErrorCode::Memory, message });
        }
    }
    if job.debug {
        sandbox.lease.limit_memory(COMPILE_MEMORY_BYTES + ALLOWANCE_BYTES).await?;
        find_hotspots(job, pool, sandbox, report).await?;
    }
    Ok(())
}

/// Compiles, and once more in another sandbox if the compiler died or the sandbox was lost.
async fn compile(
    job: &Job,
    pool: &Pool,
    sandbox: &mut Borrowed,
    report: &mut ProfileReport,
    events: &mut Events,
) -> Result<Binary, Early> {
    let mut tries = 1;
    let (compiled, cached) = loop {
        let built = cache::obtain(job, pool, sandbox, Variant::Plain).await;
        match &built {
            Ok((compiled, _)) if !compile::died(compiled) => break built?,
            Ok(_) | Err(SandboxFault::Lost(_) | SandboxFault::Silent(_))
                if tries < COMPILE_TRIES =>
            {
                tries += 1;
                *sandbox = pool.acquire().await?;
            }
            _ => break built?,
        }
    };
    let step = CompileStep { cached, ..CompileStep::from(&compiled) };
    tracing::info!(target: "Profiler", command = %step.command, wall_ms = step.wall_ms, "compiled");
    report.compile = Some(step.clone());
    events.emit(EventKind::Compiled(Box::new(step.clone()))).await;
    compiled.binary.ok_or_else(|| Early {
        code: ErrorCode::Compile,
        message: compile::failure(&compiled, &step),
    })
}

/// All runs of one size, within `budget`.
async fn run(
    job: &Job,
    sandbox: &mut Borrowed,
    size: u32,
    budget: Duration,
) -> Result<Ran, SandboxFault> {
    let input = place_input(job, sandbox, size).await?;
    let request = Request::Run(Run { stop: stop(REPETITIONS, budget), ..plain_run(job, input) });
    let within = budget + 2 * job.limits.wall_stop() + ANSWER_MARGIN;
    match sandbox.channel.ask(&request, within).await? {
        Response::Ran(ran) => Ok(ran),
        other => Err(unexpected(&other)),
    }
}

async fn place_input(job: &Job, sandbox: &mut Borrowed, size: u32) -> Result<Input, SandboxFault> {
    match job.inputs.get(&size) {
        Some(bytes) => sandbox.channel.put(File::Input, bytes).await.map(|()| Input::Put),
        None => Ok(Input::Size(size)),
    }
}

fn plain_run(job: &Job, input: Input) -> Run {
    Run {
        subject: Subject::Build(Variant::Plain),
        warm_up: true,
        core: None,
        input,
        limits: job.limits.for_runner(),
        stop: stop(0, Duration::ZERO),
        stdout_head: job.stdout_bytes,
    }
}

fn stop(repetitions: u32, budget: Duration) -> Stop {
    Stop { least: repetitions, most: repetitions, budget_ns: nanoseconds(budget) }
}

/// One run of a build of its own, at the largest size that ended OK.
async fn find_hotspots(
    job: &Job,
    pool: &Pool,
    sandbox: &mut Borrowed,
    report: &mut ProfileReport,
) -> Result<(), SandboxFault> {
    let largest = report.sizes.iter().rev().find(|result| result.outcome == Outcome::Ok);
    let Some(size) = largest.map(|result| result.size) else {
        report.warn("no_hotspots", None, "no size ended OK, so none was profiled");
        return Ok(());
    };
    let (compiled, _) = cache::obtain(job, pool, sandbox, Variant::Gprof).await?;
    if compiled.binary.is_none() {
        report.warn("no_hotspots", None, "the program does not compile with -pg");
        return Ok(());
    }
    let input = place_input(job, sandbox, size).await?;
    let request =
        Request::Profile(Run { subject: Subject::Build(Variant::Gprof), ..plain_run(job, input) });
    // The program, gprof, and addr2line where gprof refuses.
    let within = 3 * job.limits.wall_stop() + ANSWER_MARGIN;
    let profiled: Profiled = match sandbox.channel.ask(&request, within).await? {
        Response::Profiled(profiled) => profiled,
        other => return Err(unexpected(&other)),
    };
    match hotspots::of(&profiled.profile) {
        None => report.warn("no_hotspots", Some(size), "the program left no profile"),
        Some(found) if found.is_empty() => {
            let problem = "gprof samples every 10 ms, and none fell on the program's own lines";
            report.warn("no_hotspots", Some(size), problem);
        }
        Some(found) => report.hotspots = found,
    }
    Ok(())
}
