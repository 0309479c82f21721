//! Which files have the violations of a job, and where.

use super::source::source_name;
use crate::exit::Failure;
use profiler_core::error::Violation;
use profiler_proto::file::{self, Places};
use profiler_proto::task::INPUT_SPEC;
use std::fs;
use std::path::{Path, PathBuf};

/// The argument that names the program.
pub(super) const SOURCE_ARGUMENT: &str = "FILE.cpp";
/// The argument that names files of specs.
pub(super) const SPEC_ARGUMENT: &str = "--input-spec";

/// The failure of the job of `program`, in which violations of files name the file, and those of
/// specs the line and the column too. The specs are in the files `specs`, else in `task`.
pub(crate) fn with_places(
    failure: Failure,
    program: &Path,
    specs: &[PathBuf],
    task: Option<&Path>,
) -> Failure {
    let placed = |bad: Violation| match bad.field.as_str() {
        SOURCE_ARGUMENT => Violation { field: source_name(program), ..bad },
        _ => in_spec(&bad, specs, task).unwrap_or(bad),
    };
    match failure {
        Failure::Arguments(violations) => {
            Failure::Arguments(violations.into_iter().map(placed).collect())
        }
        other => other,
    }
}

/// The violation of a spec, as one of its file. The specs are counted over all files. Without such
/// files, they are the task's.
fn in_spec(violation: &Violation, specs: &[PathBuf], task: Option<&Path>) -> Option<Violation> {
    let spec = violation.field.strip_prefix(SPEC_ARGUMENT)?.strip_prefix(" [")?;
    let (index, path) = spec.split_once("].")?;
    let mut index: usize = index.parse().ok()?;
    let problem = &format!("{path}: {}", violation.problem);
    for file in specs {
        let count = file::read(file).ok()?.len();
        if index < count {
            return in_file(file, "", index, path, problem);
        }
        index -= count;
    }
    in_file(task?, INPUT_SPEC, index, path, problem)
}

/// A violation at `path` within a spec: one of a list at `root`, or the only one there.
fn in_file(file: &Path, root: &str, index: usize, path: &str, problem: &str) -> Option<Violation> {
    let place = Places::new(&fs::read_to_string(file).ok()?).in_spec(root, index, path)?;
    Some(Violation { field: file.display().to_string(), problem: format!("{place}: {problem}") })
}
