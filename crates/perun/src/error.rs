//! Why a profile cannot be read or used. Each error names the place in the file.

use crate::limits::MAX_FILE_BYTES;
use std::io;

/// Why a profile cannot be read or used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file could not be read.
    #[error("the file cannot be read: {0}")]
    Unreadable(#[source] io::Error),
    /// The file is too long.
    #[error("the file has more than {MAX_FILE_BYTES} bytes")]
    TooLong,
    /// The file is not JSON; the text has line and column.
    #[error("not JSON: {0}")]
    NotJson(#[source] serde_json::Error),
    /// Something in the file is not what it has to be.
    #[error("{place}: {problem}")]
    Malformed {
        /// Where: `snapshots[0].resources[3].amount`.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A bound of [`crate::limits`] is met.
    #[error("{place}: more than {limit} {what}")]
    TooMany {
        /// Where.
        place: String,
        /// What there are too many of.
        what: &'static str,
        /// How many there may be.
        limit: usize,
    },
    /// A data frame could not be written as Arrow.
    #[error("the data frame cannot be written: {0}")]
    Arrow(#[from] arrow_schema::ArrowError),
}

impl Error {
    #[expect(clippy::needless_pass_by_value, reason = "most places are made for their error")]
    pub(crate) fn malformed(place: impl ToString, problem: impl Into<String>) -> Self {
        Self::Malformed { place: place.to_string(), problem: problem.into() }
    }
}
