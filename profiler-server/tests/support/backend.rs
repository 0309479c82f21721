//! Pools for what a server does around its runs, where no program needs to run.

use async_trait::async_trait;
use profiler_core::Profiler;
use profiler_core::error::SandboxFault;
use profiler_core::sandbox::fake::Fake;
use profiler_core::sandbox::{Backend, Pool, Sandbox};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Never comes to an end of starting.
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

/// A profiler in which a run waits for its sandbox for ever.
pub(crate) fn stuck() -> Profiler {
    Profiler::new(Pool::new(Arc::new(Stuck), 0), None)
}

/// A profiler whose sandboxes can be started once the switch is on.
#[allow(dead_code, reason = "not every test switches")]
pub(crate) fn switched_off() -> (Arc<AtomicBool>, Profiler) {
    let fake = Fake::costing(0, 0);
    let switch = fake.available();
    switch.store(false, Ordering::SeqCst);
    (switch, Profiler::new(Pool::new(Arc::new(fake), 1), None))
}
