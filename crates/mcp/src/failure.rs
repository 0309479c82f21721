//! Why a call has no result.

use profiler_client::Error;
use std::fmt;
use tonic::Code;

/// The argument that names a run.
pub(crate) const RUN_ID: &str = "run_id";

/// Why a call has no result. What the program does is a result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Arguments are wrong. All of them are listed.
    Arguments(Vec<Problem>),
    /// The service cannot be reached, or is at fault.
    Fault(String),
}

/// A wrong argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) argument: String,
    /// What is wrong, and what is allowed.
    pub(crate) problem: String,
}

impl Problem {
    pub(crate) fn new(argument: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { argument: argument.into(), problem: problem.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.argument.as_str() {
            "" => f.write_str(&self.problem),
            argument => write!(f, "{argument}: {}", self.problem),
        }
    }
}

impl Failure {
    /// One wrong argument.
    pub(crate) fn argument(argument: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Arguments(vec![Problem::new(argument, problem)])
    }

    /// The failure of a call about the run that an argument names.
    pub(crate) fn of_run(argument: &str, error: Error) -> Self {
        match error {
            Error::Status(status)
                if matches!(status.code(), Code::NotFound | Code::FailedPrecondition) =>
            {
                Self::argument(argument, status.message())
            }
            other => Self::Fault(other.to_string()),
        }
    }
}
