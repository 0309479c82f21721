//! What the client does by itself.

use crate::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Something that the client does by itself, for those who want to show it.
#[derive(Debug)]
#[non_exhaustive]
pub enum Notice<'a> {
    /// A call failed and is made again.
    Retrying {
        /// Why it failed.
        cause: &'a Error,
        /// How long it waits before that.
        after: Duration,
    },
    /// A run's stream broke and is taken up again.
    Reconnecting {
        /// Why it broke, or why it could not be taken up yet.
        cause: &'a Error,
        /// How long it waits before that.
        after: Duration,
    },
}

/// Who is told.
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
