//! `worst`: searches the inputs that a spec allows for the one on which a program executes the most
//! instructions.

mod request;
mod result;
mod text;

use super::check::quoted;
use crate::args::WorstArgs;
use crate::exit::{Exit, Failure};
use crate::output::{self, File};
use crate::progress::Progress;
use crate::sandbox::{self, Ended};
use profiler_core::Profiler;
use profiler_core::error::SandboxFault;
use profiler_core::job::Job;
use profiler_core::measure::ProgramSession;
use profiler_core::measure::worst::{WorstCase, WorstEnd};
use profiler_proto::json;
use request::Request;

/// Searches, and prints what was found, even after Ctrl-C.
pub(crate) async fn worst(args: WorstArgs) -> Result<Exit, Failure> {
    let Request { job, space, plan } = Request::from_args(&args)?;
    let file = args.output.as_deref().map(File::open).transpose()?;
    let spec_file = args.output_spec.as_deref().map(File::open).transpose()?;
    let progress = Progress::new(args.progress).without_sizes();
    let (source, files) = (String::from_utf8_lossy(&job.source).into_owned(), job.files.clone());
    let mut case = WorstCase::new(space, plan);
    let ended = sandbox::search(&args.sandbox, &progress, async |profiler, programs| {
        search(job, profiler, programs, &mut case, &progress).await
    });
    let ended = ended.await?;
    if let (Ended::Fault(fault), None) = (&ended, case.worst()) {
        return Err(fault.clone().into());
    }
    let of_search = if let Ended::Searched(end) = &ended { Some(end) } else { None };
    let mut found = case.found(of_search);
    let (ended_by, problem) = result::end(&ended, found.end());
    if let Some(problem) = problem {
        found.problem = problem;
    }
    let of_line = found.line.as_ref().map_or("", |line| line.file.as_str());
    let other = files.iter().find(|file| file.path == of_line);
    let source = other.map_or(source, |file| file.text.clone());
    let n = found.measured_size.unwrap_or(found.searched_size);
    let command = args.output_spec.as_ref().map(|file| {
        let n_max = args.n_max.map(|n_max| format!(" --n-max {n_max}")).unwrap_or_default();
        format!("swiftprof input {} --n {n}{n_max}", quoted(&file.display().to_string()))
    });
    let json = result::result(&args, &source, &found, command.as_deref(), ended_by);
    let json = json.map_err(Failure::broken("write the result"))?;
    let text = || text::text(&args.file, &found, &source, command.as_deref(), &output::palette());
    output::print_as(args.format, &json, text)?;
    let input = case.worst().and_then(|genome| case.search.space().input(genome, n));
    if let (Some(file), Some(input)) = (file, &input) {
        file.fill(input)?;
    }
    if let (Some(file), Some(spec), Some(_)) = (spec_file, &found.spec, &input) {
        let json = json::to_string_pretty(spec).map_err(Failure::broken("write the spec"))?;
        file.fill((json + "\n").as_bytes())?;
    }
    match ended {
        Ended::Searched(WorstEnd::Found) => Ok(Exit::Done),
        Ended::Searched(WorstEnd::Uncountable(_)) => Ok(Exit::CannotTell),
        Ended::Searched(WorstEnd::NothingEndedOk) | Ended::NotCompiled(..) => {
            Ok(Exit::Unsuccessful)
        }
        Ended::Stopped(signal) => Ok(Exit::Stopped(signal)),
        Ended::Fault(fault) => Err(fault.into()),
    }
}

/// Starts a sandbox, compiles the program, and searches. The caller ends `program`, even if this
/// future is dropped.
async fn search(
    job: Job,
    profiler: &Profiler,
    [program]: &mut [Option<ProgramSession>; 1],
    case: &mut WorstCase,
    progress: &Progress,
) -> Result<Ended<WorstEnd>, SandboxFault> {
    let Profiler { pool, builder, .. } = profiler;
    let program = program.insert(ProgramSession::start(job, pool).await?);
    progress.show_step("compiling");
    if let Err(refused) = program.compile(builder).await? {
        return Ok(Ended::NotCompiled(0, Box::new(refused)));
    }
    let mut show = progress.show_seldom();
    let ended = case.run(program, builder, |case| show(&|| text::progress(case)));
    Ok(Ended::Searched(ended.await?))
}
