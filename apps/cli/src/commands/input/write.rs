//! Writes the input of one size. That of a generator is made in a sandbox.

use crate::args::{InputArgs, Progress as Shown};
use crate::exit::{Exit, Failure};
use crate::job_request;
use crate::progress::Progress;
use crate::sandbox::{self, Ended};
use profiler_core::Profiler;
use profiler_core::error::SandboxFault;
use profiler_core::job::{Draft, Job, OtherProgram};
use profiler_core::measure::ProgramSession;
use profiler_core::measure::stress::{InputSeries, TriedSizes};
use profiler_input::{Failure as Unmade, InputSpec, Recipe, Scope};
use std::io::{self, Write};
use std::path::Path;
use std::slice;

/// Writes one input to stdout.
pub(super) async fn write(path: &Path, args: &InputArgs) -> Result<Exit, Failure> {
    let specs = job_request::specs(path)?;
    let index = job_request::index_of(args.name.as_deref(), &specs, path)?.unwrap_or(0);
    // A file holds at least one spec.
    let mut spec = specs.into_iter().nth(index).unwrap_or_default();
    spec.seed = args.seed.unwrap_or(spec.seed);
    let (scope, n) = (Scope::of_size(args.n_max), args.n.unwrap_or_default());
    let written = if spec.generator.is_empty() {
        Recipe { spec, scope, n }.write(&mut io::stdout()).map(drop)
    } else {
        let candidate = (index, spec);
        match made(path, args, candidate, scope, n).await? {
            Ok(input) => io::stdout().write_all(&input).map_err(Unmade::Write),
            Err(exit) => return Ok(exit),
        }
    };
    match written {
        Ok(()) => Ok(Exit::Done),
        Err(Unmade::Spec(problems)) => Err(job_request::refused_spec(index, problems, path)),
        Err(Unmade::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Done),
        Err(Unmade::Write(error)) => Err(Failure::broken("write the input")(error)),
    }
}

/// Makes the input of a spec with a generator. The error is the signal that stopped it.
async fn made(
    path: &Path,
    args: &InputArgs,
    (index, mut spec): (usize, InputSpec),
    scope: Scope,
    n: u64,
) -> Result<Result<Vec<u8>, Exit>, Failure> {
    job_request::set_headers(slice::from_mut(&mut spec), args.testlib.as_deref())?;
    let (seed, sizes) = (spec.seed, TriedSizes::Exactly(vec![n]));
    let inputs = InputSeries::try_new(vec![(index, spec)], scope, &sizes, seed)
        .map_err(|bad| job_request::refused_specs(bad, path))?;
    // A generator's session needs a job, whose own program is never run.
    let job = Job::try_from(Draft::new("input", *b"int main() {}"));
    let job = job.map_err(job_request::violations_by_argument)?;
    let refused = |why: String| Err(Failure::argument(path.display().to_string(), why));
    let Some(program) = inputs.generators().flatten().next() else {
        return refused("has no generator".into());
    };
    let progress = Progress::new(Shown::None);
    let ended = sandbox::search(&args.sandbox, &progress, async |profiler, [maker]| {
        run(&job, program, (n, seed), profiler, maker).await
    });
    match Box::pin(ended).await? {
        Ended::Searched(Ok(input)) => Ok(Ok(input)),
        Ended::Searched(Err(why)) => refused(why),
        Ended::NotCompiled(_, why) => {
            refused(format!("the generator does not compile: {}", why.because))
        }
        Ended::Stopped(signal) => Ok(Err(Exit::Stopped(signal))),
        Ended::Fault(fault) => Err(fault.into()),
    }
}

/// Runs a generator once, in a sandbox that the caller ends.
async fn run(
    job: &Job,
    program: &OtherProgram,
    (n, seed): (u64, u32),
    Profiler { pool, builder, .. }: &Profiler,
    place: &mut Option<ProgramSession>,
) -> Result<Ended<Result<Vec<u8>, String>>, SandboxFault> {
    let session = ProgramSession::start_generator(job, program, (builder, pool)).await?;
    let session = place.insert(session);
    if let Err(refused) = session.compile(builder).await? {
        return Ok(Ended::NotCompiled(0, Box::new(refused)));
    }
    session.generate(n, seed).await.map(Ended::Searched)
}
