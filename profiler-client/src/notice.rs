//! Notices about retries.

use crate::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A retry by the client, for programs that show it.
#[derive(Debug)]
#[non_exhaustive]
pub enum Notice<'a> {
    /// A call failed and will be repeated.
    Retrying {
        /// Error that made the call fail.
        cause: &'a Error,
        /// The wait before the next attempt.
        after: Duration,
    },
    /// A run's stream broke and will be resumed.
    Reconnecting {
        /// Error that broke the stream, or that made the last attempt to resume it fail.
        cause: &'a Error,
        /// The wait before the next attempt.
        after: Duration,
    },
}

/// The receiver of notices.
#[derive(Clone)]
pub(crate) struct Listener(Arc<dyn Fn(&Notice<'_>) + Send + Sync>);

impl Listener {
    pub(crate) fn new(listener: impl Fn(&Notice<'_>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(listener))
    }

    pub(crate) fn tell(&self, notice: &Notice<'_>) {
        (self.0)(notice);
    }
}

impl Default for Listener {
    fn default() -> Self {
        Self::new(|_| {})
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}
