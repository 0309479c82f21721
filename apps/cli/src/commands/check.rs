//! `check`: searches for a small input on which a program is wrong: it differs from another
//! program, its judge rejects the output, or a sanitizer finds an error.

mod reproduction;
mod request;
mod result;
mod text;

pub(crate) use reproduction::quoted;

use crate::args::{CheckArgs, Property};
use crate::exit::{Exit, Failure};
use crate::output::{self, File};
use crate::progress::Progress;
use crate::sandbox::{self, Ended};
use crate::stderr::tell;
use profiler_core::Profiler;
use profiler_core::build::Builder;
use profiler_core::error::SandboxFault;
use profiler_core::job::{Job, OtherProgram};
use profiler_core::limits::MAX_CANDIDATES;
use profiler_core::measure::stress::{Contestants, StressEnd, StressTest};
use profiler_core::measure::{NotCompiled, ProgramSession};
use request::Request;
use result::CheckResult;
use std::slice::from_mut;

/// Searches, and prints what was found, even if the host fails afterwards.
pub(crate) async fn check(args: CheckArgs) -> Result<Exit, Failure> {
    let Request { jobs, inputs, budget, names } = Request::from_args(&args)?;
    let must_sort = args.property == Some(Property::Sorted);
    let file = args.output.as_deref().map(File::open).transpose()?;
    let progress = Progress::new(args.progress).without_sizes();
    let generators = inputs.generators().map(Option::<&OtherProgram>::cloned).collect();
    let mut test = StressTest::new(inputs, budget);
    let ended = sandbox::search(&args.sandbox, &progress, async |profiler, programs| {
        let search = Search { jobs, generators, sanitizes: !args.no_sanitize, must_sort };
        search.run(profiler, programs, &mut test, &progress).await
    });
    let ended = Box::pin(ended).await?;
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

/// A search, before it begins.
struct Search {
    /// The program in doubt, and the one to check it against, if there is one.
    jobs: Vec<Job>,
    /// The generator of each candidate that has one.
    generators: Vec<Option<OtherProgram>>,
    sanitizes: bool,
    must_sort: bool,
}

/// Compiles the programs one after the other, until one does not compile.
async fn compile(
    programs: &mut [Option<ProgramSession>],
    builder: &Builder,
) -> Result<Result<(), NotCompiled>, SandboxFault> {
    for program in programs.iter_mut().flatten() {
        if let Err(refused) = program.compile(builder).await? {
            return Ok(Err(refused));
        }
    }
    Ok(Ok(()))
}

/// Number of sandboxes of a search before those of the generators.
const BEFORE_GENERATORS: usize = 4;
/// Sandboxes of a search: both programs, the checker, the first program with sanitizers, and the
/// generator of each candidate.
type Programs = [Option<ProgramSession>; BEFORE_GENERATORS + MAX_CANDIDATES];

impl Search {
    /// Starts a sandbox for each program, compiles all, and searches. The caller keeps the
    /// sandboxes, and ends them even if this future is dropped.
    async fn run(
        self,
        profiler: &Profiler,
        [fast, slow, judge, sanitized, makers @ ..]: &mut Programs,
        test: &mut StressTest,
        progress: &Progress,
    ) -> Result<Ended<StressEnd>, SandboxFault> {
        let Profiler { pool, builder, .. } = profiler;
        let Self { jobs, generators, sanitizes, must_sort } = self;
        let Some(in_doubt) = jobs.first() else { return Ok(Ended::Searched(StressEnd::Inputs)) };
        *judge = ProgramSession::start_checker(in_doubt, builder, pool).await?;
        for (maker, generator) in makers.iter_mut().zip(&generators) {
            if let Some(program) = generator {
                let place = (builder, pool);
                *maker = Some(ProgramSession::start_generator(in_doubt, program, place).await?);
            }
        }
        if sanitizes && in_doubt.program.is_empty() {
            *sanitized = Some(ProgramSession::start(in_doubt.clone(), pool).await?);
        }
        for (place, job) in [&mut *fast, &mut *slow].into_iter().zip(jobs) {
            *place = Some(ProgramSession::start(job, pool).await?);
        }
        progress.show_step("compiling");
        let with_sanitizers = async {
            match sanitized.as_mut() {
                Some(program) => program.compile_sanitized(builder).await.map(Some),
                None => Ok(None),
            }
        };
        let (one, two, three, all, built) = tokio::try_join!(
            compile(from_mut(fast), builder),
            compile(from_mut(slow), builder),
            compile(from_mut(judge), builder),
            compile(makers, builder),
            with_sanitizers
        )?;
        for (at, compiled) in [one, two, three, all].into_iter().enumerate() {
            if let Err(refused) = compiled {
                return Ok(Ended::NotCompiled(at, Box::new(refused)));
            }
        }
        if let Some(Err(why)) = &built {
            tell(format_args!("{why}"));
        }
        let contestants = Contestants {
            programs: fast.iter_mut().chain(slow.iter_mut()).collect(),
            checker: judge.as_mut(),
            sanitized: sanitized.as_mut().filter(|_| built == Some(Ok(()))),
            must_sort,
            generators: makers.iter_mut().map(Option::as_mut).collect(),
        };
        let mut report = progress.show_seldom();
        let ended = test.run(contestants, |test, n| report(&|| text::progress(test, n)));
        Ok(Ended::Searched(ended.await?))
    }
}
