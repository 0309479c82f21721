//! `check`: searches for a small input on which two programs differ.

mod reproduction;
mod request;
mod result;
mod text;

pub(crate) use reproduction::quoted;

use crate::args::CheckArgs;
use crate::exit::{Exit, Failure};
use crate::output::{self, File};
use crate::progress::Progress;
use crate::sandbox::{self, Ended};
use profiler_core::Profiler;
use profiler_core::error::SandboxFault;
use profiler_core::job::Job;
use profiler_core::measure::ProgramSession;
use profiler_core::measure::stress::{StressEnd, StressTest};
use request::Request;
use result::CheckResult;

/// Searches, and prints what was found, even if the host fails afterwards.
pub(crate) async fn check(args: CheckArgs) -> Result<Exit, Failure> {
    let Request { jobs, inputs, budget, names } = Request::from_args(&args)?;
    let file = args.output.as_deref().map(File::open).transpose()?;
    let progress = Progress::new(args.progress).without_sizes();
    let mut test = StressTest::new(inputs, budget);
    let ended = sandbox::search(&args.sandbox, &progress, async |profiler, programs| {
        search(jobs, profiler, programs, &mut test, &progress).await
    });
    let ended = ended.await?;
    if let (Ended::Fault(fault), None) = (&ended, &test.difference) {
        return Err(fault.clone().into());
    }
    let result = CheckResult::new(&args, &names, &test, ended);
    let json = result.in_json().map_err(Failure::broken("write the result"))?;
    output::print_as(args.format, &json, || text::text(&result, &output::palette()))?;
    if let (Some(file), Some(found)) = (file, &test.difference) {
        file.fill(&found.input.bytes)?;
    }
    result.exit()
}

/// Starts a sandbox for each program, compiles both, and searches. The caller keeps the sandboxes,
/// and ends them even if this future is dropped.
async fn search(
    [fast_job, slow_job]: [Job; 2],
    profiler: &Profiler,
    [fast, slow]: &mut [Option<ProgramSession>; 2],
    test: &mut StressTest,
    progress: &Progress,
) -> Result<Ended<StressEnd>, SandboxFault> {
    let Profiler { pool, builder, .. } = profiler;
    let fast = fast.insert(ProgramSession::start(fast_job, pool).await?);
    let slow = slow.insert(ProgramSession::start(slow_job, pool).await?);
    progress.show_step("compiling");
    let compiled = tokio::try_join!(fast.compile(builder), slow.compile(builder))?;
    for (at, compiled) in [compiled.0, compiled.1].into_iter().enumerate() {
        if let Err(refused) = compiled {
            return Ok(Ended::NotCompiled(at, Box::new(refused)));
        }
    }
    let mut report = progress.show_seldom();
    let ended = test.run([fast, slow], |test, n| report(&|| text::progress(test, n)));
    Ok(Ended::Searched(ended.await?))
}
