//! One disturbance of measurements.

use crate::commands::doctor::host::Root;

/// Looks for one disturbance.
pub(super) type Check = fn(&Root) -> Option<Disturbance>;

/// One thing on this host that disturbs measurements.
#[derive(Debug, PartialEq, serde::Serialize)]
pub(in crate::commands::doctor) struct Disturbance {
    /// Code, which never changes, because scripts rely on it.
    pub(in crate::commands::doctor) code: &'static str,
    /// Finding on this host.
    pub(in crate::commands::doctor) found: String,
    /// The effect on the figures.
    pub(in crate::commands::doctor) effect: &'static str,
    /// The remedy.
    pub(in crate::commands::doctor) mend: String,
}
