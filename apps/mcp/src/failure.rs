//! Reasons that a call has no result.

use profiler_client::Error;
use profiler_proto::options;
use std::fmt;
use tonic::Code;

/// Field of a job that holds its specs.
const SPECS: &str = "input_specs";
/// The argument that names a run.
pub(crate) const RUN_ID: &str = "run_id";

/// Reason that a call has no result. A failure of the program itself is a result.
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
    /// Description of the problem, and of what is allowed.
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
    /// Builds the failure for one wrong argument.
    pub(crate) fn argument(argument: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Arguments(vec![Problem::new(argument, problem)])
    }

    /// Converts the service's refusal of a job. The failure names the arguments that fill the
    /// refused fields.
    pub(crate) fn of_job(error: Error) -> Self {
        match error {
            Error::Invalid { violations, .. } if !violations.is_empty() => {
                let renamed = violations
                    .into_iter()
                    .map(|bad| Problem::new(argument_of(&bad.field), bad.problem));
                Self::Arguments(renamed.collect())
            }
            Error::Invalid { message, .. } => Self::argument("", message),
            other => Self::Fault(other.to_string()),
        }
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

/// Returns the argument that fills the field, or else the field. An argument for specs keeps the
/// index of the spec.
fn argument_of(field: &str) -> String {
    match options::of_field(field).filter(|option| !option.argument.is_empty()) {
        None => field.into(),
        Some(option) if option.field == SPECS => field.replacen(SPECS, option.argument, 1),
        Some(option) => option.argument.into(),
    }
}
