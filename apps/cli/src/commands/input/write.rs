//! Writes the input of one size.

use crate::args::InputArgs;
use crate::exit::{Exit, Failure};
use crate::job_request;
use profiler_core::error::Violation;
use profiler_input::{Failure as Unmade, Recipe, Scope};
use std::io;
use std::path::Path;

/// Writes one input to stdout.
pub(super) fn write(path: &Path, args: &InputArgs) -> Result<Exit, Failure> {
    let specs = job_request::specs(path)?;
    let index = job_request::index_of(args.name.as_deref(), &specs, path)?.unwrap_or(0);
    // A file holds at least one spec.
    let mut spec = specs.into_iter().nth(index).unwrap_or_default();
    spec.seed = args.seed.unwrap_or(spec.seed);
    let recipe = Recipe { spec, scope: Scope::of_size(args.n_max), n: args.n.unwrap_or_default() };
    match recipe.write(&mut io::stdout()) {
        Ok(_) => Ok(Exit::Done),
        Err(Unmade::Spec(problems)) => {
            let bad = problems.into_iter().map(|found| Violation {
                field: format!("input_specs[{index}].{}", found.path),
                problem: found.problem,
            });
            Err(job_request::refused_specs(bad, path))
        }
        Err(Unmade::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Done),
        Err(Unmade::Write(error)) => Err(Failure::broken("write the input")(error)),
    }
}
