//! Profilers for what a server does around its runs, where no program needs to run.

use profiler_core::Profiler;
use profiler_core::sandbox::Pool;
use profiler_core::sandbox::fake::{Fake, stuck_pool};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A profiler in which every run waits for its sandbox until it is cancelled.
pub(crate) fn stuck() -> Profiler {
    Profiler::new(stuck_pool(), None)
}

/// A profiler whose runs end soon.
pub(crate) fn quick() -> Profiler {
    Profiler::new(Pool::new(Arc::new(Fake::costing(0, 0)), 1), None)
}

/// A profiler whose sandboxes can be started after the switch is set.
pub(crate) fn switched_off() -> (Arc<AtomicBool>, Profiler) {
    let fake = Fake::costing(0, 0);
    let switch = fake.available();
    switch.store(false, Ordering::SeqCst);
    (switch, Profiler::new(Pool::new(Arc::new(fake), 1), None))
}
