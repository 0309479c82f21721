//! The engine behind Docker's API: Docker, or Podman, which takes fewer options.

use super::daemon::failed;
use super::seccomp_file;
use crate::error::SandboxFault;
use crate::sandbox::user_folders;
use std::io;

/// Name of Podman among the components of `GET /version`.
const PODMAN: &str = "Podman Engine";
/// Prefix of the address of an engine on this host.
const LOCAL: &str = "unix://";
/// Restrictions that Podman does not enforce, because its tmpfs takes fewer options.
const OF_PODMAN: [&str; 2] = [
    "the number of files in scratch is not limited: Podman does not take `nr_inodes`",
    "an interactor can write to the program's scratch folder: Podman does not take `gid`",
];

/// Engine that carries out the calls of Docker's API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Engine {
    Docker,
    Podman,
}

impl Engine {
    /// Asks the engine at `host` whether it is Docker or Podman. Podman must be on this host,
    /// because it reads the seccomp profile from a file.
    pub(super) async fn ask(daemon: &bollard::Docker, host: &str) -> Result<Self, SandboxFault> {
        let version = daemon.version().await;
        let version = version.map_err(failed("ask for the engine's version"))?;
        let components = version.components.unwrap_or_default();
        if components.iter().all(|component| component.name != PODMAN) {
            return Ok(Self::Docker);
        }
        if host.starts_with(LOCAL) {
            return Ok(Self::Podman);
        }
        Err(SandboxFault::Unsupported(format!(
            "Podman at {host}: it reads the seccomp profile from a file of its own host; use a \
             Podman of this host ({LOCAL}), or Docker"
        )))
    }

    /// The value of a container's option `seccomp`: Docker takes the profile, Podman the path of a
    /// file.
    pub(super) fn seccomp(self) -> io::Result<String> {
        match self {
            Self::Docker => Ok(sandbox_image::SECCOMP.into()),
            Self::Podman => {
                let cache = user_folders::cache();
                let cache = cache.ok_or_else(|| io::Error::other("HOME is not set"))?;
                seccomp_file::place(&cache)
            }
        }
    }

    /// Returns the restrictions that the engine cannot enforce on any host, one sentence each.
    pub(super) fn not_enforced(self) -> &'static [&'static str] {
        match self {
            Self::Docker => &[],
            Self::Podman => &OF_PODMAN,
        }
    }
}
