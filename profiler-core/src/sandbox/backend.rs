//! Interface of a backend, which starts sandboxes and holds each one by a lease.

use super::channel::Channel;
use super::facts::FilesRead;
use crate::error::SandboxFault;
use async_trait::async_trait;
use runner_protocol::Hello;

/// Receiver of progress messages: one line for each step that takes long.
pub type Progress<'a> = dyn FnMut(&str) + Send + 'a;

/// A way to start sandboxes.
#[async_trait]
pub trait Backend: Send + Sync + 'static {
    /// `docker`, `native` or `fake`.
    fn name(&self) -> &'static str;

    /// Starts a sandbox for one job and waits for its runner to introduce itself.
    async fn start(&self) -> Result<Sandbox, SandboxFault>;

    /// Checks whether sandboxes can still be started, for example whether the Docker daemon
    /// answers. The check is cheap. A backend that needs only the kernel always succeeds.
    async fn check(&self) -> Result<(), SandboxFault> {
        Ok(())
    }

    /// Returns the restrictions that this backend cannot enforce on this host, one sentence each.
    fn not_enforced(&self) -> Vec<String>;

    /// Returns the number of sandboxes of dead processes that the backend removed from this host
    /// when it was created.
    fn swept(&self) -> u64 {
        0
    }

    /// Notes that a program which includes the precompiled header was compiled with `flags`. If the
    /// backend has no header for them, the next [`precompile`](Self::precompile) makes one.
    fn note_compilation(&self, _flags: &[String]) {}

    /// Makes precompiled headers for the default flags and for those of noted compilations, unless
    /// they exist. `progress` gets a line for each. A failure is only logged, because compilations
    /// work without them.
    async fn precompile(&self, _progress: &mut Progress<'_>) {}

    /// Waits until a noted compilation lacked a header.
    async fn header_wanted(&self) {
        std::future::pending::<()>().await;
    }

    /// Whether a sandbox started now would have this [`Sandbox::toolchain`] too, and the same
    /// precompiled headers. Sandboxes that contain their toolchain need not be asked.
    async fn is_current(&self, _toolchain: Option<&str>) -> bool {
        true
    }

    /// The [`Sandbox::toolchain`] that a sandbox would have if it were started now.
    async fn toolchain(&self) -> Option<String> {
        None
    }

    /// Returns what a compilation by `toolchain` has read, if its
    /// [`dependencies`](runner_protocol::Compiled::dependencies) are known. While that is
    /// unchanged, a new sandbox of `toolchain` would make the same binary.
    async fn files_read(&self, _toolchain: &str, _dependencies: &[u8]) -> Option<FilesRead> {
        None
    }
}

/// The sentence of [`Backend::not_enforced`] on sandboxes without a memory cgroup.
pub(super) fn no_memory_cgroup(why: &str) -> String {
    format!(
        "memory is sampled as resident sets every 10 ms, and memory outside of them, such as page \
         tables and files in scratch, is not limited: no memory cgroup here ({why})"
    )
}

/// The sentence of [`Backend::not_enforced`] on repetitions that share the sandbox's memory cgroup
/// although they should have one of their own.
pub(super) fn no_run_cgroup(why: &str) -> String {
    format!(
        "repetitions share the memory limit with the sandbox's own files, so they can exceed it: \
         they have no cgroup of their own ({why})"
    )
}

/// A started sandbox. It serves one job and is then destroyed. Dropping it destroys it too, with
/// the program in it.
pub struct Sandbox {
    /// The channel to the runner.
    pub channel: Channel,
    /// Introduction that the runner sent.
    pub hello: Hello,
    /// Identity of the sandbox's C++ toolchain. Toolchains with equal identities compile the same
    /// source and flags to the same bytes. A header may have changed before the sandbox started,
    /// so ask [`Backend::is_current`] or [`FilesRead::are_unchanged`] too. `None` if the identity
    /// cannot be determined, so that nothing is cached.
    pub toolchain: Option<String>,
    /// Total size of the builds in the sandbox, in bytes, whether compiled there or copied in.
    pub builds_bytes: u64,
    /// Keeps the sandbox alive, and destroys it when dropped.
    pub lease: Box<dyn Lease>,
}

impl Sandbox {
    /// Destroys the sandbox and returns when it is gone. Closing the channel ends the runner first,
    /// and the runner kills the program.
    pub async fn end(self) {
        let Self { channel, mut lease, .. } = self;
        drop(channel);
        lease.end().await;
    }
}

/// Holds a sandbox. Dropping it kills everything in the sandbox and removes the sandbox from the
/// host.
#[async_trait]
pub trait Lease: Send {
    /// Limits the memory of everything in the sandbox together, in bytes. A backend without a
    /// memory cgroup does nothing, because its runner samples memory instead.
    async fn limit_memory(&mut self, bytes: u64) -> Result<(), SandboxFault>;

    /// Kills everything in the sandbox and removes the sandbox from the host; returns when it is
    /// gone.
    async fn end(&mut self);
}
