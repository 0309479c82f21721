//! The connection to the Docker daemon, and the faults that its errors become.

use crate::error::SandboxFault;
use bollard::errors::Error as DaemonError;
use std::env;
use std::error::Error;
use std::fs;
use std::io;

/// Address of the daemon if `DOCKER_HOST` is not set.
const DEFAULT_HOST: &str = "unix:///var/run/docker.sock";

/// Maximum number of characters that are quoted from a daemon's message. Podman's messages can
/// repeat the whole request.
const MAX_MESSAGE_CHARS: usize = 400;

/// The address of the daemon: `DOCKER_HOST`, or the local socket.
pub(super) fn host() -> String {
    env::var("DOCKER_HOST").unwrap_or_else(|_| DEFAULT_HOST.into())
}

/// A connection to the daemon at `host`, with the newest API version that both sides speak.
pub(super) async fn connect(host: &str) -> Result<bollard::Docker, SandboxFault> {
    let daemon = bollard::Docker::connect_with_host(host).map_err(|error| none(&error))?;
    daemon.negotiate_version().await.map_err(|error| none(&error))
}

/// The fault of a daemon that does not answer.
pub(super) fn none(error: &DaemonError) -> SandboxFault {
    match error {
        DaemonError::UnsupportedURISchemeError { uri } => SandboxFault::Unsupported(format!(
            "{uri}: DOCKER_HOST must begin with unix://, tcp:// or http://"
        )),
        // The error's own text repeats the address.
        DaemonError::SocketNotFoundError(path) => match fs::metadata(path) {
            // This user may not enter a folder above the socket.
            Err(denied) if denied.kind() == io::ErrorKind::PermissionDenied => unreached(&denied),
            _ => unanswered("there is no such socket"),
        },
        _ => unreached(error),
    }
}

/// Makes the fault of a daemon that could not be reached because of `error`.
pub(super) fn unreached(error: &(dyn Error + 'static)) -> SandboxFault {
    // The transport's own text does not name the cause, so report the deepest one.
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let denied = cause
        .downcast_ref::<io::Error>()
        .is_some_and(|cause| cause.kind() == io::ErrorKind::PermissionDenied);
    if denied { SandboxFault::DaemonForbidden(host()) } else { unanswered(&cause.to_string()) }
}

fn unanswered(cause: &str) -> SandboxFault {
    SandboxFault::NoDaemon(format!("{} ({cause}); start one, or set DOCKER_HOST", host()))
}

/// The fault of a `stage` that the daemon did not carry out.
pub(super) fn failed(stage: &'static str) -> impl FnOnce(DaemonError) -> SandboxFault {
    move |cause| {
        if was_never_sent(&cause) {
            return none(&cause);
        }
        SandboxFault::Failed { stage, cause: shortened(&cause.to_string()) }
    }
}

/// A daemon's message on one line. A long one keeps its start and its end, where the cause is.
pub(super) fn shortened(message: &str) -> String {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let chars = line.chars().count();
    if chars <= MAX_MESSAGE_CHARS {
        return line;
    }
    let half = MAX_MESSAGE_CHARS / 2;
    let [start, end]: [String; 2] =
        [line.chars().take(half).collect(), line.chars().skip(chars - half).collect()];
    format!("{start} … {end}")
}

/// Whether the connection failed, so that the request was certainly not carried out.
pub(super) fn was_never_sent(error: &DaemonError) -> bool {
    matches!(error, DaemonError::HyperLegacyError { err } if err.is_connect())
}
