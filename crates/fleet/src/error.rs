//! Failures between this process and the engine.

/// The engine did not do what it was asked for.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{doing}: {cause}")]
pub struct FleetError {
    /// Requested action.
    doing: &'static str,
    /// Message of the engine or the connection.
    cause: String,
}

impl FleetError {
    /// Wraps what went wrong while `doing`.
    pub(crate) fn when<E: std::fmt::Display>(doing: &'static str) -> impl FnOnce(E) -> Self {
        move |cause| Self { doing, cause: cause.to_string() }
    }

    pub(crate) fn new(doing: &'static str, cause: impl Into<String>) -> Self {
        Self { doing, cause: cause.into() }
    }
}
