//! Conversion of the arguments to a job, the inputs to search, and a plan.

use crate::args::WorstArgs;
use crate::exit::Failure;
use crate::job_request;
use profiler_core::job::{Job, OtherProgram, WorstPlan};
use profiler_core::measure::stress::{InputSeries, TriedSizes};
use profiler_input::Scope;
use profiler_proto::v1::WorstSearch;
use profiler_search::Space;

/// Job, inputs and plan of a search.
pub(super) struct Request {
    pub(super) job: Job,
    pub(super) space: Space,
    /// The generator of each candidate that has one.
    pub(super) generators: Vec<Option<OtherProgram>>,
    pub(super) plan: WorstPlan,
}

impl Request {
    /// Reads the files that the arguments name, and checks everything.
    pub(super) fn from_args(args: &WorstArgs) -> Result<Self, Failure> {
        let path = &args.input_spec;
        let named = job_request::with_specs([path.clone()]);
        let sizes = vec![args.n];
        let job = job_request::checked(&args.file, &args.program, &named, sizes, |_| Ok(()))?;
        let mut specs = job_request::specs(path)?;
        job_request::set_headers(&mut specs, args.testlib.as_deref())?;
        let candidates = job_request::candidates(specs, args.name.as_deref(), path)?;
        job_request::limit_generators(&candidates, path)?;
        let (scope, sizes) = (Scope::of_size(args.n_max), TriedSizes::Exactly(vec![args.n]));
        // A candidate without an input of this size is refused.
        let inputs = InputSeries::try_new(candidates, scope, &sizes, args.seed)
            .map_err(|bad| job_request::refused_specs(bad, path))?;
        let (goal, line, file) = args.goal.clone();
        let search = WorstSearch {
            size: Some(args.n),
            executions: Some(args.executions),
            seconds: Some(args.seconds.as_secs_f64()),
            seed: args.seed,
            goal: goal.into(),
            line,
            file,
        };
        let plan = WorstPlan::try_new(&search, None, (&job.source, &job.files))
            .map_err(job_request::violations_by_argument)?;
        let generators = inputs.generators().map(Option::<&OtherProgram>::cloned).collect();
        Ok(Self { job, space: inputs.space, generators, plan })
    }
}
