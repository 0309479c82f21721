//! The input of one size.

use crate::args::InputArgs;
use crate::exit::{Exit, Failure};
use crate::job_request;
use profiler_core::error::Violation;
use profiler_input::{Failure as Unmade, Problem, Recipe, Scope};
use profiler_proto::file::Places;
use profiler_server::wire;
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// The variable that is the size.
const SIZE_VARIABLE: &str = "n";

/// Writes one input to stdout.
pub(super) fn write(path: &Path, args: &InputArgs) -> Result<Exit, Failure> {
    let specs = job_request::specs(path)?;
    let count = specs.len();
    let wanted = |spec: &profiler_proto::v1::InputSpec| {
        args.name.as_ref().is_none_or(|name| *name == spec.name)
    };
    let Some((index, spec)) = specs.into_iter().enumerate().find(|(_, spec)| wanted(spec)) else {
        let problem = format!("none of the {count} specs in {} has this name", path.display());
        return Err(Failure::argument("--name", problem));
    };
    let file = path.display().to_string();
    let bounds: BTreeMap<_, _> =
        args.n_max.map(|n| (SIZE_VARIABLE.to_owned(), n.cast_signed())).into_iter().collect();
    let scope = Scope { bounds, size_variable: SIZE_VARIABLE.into() };
    let spec = wire::spec(spec, &file).map_err(Failure::Arguments)?;
    let recipe = Recipe { spec, scope, n: args.n.unwrap_or_default() };
    match recipe.write(&mut io::stdout()) {
        Ok(_) => Ok(Exit::Done),
        Err(Unmade::Spec(problems)) => Err(at_their_places(problems, path, count > 1, index)),
        Err(Unmade::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Done),
        Err(Unmade::Write(error)) => Err(Failure::broken("write the input")(error)),
    }
}

/// The problems of a spec, each with its place in the file.
fn at_their_places(problems: Vec<Problem>, path: &Path, in_list: bool, index: usize) -> Failure {
    let places = Places::new(&fs::read_to_string(path).unwrap_or_default());
    let violation = |problem: Problem| {
        let in_file =
            if in_list { format!("[{index}].{}", problem.path) } else { problem.path.clone() };
        let place = places.value_of(&in_file).map(|place| format!("{place}: ")).unwrap_or_default();
        let problem = format!("{place}{}: {}", problem.path, problem.problem);
        Violation { field: path.display().to_string(), problem }
    };
    Failure::Arguments(problems.into_iter().map(violation).collect())
}
