//! Reasons why there are no test cases.

use profiler_core::error::{Violation, Violations};
use profiler_proto::file;
use std::io;
use std::path::PathBuf;

/// Reason why there are no test cases.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Failure to read a file or folder.
    #[error("cannot read {path}: {cause}", path = .path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
    /// Task file that is wrong.
    #[error("{path}: {cause}", path = .path.display())]
    Task {
        /// The file.
        path: PathBuf,
        /// The faults in it.
        cause: file::Error,
    },
    /// Files, entries or lines that are wrong. Each field is the place.
    #[error(transparent)]
    Wrong(#[from] Violations),
}

impl Error {
    /// Builds the error about one place.
    pub(crate) fn wrong(place: impl Into<String>, problem: impl Into<String>) -> Self {
        let violation = Violation { field: place.into(), problem: problem.into() };
        Self::Wrong(violation.into())
    }
}
