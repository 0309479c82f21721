//! What a backend is: it starts sandboxes, and a lease holds each of them.

use super::channel::Channel;
use crate::error::SandboxFault;
use async_trait::async_trait;
use runner_protocol::Hello;

/// A way to start sandboxes.
#[async_trait]
pub trait Backend: Send + Sync + 'static {
    /// `docker`, `native` or `fake`.
    fn name(&self) -> &'static str;

    /// Starts a sandbox for one job and waits for its runner to introduce itself.
    async fn start(&self) -> Result<Sandbox, SandboxFault>;

    /// Whether what starts the sandboxes is still there; costs next to nothing. A backend that
    /// depends on nothing but the kernel always is.
    async fn check(&self) -> Result<(), SandboxFault> {
        Ok(())
    }

    /// What this backend cannot enforce on this host, one sentence each.
    fn not_enforced(&self) -> Vec<String>;

    /// The [`Sandbox::toolchain`] of a sandbox that would be started now.
    async fn toolchain(&self) -> Option<String> {
        None
    }
}

/// A started sandbox. It serves one job and is then destroyed; dropping it destroys it as well,
/// the program in it included.
pub struct Sandbox {
    /// To the runner.
    pub channel: Channel,
    /// What the runner said of itself.
    pub hello: Hello,
    /// The identity of the C++ toolchain in it: the same only where the same source and flags
    /// become the same bytes. `None` where that cannot be told; nothing is cached then.
    pub toolchain: Option<String>,
    /// The builds that were put or made in it, in bytes.
    pub builds_bytes: u64,
    /// What keeps the sandbox alive, and takes it down when dropped.
    pub lease: Box<dyn Lease>,
}

impl Sandbox {
    /// Destroys the sandbox; returns when it is gone. The runner goes first, at the end of its
    /// channel, and takes the program along.
    pub async fn end(self) {
        let Self { channel, mut lease, .. } = self;
        drop(channel);
        lease.end().await;
    }
}

/// Holds a sandbox. Dropping it kills everything in the sandbox and takes it off the host.
#[async_trait]
pub trait Lease: Send {
    /// Sets the memory limit of everything in the sandbox together, in bytes. A backend without a
    /// memory cgroup does nothing: its runner samples instead.
    async fn limit_memory(&mut self, bytes: u64) -> Result<(), SandboxFault>;

    /// Kills everything in the sandbox and takes it off the host; returns when it is gone.
    async fn end(&mut self);
}
