//! Failures between this process and the engine.

/// Failure of an action at the engine.
#[derive(Debug, Clone, thiserror::Error)]
#[error("cannot {doing}: {cause}")]
pub struct FleetError {
    /// Action that failed.
    doing: &'static str,
    /// Error message of the engine or the connection.
    cause: String,
}

impl FleetError {
    /// Returns a function that wraps the error of the action `doing`.
    pub(crate) fn when<E: std::fmt::Display>(doing: &'static str) -> impl FnOnce(E) -> Self {
        move |cause| Self { doing, cause: cause.to_string() }
    }

    pub(crate) fn new(doing: &'static str, cause: impl Into<String>) -> Self {
        Self { doing, cause: cause.into() }
    }
}
