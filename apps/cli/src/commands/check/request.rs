//! Conversion of the arguments to two jobs and a series of inputs.

use crate::args::{CHECKED_N_MAX, CheckArgs};
use crate::exit::Failure;
use crate::job_request;
use profiler_core::job::Job;
use profiler_core::measure::stress::{InputSeries, StressBudget, TriedSizes};
use profiler_input::Scope;

/// Programs to check, and the inputs to try.
pub(super) struct Request {
    pub(super) jobs: [Job; 2],
    pub(super) inputs: InputSeries,
    pub(super) budget: StressBudget,
    /// The names of all specs in the file.
    pub(super) names: Vec<String>,
}

impl Request {
    /// Reads the files that the arguments name, and checks everything.
    pub(super) fn from_args(args: &CheckArgs) -> Result<Self, Failure> {
        if [&args.fast, &args.slow].into_iter().all(|file| job_request::is_stdin(file)) {
            return Err(Failure::argument("SLOW.cpp", "only one program can come from stdin"));
        }
        let job = |file| job_request::checked(file, &args.program, args.sizes.concat());
        let jobs = [job(&args.fast)?, job(&args.slow)?];
        let path = &args.input_spec;
        let specs = job_request::specs(path)?;
        let names = specs.iter().map(|spec| spec.name.clone()).collect();
        let candidates = job_request::candidates(specs, args.name.as_deref(), path)?;
        let sizes = match args.sizes.concat() {
            none if none.is_empty() => {
                args.n_max.map_or(TriedSizes::UpToAndBeyond(CHECKED_N_MAX), TriedSizes::UpTo)
            }
            sizes => TriedSizes::Exactly(sizes),
        };
        let scope = Scope::of_size(args.n_max);
        let inputs = InputSeries::try_new(candidates, scope, &sizes, args.seed)
            .map_err(|bad| job_request::refused_specs(bad, path))?;
        let budget = StressBudget { inputs: args.inputs, time: args.time };
        Ok(Self { jobs, inputs, budget, names })
    }
}
