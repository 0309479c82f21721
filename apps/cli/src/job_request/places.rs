//! Locates a job's violations in the files from which it was read.

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
/// The argument that asks for the test cases of a task.
pub(super) const TESTS_ARGUMENT: &str = "--test-cases";

/// The files from which a job was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Files {
    pub(super) program: PathBuf,
    /// The program's further files, in the order of the job.
    pub(super) sources: Vec<PathBuf>,
    /// The files of specs. Without one, the specs are the task's.
    pub(super) specs: Vec<PathBuf>,
    pub(super) task: Option<PathBuf>,
    /// The test cases. Without it, they are the task's.
    pub(super) tests: Option<PathBuf>,
}

impl Files {
    /// Names the file in each violation of a file. In a violation of a spec, also names the line
    /// and the column; in one of a test case, its number, and the line of JSON Lines.
    pub(crate) fn place(&self, failure: Failure) -> Failure {
        let tests = self.tests.as_ref().map(|path| path.display().to_string());
        let placed = |bad: Violation| match bad.field.as_str() {
            SOURCE_ARGUMENT => Violation { field: source_name(&self.program), ..bad },
            TESTS_ARGUMENT => Violation { field: tests.clone().unwrap_or(bad.field), ..bad },
            _ => self
                .in_spec(&bad)
                .or_else(|| self.in_tests(&bad))
                .or_else(|| self.in_source(&bad))
                .unwrap_or(bad),
        };
        match failure {
            Failure::Arguments(violations) => {
                Failure::Arguments(violations.into_iter().map(placed).collect())
            }
            other => other,
        }
    }

    /// Locates a violation of a spec in the file of the spec. Specs are numbered over all files.
    fn in_spec(&self, violation: &Violation) -> Option<Violation> {
        let (mut index, path) = indexed(violation, SPEC_ARGUMENT)?;
        let problem = &format!("{path}: {}", violation.problem);
        for file in &self.specs {
            let count = file::read(file).ok()?.len();
            if index < count {
                return in_file(file, "", index, path, problem);
            }
            index -= count;
        }
        in_file(self.task.as_ref()?, INPUT_SPEC, index, path, problem)
    }

    /// Names the file in a violation of one of the program's files.
    fn in_source(&self, violation: &Violation) -> Option<Violation> {
        let (index, _) = violation.field.strip_prefix("code.files[")?.split_once(']')?;
        let file = self.sources.get(index.parse::<usize>().ok()?)?;
        Some(Violation { field: file.display().to_string(), problem: violation.problem.clone() })
    }

    /// Locates a violation of a test case in the file of the test cases.
    fn in_tests(&self, violation: &Violation) -> Option<Violation> {
        let (index, field) = indexed(violation, TESTS_ARGUMENT)?;
        let file = self.tests.as_ref().or(self.task.as_ref())?;
        let line = profiler_cases::line_of(file, index).map(|number| format!("line {number}: "));
        let (line, number) = (line.unwrap_or_default(), index + 1);
        let problem = format!("{line}test {number}: {field} {}", violation.problem);
        Some(Violation { field: file.display().to_string(), problem })
    }
}

/// Returns the index of the item that a violation is about, and the path within the item.
fn indexed<'v>(violation: &'v Violation, argument: &str) -> Option<(usize, &'v str)> {
    let item = violation.field.strip_prefix(argument)?.strip_prefix(" [")?;
    let (index, path) = item.split_once("].")?;
    Some((index.parse().ok()?, path))
}

/// Locates a violation at `path` within a spec: the spec at `index` of the list at `root`, or the
/// only spec there.
fn in_file(file: &Path, root: &str, index: usize, path: &str, problem: &str) -> Option<Violation> {
    let place = Places::new(&fs::read_to_string(file).ok()?).in_spec(root, index, path)?;
    Some(Violation { field: file.display().to_string(), problem: format!("{place}: {problem}") })
}
