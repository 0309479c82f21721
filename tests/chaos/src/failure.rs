//! Reasons why a trial cannot be made or has failed.

use std::error::Error;

/// Any error: a trial ends with its text.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;
