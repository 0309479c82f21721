//! Reasons that a call has no result.

use profiler_client::Error;
use profiler_proto::options;
use std::fmt;
use tonic::Code;

/// Fields of a job whose items a failure names by their index: the specs and the test cases.
const INDEXED: [&str; 2] = ["input_specs", "test_cases"];
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

/// Returns the argument that fills the field, or else the field. The index of a spec or of a test
/// case is kept.
fn argument_of(field: &str) -> String {
    match options::of_field(field).filter(|option| !option.argument.is_empty()) {
        None => field.into(),
        Some(option) if INDEXED.contains(&option.field) => {
            field.replacen(option.field, option.argument, 1)
        }
        Some(option) => option.argument.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn argument_of_a_field_keeps_the_index_of_a_test_case() {
        for (field, argument) in [
            ("input_sizes[1]", "sizes"),
            ("input_specs[1].vars[0]", "input_spec[1].vars[0]"),
            ("test_cases[2].input", "tests[2].input"),
            ("checker_program.code_cpp", "checker"),
            ("request_id", "request_id"),
        ] {
            assert_eq!(argument_of(field), argument);
        }
    }
}
