//! `input`: generates the input of one size from a spec, for inspection.

use crate::args::InputArgs;
use crate::exit::{Exit, Failure};
use crate::job_request;
use profiler_input::{Failure as Unmade, Recipe, Scope};
use profiler_server::wire;
use std::collections::BTreeMap;
use std::io;

/// The variable that is the size.
const SIZE_VARIABLE: &str = "n";

/// Writes one input to stdout.
pub(crate) fn write(args: &InputArgs) -> Result<Exit, Failure> {
    let specs = job_request::specs(&args.file)?;
    let count = specs.len();
    let wanted = |spec: &profiler_proto::v1::InputSpec| {
        args.name.as_ref().is_none_or(|name| *name == spec.name)
    };
    let Some(spec) = specs.into_iter().find(wanted) else {
        let problem = format!("none of the {count} specs in {} has this name", args.file.display());
        return Err(Failure::argument("--name", problem));
    };
    let file = args.file.display().to_string();
    let bounds: BTreeMap<_, _> =
        args.n_max.map(|n| (SIZE_VARIABLE.to_owned(), n.into())).into_iter().collect();
    let scope = Scope { bounds, size_variable: SIZE_VARIABLE.into() };
    let spec = wire::spec(spec, &file).map_err(Failure::Arguments)?;
    match (Recipe { spec, scope, n: args.n }).write(&mut io::stdout()) {
        Ok(_) => Ok(Exit::Done),
        Err(Unmade::Spec(problems)) => Err(Failure::Arguments(
            problems.into_iter().map(|problem| wire::violation(problem, &file)).collect(),
        )),
        Err(Unmade::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Done),
        Err(Unmade::Write(error)) => Err(Failure::broken("write the input")(error)),
    }
}
