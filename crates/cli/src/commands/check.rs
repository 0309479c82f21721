//! `check`: searches for a small input about which two programs differ.

mod reproduction;
mod request;
mod result;
mod text;

use crate::args::{CheckArgs, ResultFormat};
use crate::exit::{Exit, Failure};
use crate::progress::Progress;
use crate::{output, sandbox};
use profiler_core::Profiler;
use profiler_core::build::{BinaryCache, Builder};
use profiler_core::error::SandboxFault;
use profiler_core::job::Job;
use profiler_core::measure::ProgramSession;
use profiler_core::measure::stress::StressTest;
use profiler_core::sandbox::{Instance, Pool};
use profiler_export::readable;
use profiler_server::Termination;
use request::Request;
use result::{CheckResult, Ended};
use std::fs;
use std::time::{Duration, Instant};

/// Each program needs one sandbox, so none is started in advance.
const WARM_SANDBOXES: usize = 0;
/// How often the progress is shown.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// Searches, and prints what was found.
pub(crate) async fn check(args: CheckArgs) -> Result<Exit, Failure> {
    let Request { jobs, inputs, budget, names } = Request::from_args(&args)?;
    let progress = Progress::new(args.progress).without_sizes();
    let selected =
        sandbox::select(&args.sandbox, Instance::fresh(), |line| progress.show_step(line)).await?;
    progress.announce(&format!("backend {}: {}", selected.backend.name(), selected.reason));
    let pool = Pool::new(selected.backend, WARM_SANDBOXES);
    let profiler = Profiler::new(pool, BinaryCache::for_user());
    let mut termination = Termination::listen().map_err(Failure::broken("listen for signals"))?;
    let mut programs = start(jobs, &profiler.pool).await?;
    let mut test = StressTest::new(inputs, budget);
    let ended = tokio::select! {
        biased;
        signal = termination.asked() => Ok(Ended::Stopped(signal)),
        ended = search(&mut programs, &profiler.builder, &mut test, &progress) => ended,
    };
    for program in programs {
        program.end().await;
    }
    profiler.pool.close().await;
    progress.finish();
    let ended = ended?;
    if let Ended::NotCompiled(_, refused) = &ended {
        eprintln!("{}", readable(&refused.step.error_text));
    }
    let result = CheckResult::new(&args, &names, &test, &ended);
    match args.format {
        ResultFormat::Json => {
            let json = serde_json::to_string_pretty(&result);
            output::print(&json.map_err(Failure::broken("write the result"))?)?;
        }
        ResultFormat::Table => output::print(&text::text(&result, &output::palette()))?,
    }
    if let (Some(path), Some(found)) = (args.output, test.difference()) {
        fs::write(&path, &found.input.bytes)
            .map_err(|cause| Failure::Unwritable { path, cause })?;
    }
    Ok(result.exit(&ended))
}

/// Starts a sandbox for each program.
async fn start([fast, slow]: [Job; 2], pool: &Pool) -> Result<[ProgramSession; 2], SandboxFault> {
    let fast = ProgramSession::start(fast, pool).await?;
    match ProgramSession::start(slow, pool).await {
        Ok(slow) => Ok([fast, slow]),
        Err(fault) => {
            fast.end().await;
            Err(fault)
        }
    }
}

/// Compiles both programs and searches.
async fn search(
    programs: &mut [ProgramSession; 2],
    builder: &Builder,
    test: &mut StressTest,
    progress: &Progress,
) -> Result<Ended, SandboxFault> {
    progress.show_step("compiling");
    let [fast, slow] = &mut *programs;
    let compiled = tokio::try_join!(fast.compile(builder), slow.compile(builder))?;
    for (at, compiled) in [compiled.0, compiled.1].into_iter().enumerate() {
        if let Err(refused) = compiled {
            return Ok(Ended::NotCompiled(at, Box::new(refused)));
        }
    }
    let mut shown = Instant::now();
    let ended = test.run(programs, |test, n| {
        if shown.elapsed() >= PROGRESS_INTERVAL {
            shown = Instant::now();
            progress.show_step(&text::progress(test, n));
        }
    });
    Ok(Ended::Searched(ended.await?))
}
