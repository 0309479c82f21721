//! `worst`: searches the inputs that a spec allows for the one on which a program executes most
//! instructions.

mod request;
mod result;
mod text;

use crate::args::{ResultFormat, WorstArgs};
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
use profiler_core::measure::worst::WorstCase;
use profiler_core::sandbox::{Instance, Pool};
use profiler_export::{explain_errors, flag};
use profiler_proto::json;
use request::Request;
use result::{Ended, WorstResult};
use std::time::{Duration, Instant};

/// The program needs one sandbox, so none is started in advance.
const WARM_SANDBOXES: usize = 0;
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// Searches, and prints what was found, also after Ctrl-C.
pub(crate) async fn worst(args: WorstArgs) -> Result<Exit, Failure> {
    let Request { job, space, plan } = Request::from_args(&args)?;
    let file = args.output.as_deref().map(File::open).transpose()?;
    let spec_file = args.output_spec.as_deref().map(File::open).transpose()?;
    let progress = Progress::new(args.progress).without_sizes();
    let selected =
        sandbox::select(&args.sandbox, Instance::fresh(), |line| progress.show_step(line)).await?;
    progress.announce(&format!("backend {}: {}", selected.backend.name(), selected.reason));
    let pool = Pool::new(selected.backend, WARM_SANDBOXES);
    let profiler = Profiler::new(pool, BinaryCache::for_user());
    let mut termination = Termination::listen().map_err(Failure::broken("listen for signals"))?;
    let mut program = None;
    let source = String::from_utf8_lossy(&job.source).into_owned();
    let mut case = WorstCase::new(space, plan);
    let ended = tokio::select! {
        biased;
        signal = termination.asked() => Ok(Ended::Stopped(signal)),
        ended = search(job, &profiler, &mut program, &mut case, &progress) => ended,
    };
    if let Some(program) = program {
        program.end().await;
    }
    profiler.pool.close().await;
    progress.finish();
    let (ended, fault) = match ended {
        Ok(ended) => (ended, None),
        Err(fault) if case.worst().is_none() => return Err(fault.into()),
        Err(fault) => (Ended::Fault, Some(fault)),
    };
    if let Ended::NotCompiled(refused) = &ended {
        tell(format_args!("{}", explain_errors(&refused.step, flag)));
    }
    let result = WorstResult::new(&args, &source, &case, &ended);
    match args.format {
        ResultFormat::Json => {
            let json = json::pretty(&result);
            output::print(&json.map_err(Failure::broken("write the result"))?)?;
        }
        ResultFormat::Table => output::print(&text::text(&result, &source, &output::palette()))?,
    }
    if let Some(found) = &result.input {
        if let Some(file) = file {
            file.fill(&found.whole)?;
        }
        if let Some(file) = spec_file {
            let broken = Failure::broken("write the spec");
            let json = json::to_string_pretty(&found.spec).map_err(broken)?;
            file.fill((json + "\n").as_bytes())?;
        }
    }
    fault.map_or_else(|| Ok(result.exit), |fault| Err(fault.into()))
}

/// Starts a sandbox, compiles the program, and searches. The caller ends `program`, also if this is
/// dropped.
async fn search(
    job: Job,
    profiler: &Profiler,
    program: &mut Option<ProgramSession>,
    case: &mut WorstCase,
    progress: &Progress,
) -> Result<Ended, SandboxFault> {
    let Profiler { pool, builder } = profiler;
    let program = program.insert(ProgramSession::start(job, pool).await?);
    progress.show_step("compiling");
    if let Err(refused) = program.compile(builder).await? {
        return Ok(Ended::NotCompiled(Box::new(refused)));
    }
    let mut shown = Instant::now();
    let ended = case.run(program, builder, |case| {
        if shown.elapsed() >= PROGRESS_INTERVAL {
            shown = Instant::now();
            progress.show_step(&text::progress(case));
        }
    });
    Ok(Ended::Ran(ended.await?))
}
