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
use profiler_core::job::{Job, OtherProgram};
use profiler_core::limits::MAX_CANDIDATES;
use profiler_core::measure::ProgramSession;
use profiler_core::measure::worst::{WorstCase, WorstEnd};
use profiler_proto::json;
use profiler_proto::v1::WorstInput;
use profiler_search::Space;
use request::Request;
use std::path::Path;

/// Searches, and prints what was found, even after Ctrl-C.
pub(crate) async fn worst(args: WorstArgs) -> Result<Exit, Failure> {
    let Request { job, space, generators, plan } = Request::from_args(&args)?;
    let file = args.output.as_deref().map(File::open).transpose()?;
    let spec_file = args.output_spec.as_deref().map(File::open).transpose()?;
    let progress = Progress::new(args.progress).without_sizes();
    let (source, files) = (String::from_utf8_lossy(&job.source).into_owned(), job.files.clone());
    let mut case = WorstCase::new(space, plan);
    let ended = sandbox::search(&args.sandbox, &progress, async |profiler, programs| {
        search((job, &generators), profiler, programs, &mut case, &progress).await
    });
    let ended = Box::pin(ended).await?;
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
    let command = command(&args, &found, case.search.space());
    let json = result::result(&args, &source, &found, command.as_deref(), ended_by);
    let json = json.map_err(Failure::broken("write the result"))?;
    let text = || text::text(&args.file, &found, &source, command.as_deref(), &output::palette());
    output::print_as(args.format, &json, text)?;
    let input = case.input();
    if let (Some(file), Some(input)) = (file, &input) {
        file.fill(input)?;
    }
    // Unlike the report, the file has the source of a generator.
    let spec = case.worst().and_then(|genome| case.search.space().spec(genome));
    if let (Some(file), Some(spec), Some(_)) = (spec_file, &spec, &input) {
        let json = json::to_string_pretty(spec).map_err(Failure::broken("write the spec"))?;
        file.fill((json + "\n").as_bytes())?;
    }
    match ended {
        Ended::Searched(WorstEnd::Found) => Ok(Exit::Done),
        Ended::Searched(WorstEnd::Uncountable(_) | WorstEnd::NotGenerated(_)) => {
            Ok(Exit::CannotTell)
        }
        Ended::Searched(WorstEnd::NothingEndedOk) | Ended::NotCompiled(..) => {
            Ok(Exit::Unsuccessful)
        }
        Ended::Stopped(signal) => Ok(Exit::Stopped(signal)),
        Ended::Fault(fault) => Err(fault.into()),
    }
}

/// Returns the command that writes the worst input again. `None` if neither a saved spec nor a
/// generator that can be named makes it.
fn command(args: &WorstArgs, found: &WorstInput, space: &Space) -> Option<String> {
    let n = found.measured_size.unwrap_or(found.searched_size);
    let n_max = args.n_max.map(|n_max| format!(" --n-max {n_max}")).unwrap_or_default();
    let input = |file: &Path| format!("swiftprof input {}", quoted(&file.display().to_string()));
    if let Some(file) = &args.output_spec {
        return Some(format!("{} --n {n}{n_max}", input(file)));
    }
    let (seed, candidate) = (found.generator_seed?, found.candidate as usize);
    let name = |at: usize| space.declared(at).map_or("", |spec| spec.name.as_str());
    let of = name(candidate);
    let named = if candidate == 0 && args.name.is_none() {
        String::new()
    } else if of.is_empty() || (0..candidate).any(|at| name(at) == of) {
        return None;
    } else {
        format!(" --name {}", quoted(of))
    };
    let testlib = args.testlib.as_ref().map(|path| quoted(&path.display().to_string()));
    let testlib = testlib.map(|path| format!(" --testlib {path}")).unwrap_or_default();
    Some(format!("{}{named} --n {n} --seed {seed}{n_max}{testlib}", input(&args.input_spec)))
}

/// Sandboxes of a search: the program, and the generator of each candidate.
type Programs = [Option<ProgramSession>; 1 + MAX_CANDIDATES];

/// Starts the sandboxes, compiles the program and the generators, and searches. The caller ends
/// them, even if this future is dropped.
async fn search(
    (job, generators): (Job, &[Option<OtherProgram>]),
    profiler: &Profiler,
    [program, makers @ ..]: &mut Programs,
    case: &mut WorstCase,
    progress: &Progress,
) -> Result<Ended<WorstEnd>, SandboxFault> {
    let Profiler { pool, builder, .. } = profiler;
    for (maker, generator) in makers.iter_mut().zip(generators) {
        if let Some(generator) = generator {
            let place = (builder, pool);
            *maker = Some(ProgramSession::start_generator(&job, generator, place).await?);
        }
    }
    let program = program.insert(ProgramSession::start(job, pool).await?);
    progress.show_step("compiling");
    let all = [&mut *program].into_iter().chain(makers.iter_mut().flatten());
    for (at, one) in all.enumerate() {
        if let Err(refused) = one.compile(builder).await? {
            return Ok(Ended::NotCompiled(at, Box::new(refused)));
        }
    }
    let mut show = progress.show_seldom();
    let ended = case.run(program, makers, builder, |case| show(&|| text::progress(case)));
    Ok(Ended::Searched(ended.await?))
}
