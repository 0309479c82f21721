//! Reasons why a server cannot be asked, and why no server can be started.

use profiler_server::BindError;
use profiler_server::config::ConfigError;
use profiler_server::identity::AccessError;
use profiler_server::store::{OpenError, StateError};

/// Reason why a server cannot be asked, or why no server can be started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServiceFailure {
    #[error("{0}")]
    Refused(String),
    #[error("the server at {endpoint} cannot take the job now: {message}; try again later")]
    Unavailable { endpoint: String, message: String },
    #[error("settings: {0}")]
    Settings(#[from] ConfigError),
    #[error("--listen: {0}")]
    Listen(#[from] BindError),
    #[error("{0}")]
    Access(#[from] AccessError),
    #[error("{0}")]
    Store(#[from] OpenError),
    #[error("{0}")]
    State(#[from] StateError),
}

impl ServiceFailure {
    /// Whether it is a fault of the host or of the server, rather than a wrong option or file.
    pub(super) fn is_fault(&self) -> bool {
        matches!(self, Self::State(StateError::Database { .. }) | Self::Unavailable { .. })
    }
}
