//! Reasons for the absence of a document.

use profiler_proto::json;

/// The size of the largest document, in bytes. Clients accept that much in one message.
pub const MAX_BYTES: usize = 48 << 20;

/// Reason for the absence of a document.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The run lacks the data of the format.
    #[error("the run has no {what}: {reason}")]
    Lacks {
        /// The missing data.
        what: &'static str,
        /// Data that the job must request, or that must have been measured.
        reason: &'static str,
    },
    /// No such format.
    #[error("choose a format")]
    Unspecified,
    /// CSV has no column of this name.
    #[error("there is no column {0:?}")]
    NoColumn(String),
    /// The document is larger than [`MAX_BYTES`].
    #[error("the document has more than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// The message cannot be written as JSON.
    #[error("json: {0}")]
    Json(#[from] json::Error),
    /// The figures cannot be written as a Perun profile with models.
    #[error("perun: {0}")]
    Perun(#[from] profiler_perun::Error),
    /// The table cannot be written as CSV.
    #[error("csv: {0}")]
    Csv(#[from] ::csv::Error),
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error.into())
    }
}
