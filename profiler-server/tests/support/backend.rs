//! Backends that run nothing: what a server does around its runs needs no program.

use async_trait::async_trait;
use profiler_core::error::SandboxFault;
use profiler_core::sandbox::{Backend, Channel, Lease, Pool, Sandbox};
use runner_protocol::{Hello, SOURCES};
use std::sync::Arc;
use tokio::io::DuplexStream;
use tokio::sync::watch;

/// Bytes that may lie unread between the two ends of a channel.
const CHANNEL_BYTES: usize = 1024;

/// Starts sandboxes with a silent runner, as long as `able` says so.
struct Silent {
    able: watch::Receiver<bool>,
}

/// Never comes to an end of starting.
struct Stuck;

/// Holds the runner's end of the channel, so that the runner lives.
struct Held {
    _runner: [DuplexStream; 2],
}

#[async_trait]
impl Lease for Held {
    async fn limit_memory(&mut self, _: u64) -> Result<(), SandboxFault> {
        Ok(())
    }

    async fn end(&mut self) {}
}

#[async_trait]
impl Backend for Silent {
    fn name(&self) -> &'static str {
        "fake"
    }

    async fn start(&self) -> Result<Sandbox, SandboxFault> {
        if !*self.able.borrow() {
            return Err(SandboxFault::NoDaemon("switched off".into()));
        }
        let (from, runner_to) = tokio::io::duplex(CHANNEL_BYTES);
        let (to, runner_from) = tokio::io::duplex(CHANNEL_BYTES);
        Ok(Sandbox {
            channel: Channel::new(from, to),
            hello: Hello {
                sources: SOURCES.into(),
                own_user: true,
                cgroup: None,
                schedstat: true,
                missing_tools: Vec::new(),
                kernel: String::new(),
                cpu_model: String::new(),
                cpus: 1,
            },
            lease: Box::new(Held { _runner: [runner_to, runner_from] }),
        })
    }

    fn not_enforced(&self) -> Vec<String> {
        vec!["anything".into()]
    }
}

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

/// A pool whose sandboxes can be started while the switch is on.
#[allow(dead_code, reason = "not every test switches")]
pub(crate) fn switched(on: bool) -> (watch::Sender<bool>, Pool) {
    let (switch, able) = watch::channel(on);
    (switch, Pool::new(Arc::new(Silent { able }), 1))
}

/// A pool in which a run waits for its sandbox for ever.
pub(crate) fn stuck() -> Pool {
    Pool::new(Arc::new(Stuck), 0)
}
