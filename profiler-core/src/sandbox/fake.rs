//! A sandbox that runs nothing. Its runner speaks the real protocol and answers from a cost model,
//! so that everything above the channel can be tested without noise. These tests prove logic, never
//! that a sandbox works.

mod attribution;
mod cost_model;
mod runner;

use super::{Backend, Channel, Lease, Pool, Sandbox};
use crate::error::SandboxFault;
use async_trait::async_trait;
use runner::Runner;
use runner_protocol::{Execution, Response};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub use cost_model::{
    BASE_NS, BASE_RSS, Bend, CALIBRATION_NS, CHECKER_NS, CostModel, DOES_NOT_COMPILE, EMPTY_NS,
    Heard, INSTRUCTIONS_PER_NS, INTERACTOR_NS, SANITIZER_REPORT, STDOUT, ended, ok,
};

/// The identity of the fake's toolchain.
const TOOLCHAIN: &str = "sha256:fake";
/// The channel's buffer.
const CHANNEL_BYTES: usize = 64 << 10;

/// Hook that changes an answer of the sandbox with this number; see [`Bend`].
type BendIn = dyn Fn(usize, Response) -> Option<Response> + Send + Sync;

/// Starts sandboxes that answer from a cost model.
pub struct Fake {
    model: Arc<CostModel>,
    bend: Arc<BendIn>,
    started: AtomicUsize,
    alive: Arc<AtomicUsize>,
    available: Arc<AtomicBool>,
    heard: Option<Heard>,
    has_lines: bool,
}

impl Fake {
    /// Makes a backend whose program behaves as `model` says.
    pub fn new(model: impl Fn(u64) -> Option<Execution> + Send + Sync + 'static) -> Self {
        Self {
            model: Arc::new(model),
            bend: Arc::new(|_, answer| Some(answer)),
            started: AtomicUsize::new(0),
            alive: Arc::default(),
            available: Arc::new(AtomicBool::new(true)),
            heard: None,
            has_lines: true,
        }
    }

    /// Makes a backend whose program costs `ns` nanoseconds and `bytes` bytes for each element.
    pub fn costing(ns: u64, bytes: u64) -> Self {
        Self::new(move |n| Some(ok(BASE_NS + ns * n, BASE_RSS + bytes * n)))
    }

    /// Passes every answer of every runner through `bend`, the Hello included.
    #[must_use]
    pub fn bending(
        self,
        bend: impl Fn(Response) -> Option<Response> + Send + Sync + 'static,
    ) -> Self {
        self.bending_in(move |_, answer| bend(answer))
    }

    /// Does the same, and tells `bend` the number of the sandbox, from 0 in the order of their
    /// starts.
    #[must_use]
    pub fn bending_in(
        self,
        bend: impl Fn(usize, Response) -> Option<Response> + Send + Sync + 'static,
    ) -> Self {
        Self { bend: Arc::new(bend), ..self }
    }

    /// Returns the number of sandboxes of this backend that exist.
    pub fn alive(&self) -> Arc<AtomicUsize> {
        self.alive.clone()
    }

    /// Records the requests to the backend's runners in `heard`, in order.
    #[must_use]
    pub fn recording(self, heard: Heard) -> Self {
        Self { heard: Some(heard), ..self }
    }

    /// Makes a backend whose program cannot be counted by line.
    #[must_use]
    pub fn without_lines(self) -> Self {
        Self { has_lines: false, ..self }
    }

    /// Returns the switch by which tests say whether sandboxes can be started.
    pub fn available(&self) -> Arc<AtomicBool> {
        self.available.clone()
    }
}

/// Makes a pool whose sandboxes never finish starting, for tests of what happens around a run:
/// every run waits for its sandbox until it is cancelled.
pub fn stuck_pool() -> Pool {
    Pool::new(Arc::new(Stuck), 0)
}

/// A backend that never finishes starting a sandbox.
struct Stuck;

#[async_trait]
impl Backend for Stuck {
    fn name(&self) -> &'static str {
        "fake"
    }

    async fn start(&self) -> Result<Sandbox, SandboxFault> {
        std::future::pending().await
    }

    fn not_enforced(&self) -> Vec<String> {
        Vec::new()
    }
}

#[async_trait]
impl Backend for Fake {
    fn name(&self) -> &'static str {
        "fake"
    }

    async fn start(&self) -> Result<Sandbox, SandboxFault> {
        if !self.available.load(Ordering::SeqCst) {
            return Err(SandboxFault::NoDaemon("switched off".into()));
        }
        let (host, runner) = tokio::io::duplex(CHANNEL_BYTES);
        let (bend, number) = (self.bend.clone(), self.started.fetch_add(1, Ordering::SeqCst));
        let bend: Arc<Bend> = Arc::new(move |answer| bend(number, answer));
        let heard = self.heard.clone();
        tokio::spawn(Runner::new(self.model.clone(), bend, heard, self.has_lines).serve(runner));
        let (from, to) = tokio::io::split(host);
        let mut channel = Channel::new(from, to);
        let hello = channel.greet("the fake", "nothing can").await?;
        self.alive.fetch_add(1, Ordering::SeqCst);
        let (toolchain, lease) = (Some(TOOLCHAIN.into()), FakeLease(self.alive.clone()));
        Ok(Sandbox { channel, hello, toolchain, builds_bytes: 0, lease: Box::new(lease) })
    }

    async fn toolchain(&self) -> Option<String> {
        Some(TOOLCHAIN.into())
    }

    fn not_enforced(&self) -> Vec<String> {
        vec!["nothing is run, so nothing is enforced".into()]
    }
}

/// Lease that counts its sandbox as gone when dropped.
struct FakeLease(Arc<AtomicUsize>);

#[async_trait]
impl Lease for FakeLease {
    async fn limit_memory(&mut self, _: u64) -> Result<(), SandboxFault> {
        Ok(())
    }

    async fn end(&mut self) {}
}

impl Drop for FakeLease {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
