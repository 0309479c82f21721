//! Failures of the runner itself, never of the program.

use std::fmt;

/// A step that failed, and why. The sandbox is not used again afterwards.
#[derive(Debug)]
pub(crate) struct Fault {
    stage: &'static str,
    cause: String,
}

/// The result of a step of the runner.
pub(crate) type Result<T> = std::result::Result<T, Fault>;

impl Fault {
    pub(crate) fn new(stage: &'static str, cause: impl fmt::Display) -> Self {
        Self { stage, cause: cause.to_string() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.stage, self.cause)
    }
}

/// Names the step that an error stopped.
pub(crate) trait Stage<T> {
    fn stage(self, stage: &'static str) -> Result<T>;
}

impl<T, E: fmt::Display> Stage<T> for std::result::Result<T, E> {
    fn stage(self, stage: &'static str) -> Result<T> {
        self.map_err(|cause| Fault::new(stage, cause))
    }
}
