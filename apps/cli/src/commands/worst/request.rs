//! Conversion of the arguments to a job, the inputs to search, and a plan.

use crate::args::WorstArgs;
use crate::exit::Failure;
use crate::job_request;
use profiler_core::error::Violations;
use profiler_core::job::{Job, WorstPlan};
use profiler_core::measure::stress::{InputSeries, TriedSizes};
use profiler_input::InputSpec;
use profiler_proto::v1::WorstSearch;
use profiler_search::Space;

/// Job, inputs and plan of a search.
pub(super) struct Request {
    pub(super) job: Job,
    pub(super) space: Space,
    pub(super) plan: WorstPlan,
}

impl Request {
    /// Reads the files that the arguments name, and checks everything.
    pub(super) fn from_args(args: &WorstArgs) -> Result<Self, Failure> {
        let job = job_request::checked(&args.file, &args.program, vec![args.n])?;
        let path = &args.input_spec;
        let specs = job_request::specs(path)?;
        let candidates = job_request::candidates(specs, args.name.as_deref(), path)?;
        let space = space(candidates, args).map_err(|bad| job_request::refused_specs(bad, path))?;
        let (goal, line) = args.goal;
        let search = WorstSearch {
            size: Some(args.n),
            executions: Some(args.executions),
            seconds: Some(args.seconds.as_secs_f64()),
            seed: args.seed,
            goal: goal.into(),
            line,
        };
        let plan = WorstPlan::try_new(&search, None, &job.source)
            .map_err(job_request::violations_by_argument)?;
        Ok(Self { job, space, plan })
    }
}

/// Returns the inputs of the candidates. Refuses a candidate that has no input of the requested
/// size.
fn space(candidates: Vec<(usize, InputSpec)>, args: &WorstArgs) -> Result<Space, Violations> {
    let (scope, sizes) = (job_request::scope(args.n_max), TriedSizes::Exactly(vec![args.n]));
    Ok(InputSeries::try_new(candidates, scope, &sizes, args.seed)?.space)
}
