//! Errors that the submitted program did not cause.

use crate::limits::MAX_VIOLATIONS;
use profiler_decode::gnu_time::ParseError;
use profiler_input::Problem;
use profiler_proto::v1::ErrorCode;
use std::ops::Deref;
use std::{fmt, vec};

/// Problem in the entry that follows the first [`MAX_VIOLATIONS`] bad fields if there are more.
pub const MORE_VIOLATIONS: &str = "more fields are invalid";

/// One bad field of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Path of the field, as the request spells it: `code.compiler_flags[2]`. Empty for the whole
    /// request.
    pub field: String,
    /// Description of the fault, and of what is allowed.
    pub problem: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field.as_str() {
            "" => f.write_str(&self.problem),
            field => write!(f, "{field}: {}", self.problem),
        }
    }
}

impl Violation {
    /// Makes a violation of a problem in the spec with index `at` in `input_specs`.
    pub(crate) fn of_spec(at: usize, found: Problem) -> Self {
        let dot = if found.path.is_empty() { "" } else { "." };
        Self { field: format!("input_specs[{at}]{dot}{}", found.path), problem: found.problem }
    }
}

/// The bad fields of a request: the first [`MAX_VIOLATIONS`], and [`MORE_VIOLATIONS`] if there are
/// others.
#[derive(Debug, Clone, Default, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct Violations(Vec<Violation>);

impl Violations {
    /// Adds a bad field with its problem.
    pub fn add(&mut self, field: impl Into<String>, problem: impl Into<String>) {
        self.push(Violation { field: field.into(), problem: problem.into() });
    }

    /// Adds `field` unless its value is `good`.
    pub fn check(&mut self, good: bool, field: &str, problem: impl FnOnce() -> String) {
        if !good {
            self.add(field, problem());
        }
    }

    /// Returns the value of `checked`, or adds its violations.
    pub fn keep<T>(&mut self, checked: Result<T, Self>) -> Option<T> {
        checked.map_err(|bad| self.extend(bad)).ok()
    }

    /// Returns `good` if no field is bad.
    pub fn or<T>(self, good: T) -> Result<T, Self> {
        if self.is_empty() { Ok(good) } else { Err(self) }
    }

    /// Adds a bad field. Once the limit is reached, adds [`MORE_VIOLATIONS`] instead, and then
    /// nothing.
    pub fn push(&mut self, violation: Violation) {
        match self.0.len() {
            0..MAX_VIOLATIONS => self.0.push(violation),
            MAX_VIOLATIONS => {
                self.0.push(Violation { field: String::new(), problem: MORE_VIOLATIONS.into() });
            }
            _ => {}
        }
    }
}

impl Deref for Violations {
    type Target = [Violation];

    fn deref(&self) -> &[Violation] {
        &self.0
    }
}

impl From<Violation> for Violations {
    fn from(violation: Violation) -> Self {
        Self(vec![violation])
    }
}

impl Extend<Violation> for Violations {
    fn extend<I: IntoIterator<Item = Violation>>(&mut self, violations: I) {
        violations.into_iter().for_each(|violation| self.push(violation));
    }
}

impl IntoIterator for Violations {
    type Item = Violation;
    type IntoIter = vec::IntoIter<Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Fault of a sandbox that could not be started, or that failed in use. The cause is the profiler
/// or the host, never the submitted program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SandboxFault {
    /// This host lacks something that every sandbox needs.
    #[error("not supported on this host: {0}")]
    Unsupported(String),
    /// No Docker daemon answers.
    #[error("no Docker daemon answers at {0}")]
    NoDaemon(String),
    /// A Docker daemon exists, but this user may not use it.
    #[error(
        "you do not have permission to use the Docker daemon at {0}: join the group docker (which \
         gives root access to this host), or use a rootless engine"
    )]
    DaemonForbidden(String),
    /// The Docker daemon lacks the default base image, which no registry has.
    #[error(
        "there is no base image {0}: name another one, such as `--base-image debian:bookworm-slim`"
    )]
    NoBase(String),
    /// The Docker daemon has no sandbox image.
    #[error("there is no image {0}: build it with `swiftprof image build`")]
    NoImage(String),
    /// The runner in the sandbox and this program were built from different sources.
    #[error("the runner in {place} has a different version: {mend}")]
    OtherRunner {
        /// Place where the runner was found.
        place: String,
        /// The command that installs the right runner.
        mend: String,
    },
    /// The sandbox could not be made or changed.
    #[error("cannot {stage}: {cause}")]
    Failed {
        /// The step that failed.
        stage: &'static str,
        /// The cause.
        cause: String,
    },
    /// The runner did not answer in time.
    #[error("the runner did not answer within {0} ms")]
    Silent(u128),
    /// The channel to the runner broke: the sandbox was killed from outside, or the runner died.
    #[error("lost the sandbox: {0}")]
    Lost(String),
}

impl SandboxFault {
    /// Wraps the failure of a step that makes or changes a sandbox.
    pub fn failed<E: fmt::Display>(stage: &'static str) -> impl FnOnce(E) -> Self {
        move |cause| Self::Failed { stage, cause: cause.to_string() }
    }
}

/// Reason for ending a run before its last step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EarlyEnd {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
}

impl From<SandboxFault> for EarlyEnd {
    fn from(fault: SandboxFault) -> Self {
        Self { code: ErrorCode::Internal, message: fault.to_string() }
    }
}

impl From<ParseError> for EarlyEnd {
    fn from(error: ParseError) -> Self {
        Self { code: ErrorCode::Parse, message: error.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn violations_end_with_a_sentence() {
        let one =
            Violation { field: "inputs".into(), problem: "must have an input for size 1".into() };
        let mut all = Violations::default();
        all.extend(vec![one.clone(); 1000]);
        let (last, named) = all.split_last().unwrap();
        assert_eq!(named, vec![one; MAX_VIOLATIONS]);
        assert_eq!(last.to_string(), MORE_VIOLATIONS);
    }

    #[test]
    fn failed_step_is_named_with_its_cause() {
        let fault = SandboxFault::failed("create")("no space");
        assert_eq!(fault.to_string(), "cannot create: no space");
    }
}
