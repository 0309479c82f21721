//! The input of one size.

use crate::args::InputArgs;
use crate::exit::{Exit, Failure};
use crate::job_request;
use profiler_core::error::Violation;
use profiler_input::{Failure as Unmade, Problem, Recipe};
use profiler_proto::file::Places;
use profiler_server::wire;
use std::path::Path;
use std::{fs, io};

/// Writes one input to stdout.
pub(super) fn write(path: &Path, args: &InputArgs) -> Result<Exit, Failure> {
    let specs = job_request::specs(path)?;
    let names: Vec<_> = specs.iter().map(|spec| spec.name.clone()).collect();
    let wanted = args.name.as_ref().map(|name| job_request::place(name, &names, path));
    let index = wanted.transpose()?.unwrap_or(0);
    // A file holds at least one spec.
    let mut spec = specs.into_iter().nth(index).unwrap_or_default();
    spec.seed = args.seed.unwrap_or(spec.seed);
    let file = path.display().to_string();
    let spec =
        wire::spec(spec, &file).map_err(|bad| Failure::Arguments(bad.into_iter().collect()))?;
    let recipe =
        Recipe { spec, scope: job_request::scope(args.n_max), n: args.n.unwrap_or_default() };
    match recipe.write(&mut io::stdout()) {
        Ok(_) => Ok(Exit::Done),
        Err(Unmade::Spec(problems)) => Err(at_their_places(problems, path, index)),
        Err(Unmade::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Done),
        Err(Unmade::Write(error)) => Err(Failure::broken("write the input")(error)),
    }
}

/// The problems of a spec, each with its place in the file.
fn at_their_places(problems: Vec<Problem>, path: &Path, index: usize) -> Failure {
    let places = Places::new(&fs::read_to_string(path).unwrap_or_default());
    let violation = |problem: Problem| {
        let place = places.in_spec("", index, &problem.path);
        let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
        let problem = format!("{place}{problem}");
        Violation { field: path.display().to_string(), problem }
    };
    Failure::Arguments(problems.into_iter().map(violation).collect())
}
