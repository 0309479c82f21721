//! Reasons why a document cannot be made.

use profiler_proto::{json, options};

/// Maximum size of a document, in bytes. Clients accept this much in one message.
pub const MAX_BYTES: usize = 48 << 20;

/// Reason why a document cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The run lacks the data of the format.
    #[error("{}", lacks(.what, .field.map(|field| format!("`{field}`")), .reason))]
    Lacks {
        /// The missing data.
        what: &'static str,
        /// The field of the job that requests the data.
        field: Option<&'static str>,
        /// The reason, or what is needed besides the field.
        reason: &'static str,
    },
    /// No format was chosen.
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

impl Error {
    /// Returns the message for the command line, which names the option that is needed instead of
    /// the field.
    pub fn in_flags(&self) -> String {
        match self {
            Self::Lacks { what, field: Some(field), reason } => {
                let option = options::of_field(field).map(|option| format!("--{}", option.flag));
                lacks(what, option, reason)
            }
            other => other.to_string(),
        }
    }
}

fn lacks(what: &str, option: Option<String>, reason: &str) -> String {
    let needed = option.map_or_else(String::new, |option| format!("they need {option}"));
    format!("the run has no {what}: {needed}{reason}")
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error.into())
    }
}
