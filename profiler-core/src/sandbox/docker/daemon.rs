//! The connection to the Docker daemon, and how its errors become faults.

use crate::error::SandboxFault;
use bollard::errors::Error as DaemonError;
use std::env;
use std::error::Error;
use std::io;

/// Where a daemon listens if `DOCKER_HOST` does not say.
const DEFAULT_HOST: &str = "unix:///var/run/docker.sock";

/// A connection to the daemon, with the newest API version that both sides speak.
pub(super) async fn connect() -> Result<bollard::Docker, SandboxFault> {
    let daemon = bollard::Docker::connect_with_defaults().map_err(|error| none(&error))?;
    daemon.negotiate_version().await.map_err(|error| none(&error))
}

/// The fault of a daemon that does not answer.
pub(super) fn none(error: &DaemonError) -> SandboxFault {
    let address = env::var("DOCKER_HOST").unwrap_or_else(|_| DEFAULT_HOST.into());
    // The transport's own text names only itself, so report the deepest cause.
    let mut cause: &dyn Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let denied = cause
        .downcast_ref::<io::Error>()
        .is_some_and(|cause| cause.kind() == io::ErrorKind::PermissionDenied);
    let mend = if denied {
        "join the group docker, or use rootless Docker"
    } else {
        "start one, or set DOCKER_HOST"
    };
    let cause = match error {
        // Its text repeats the address.
        DaemonError::SocketNotFoundError(_) => "there is no such socket".into(),
        _ => cause.to_string(),
    };
    SandboxFault::NoDaemon(format!("{address} ({cause}); {mend}"))
}

/// The fault of a `stage` that the daemon did not carry out.
pub(super) fn failed(stage: &'static str, cause: &DaemonError) -> SandboxFault {
    if was_never_sent(cause) { none(cause) } else { SandboxFault::failed(stage)(cause) }
}

/// Whether the connection failed, so that the request was certainly not carried out.
pub(super) fn was_never_sent(error: &DaemonError) -> bool {
    matches!(error, DaemonError::HyperLegacyError { err } if err.is_connect())
}
