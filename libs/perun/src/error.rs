//! Errors of profiles. Each error names the place in the file.

use crate::limits::MAX_FILE_BYTES;
use std::{error, io};

/// Reason why a profile cannot be read or used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file could not be read.
    #[error("the file cannot be read: {0}")]
    Unreadable(#[source] io::Error),
    /// The file is too long.
    #[error("the file must have at most {MAX_FILE_BYTES} bytes")]
    TooLong,
    /// The file is not JSON; the message has line and column.
    #[error("the file is not JSON: {0}")]
    NotJson(#[source] serde_json::Error),
    /// A part of the file violates the format.
    #[error("{place}: {problem}")]
    Malformed {
        /// Place in the file: `snapshots[0].resources[3].amount`.
        place: String,
        /// The problem.
        problem: String,
    },
    /// A limit of [`crate::limits`] is exceeded.
    #[error("{place}: must have at most {limit} {what}")]
    TooMany {
        /// Place in the file.
        place: String,
        /// The items that are too many.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// A data frame could not be written as Arrow.
    #[error("the data frame cannot be written: {0}")]
    Arrow(#[source] Box<dyn error::Error + Send + Sync>),
}

impl Error {
    #[expect(clippy::needless_pass_by_value, reason = "most places are temporaries")]
    pub(crate) fn malformed(place: impl ToString, problem: impl Into<String>) -> Self {
        Self::Malformed { place: place.to_string(), problem: problem.into() }
    }

    #[expect(clippy::needless_pass_by_value, reason = "some places are temporaries")]
    pub(crate) fn too_many(place: impl ToString, limit: usize, what: &'static str) -> Self {
        Self::TooMany { place: place.to_string(), what, limit }
    }
}
