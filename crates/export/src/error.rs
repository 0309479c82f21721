//! Why there is no document.

use profiler_proto::json;

/// The largest document, in bytes: below what clients read in one message.
pub const MAX_BYTES: usize = 48 << 20;

/// Why there is no document.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The run has not what the format is made of.
    #[error("the run has no {what}: {reason}")]
    Lacks {
        /// What it is made of.
        what: &'static str,
        /// What the job must ask for, or what must have been measured.
        reason: &'static str,
    },
    /// No such format.
    #[error("choose a format")]
    Unspecified,
    /// The document is larger than [`MAX_BYTES`].
    #[error("the document has more than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// The message does not become JSON.
    #[error("json: {0}")]
    Json(#[from] json::Error),
    /// The figures do not become a profile of Perun's with its models.
    #[error("perun: {0}")]
    Perun(#[from] profiler_perun::Error),
    /// The table does not become CSV.
    #[error("csv: {0}")]
    Csv(#[from] ::csv::Error),
    /// The stacks do not become a picture.
    #[error("flame graph: {0}")]
    FlameGraph(std::io::Error),
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error.into())
    }
}
