//! Reason why a benchmark could not be run.

use std::error::Error;

/// Any error: a benchmark ends with its text.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;
