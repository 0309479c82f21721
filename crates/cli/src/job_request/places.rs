//! Where in their files the specs have their violations.

use crate::exit::Failure;
use profiler_core::error::Violation;
use profiler_proto::file::{self, Places};
use std::fs;
use std::path::PathBuf;

/// The argument that names files of specs.
pub(super) const SPEC_ARGUMENT: &str = "--input-spec";

/// The failure, in which the violations of specs have the file, the line and the column.
pub(crate) fn with_places(failure: Failure, files: &[PathBuf]) -> Failure {
    match failure {
        Failure::Arguments(violations) => {
            let placed = |bad: Violation| in_file(&bad, files).unwrap_or(bad);
            Failure::Arguments(violations.into_iter().map(placed).collect())
        }
        other => other,
    }
}

/// The violation of a spec, as one of its file. The specs are counted over all files.
fn in_file(violation: &Violation, files: &[PathBuf]) -> Option<Violation> {
    let spec = violation.field.strip_prefix(SPEC_ARGUMENT)?.strip_prefix(" [")?;
    let (index, path) = spec.split_once("].")?;
    let mut index: usize = index.parse().ok()?;
    for file in files {
        let count = file::read(file).ok()?.len();
        if index >= count {
            index -= count;
            continue;
        }
        let places = Places::new(&fs::read_to_string(file).ok()?);
        let place = places.in_spec(index, path)?;
        let problem = format!("{}: {place}: {path}: {}", file.display(), violation.problem);
        return Some(Violation { field: SPEC_ARGUMENT.into(), problem });
    }
    None
}
