//! Failures between this process and the engine.

/// Failure of an action at the engine.
#[derive(Debug, Clone, thiserror::Error)]
#[error("cannot {doing}: {cause}")]
pub struct FleetError {
    /// Action that failed.
    doing: &'static str,
    /// Error message of the engine or the connection.
    cause: String,
    /// Whether the settings, the credentials or a stored message are wrong, so that another attempt
    /// cannot succeed.
    is_final: bool,
}

impl FleetError {
    /// Returns a function that wraps the error of the action `doing`.
    pub(crate) fn when<E: std::fmt::Display>(doing: &'static str) -> impl FnOnce(E) -> Self {
        move |cause| Self::new(doing, cause.to_string())
    }

    pub(crate) fn new(doing: &'static str, cause: impl Into<String>) -> Self {
        Self { doing, cause: cause.into(), is_final: false }
    }

    /// Makes the failure of an action that another attempt cannot mend.
    pub(crate) fn for_good(doing: &'static str, cause: impl Into<String>) -> Self {
        Self { is_final: true, ..Self::new(doing, cause) }
    }

    /// Whether another attempt fails too, because the settings, the credentials or a stored message
    /// are wrong.
    pub fn is_final(&self) -> bool {
        self.is_final
    }
}
