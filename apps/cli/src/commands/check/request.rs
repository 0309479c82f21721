//! Conversion of the arguments to the jobs of the programs and a series of inputs.

use crate::args::{CheckArgs, CheckerChoice, Property};
use crate::exit::Failure;
use crate::job_request;
use profiler_core::job::Job;
use profiler_core::limits::STRESS_N_MAX;
use profiler_core::measure::stress::{InputSeries, StressBudget, TriedSizes};
use profiler_input::Scope;
use profiler_proto::v1;

/// Programs to check, and the inputs to try.
pub(super) struct Request {
    /// The program in doubt, and the one to check it against, if there is one.
    pub(super) jobs: Vec<Job>,
    pub(super) inputs: InputSeries,
    pub(super) budget: StressBudget,
    /// The names of all specs in the file.
    pub(super) names: Vec<String>,
}

impl Request {
    /// Reads the files that the arguments name, and checks everything.
    pub(super) fn from_args(args: &CheckArgs) -> Result<Self, Failure> {
        let files: Vec<_> = [&args.fast].into_iter().chain(&args.slow).collect();
        if files.len() > 1 && files.iter().all(|file| job_request::is_stdin(file)) {
            return Err(Failure::argument("SLOW.cpp", "only one program can come from stdin"));
        }
        let checker = match &args.property {
            Some(Property::Program(file)) => Some(CheckerChoice::Program(file.clone())),
            _ => args.checker.clone(),
        };
        let is_program = matches!(checker, Some(CheckerChoice::Program(_)));
        if files.len() == 1 && !is_program && args.property.is_none() {
            let problem = "needs SLOW.cpp, or a checker in C++ such as checker.cpp";
            return Err(Failure::argument("--checker", problem));
        }
        let mut withheld = job_request::with_specs([args.input_spec.clone()]);
        withheld.extend(files.iter().copied().cloned());
        if let Some(CheckerChoice::Program(file)) = &checker {
            withheld.push(file.clone());
        }
        let mut jobs = Vec::new();
        for (at, file) in files.into_iter().enumerate() {
            // The first program has the judge.
            let judge = checker.as_ref().filter(|_| at == 0);
            let set = |job: &mut v1::Job| -> Result<(), Failure> {
                if let Some(choice) = judge {
                    job_request::set_checker(job, choice, args.testlib.as_deref())?;
                    job.check_sizes = job.checker_program.is_some() || job.names_comparison();
                }
                Ok(())
            };
            let sizes = args.sizes.concat();
            jobs.push(job_request::checked(file, &args.program, &withheld, sizes, set)?);
        }
        let path = &args.input_spec;
        let mut specs = job_request::specs(path)?;
        job_request::set_headers(&mut specs, args.testlib.as_deref())?;
        let names = specs.iter().map(|spec| spec.name.clone()).collect();
        let candidates = job_request::candidates(specs, args.name.as_deref(), path)?;
        job_request::limit_generators(&candidates, path)?;
        let sizes = match args.sizes.concat() {
            none if none.is_empty() => {
                args.n_max.map_or(TriedSizes::UpToAndBeyond(STRESS_N_MAX), TriedSizes::UpTo)
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
