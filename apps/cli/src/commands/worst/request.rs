//! Conversion of the arguments to a job, the inputs to search, and a plan.

use crate::args::WorstArgs;
use crate::exit::Failure;
use crate::job_request;
use profiler_core::job::{Job, WorstPlan};
use profiler_core::measure::stress::{InputSeries, TriedSizes};
use profiler_input::{Plan, Scope};
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
        let job = job_request::checked(&args.file, &args.program, vec![args.n], |_| Ok(()))?;
        let path = &args.input_spec;
        let specs = job_request::specs(path)?;
        let candidates = job_request::candidates(specs, args.name.as_deref(), path)?;
        let (scope, sizes) = (Scope::of_size(args.n_max), TriedSizes::Exactly(vec![args.n]));
        for (at, spec) in &candidates {
            Plan::new(spec, &scope)
                .map_err(|problems| job_request::refused_spec(*at, problems, path))?;
        }
        // A candidate without an input of this size is refused.
        let inputs = InputSeries::try_new(candidates, scope, &sizes, args.seed)
            .map_err(|bad| job_request::refused_specs(bad, path))?;
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
        Ok(Self { job, space: inputs.space, plan })
    }
}
