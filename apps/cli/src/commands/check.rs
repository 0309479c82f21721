//! `check`: searches for a small input about which two programs differ.

mod reproduction;
mod request;
mod result;
mod text;

pub(crate) use reproduction::quoted;

use crate::args::{CheckArgs, ResultFormat};
use crate::exit::{Exit, Failure};
use crate::output::{self, File};
use crate::progress::Progress;
use crate::sandbox;
use crate::stderr::tell;
use profiler_core::Profiler;
use profiler_core::build::BinaryCache;
use profiler_core::cancel::Termination;
use profiler_core::error::SandboxFault;
use profiler_core::job::Job;
use profiler_core::measure::ProgramSession;
use profiler_core::measure::stress::StressTest;
use profiler_core::sandbox::{Instance, Pool};
use profiler_export::{explain_errors, flag};
use profiler_proto::json;
use request::Request;
use result::{CheckResult, Ended};
use std::time::{Duration, Instant};

/// Each program needs one sandbox, so none is started in advance.
const WARM_SANDBOXES: usize = 0;
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// Searches, and prints what was found, also if the host failed after that.
pub(crate) async fn check(args: CheckArgs) -> Result<Exit, Failure> {
    let Request { jobs, inputs, budget, names } = Request::from_args(&args)?;
    let file = args.output.as_deref().map(File::open).transpose()?;
    let progress = Progress::new(args.progress).without_sizes();
    let selected =
        sandbox::select(&args.sandbox, Instance::fresh(), |line| progress.show_step(line)).await?;
    progress.announce(&format!("backend {}: {}", selected.backend.name(), selected.reason));
    let pool = Pool::new(selected.backend, WARM_SANDBOXES);
    let profiler = Profiler::new(pool, BinaryCache::for_user());
    let mut termination = Termination::listen().map_err(Failure::broken("listen for signals"))?;
    let mut programs = [None, None];
    let mut test = StressTest::new(inputs, budget);
    let ended = tokio::select! {
        biased;
        signal = termination.asked() => Ok(Ended::Stopped(signal)),
        ended = search(jobs, &profiler, &mut programs, &mut test, &progress) => ended,
    };
    for program in programs.into_iter().flatten() {
        program.end().await;
    }
    profiler.pool.close().await;
    progress.finish();
    let (ended, fault) = match ended {
        Ok(ended) => (ended, None),
        Err(fault) if test.difference.is_none() => return Err(fault.into()),
        Err(fault) => (Ended::Fault, Some(fault)),
    };
    if let Ended::NotCompiled(_, refused) = &ended {
        tell(format_args!("{}", explain_errors(&refused.step, flag)));
    }
    let result = CheckResult::new(&args, &names, &test, ended);
    match args.format {
        ResultFormat::Json => {
            let json = json::pretty(&result);
            output::print(&json.map_err(Failure::broken("write the result"))?)?;
        }
        ResultFormat::Table => output::print(&text::text(&result, &output::palette()))?,
    }
    if let (Some(file), Some(found)) = (file, &test.difference) {
        file.fill(&found.input.bytes)?;
    }
    fault.map_or_else(|| Ok(result.exit()), |fault| Err(fault.into()))
}

/// Starts a sandbox for each program, compiles both, and searches. The caller must end `programs`,
/// even if this future is dropped.
async fn search(
    [fast_job, slow_job]: [Job; 2],
    profiler: &Profiler,
    [fast, slow]: &mut [Option<ProgramSession>; 2],
    test: &mut StressTest,
    progress: &Progress,
) -> Result<Ended, SandboxFault> {
    let Profiler { pool, builder } = profiler;
    let fast = fast.insert(ProgramSession::start(fast_job, pool).await?);
    let slow = slow.insert(ProgramSession::start(slow_job, pool).await?);
    progress.show_step("compiling");
    let compiled = tokio::try_join!(fast.compile(builder), slow.compile(builder))?;
    for (at, compiled) in [compiled.0, compiled.1].into_iter().enumerate() {
        if let Err(refused) = compiled {
            return Ok(Ended::NotCompiled(at, Box::new(refused)));
        }
    }
    let mut shown = Instant::now();
    let ended = test.run([fast, slow], |test, n| {
        if shown.elapsed() >= PROGRESS_INTERVAL {
            shown = Instant::now();
            progress.show_step(&text::progress(test, n));
        }
    });
    Ok(Ended::Searched(ended.await?))
}
