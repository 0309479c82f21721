//! What fails between this process and the engine.

/// The engine did not do what it was asked for.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{doing}: {cause}")]
pub struct FleetError {
    /// What was asked for.
    doing: &'static str,
    /// What the engine or the connection said.
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
