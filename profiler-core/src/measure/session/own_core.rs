//! Wait of a run for a core of its own.

use crate::report::Events;
use crate::sandbox::{CoreReservation, Cores};
use profiler_proto::v1::event::Kind;

/// Takes one of `cores`. If none is free, emits an event that says what the run waits for, and
/// waits.
pub(crate) async fn take(cores: &Cores, events: &mut Events) -> CoreReservation {
    if let Some(free) = cores.take_now() {
        events.end_core_wait();
        return free;
    }
    events.begin_core_wait();
    let awaited = cores.awaited().await;
    if let Some(free) = cores.take_now() {
        events.end_core_wait();
        return free;
    }
    let (core, holder) = (awaited.core, &awaited.holder);
    tracing::info!(target: "Profiler", core, holder, "waiting for a core");
    events.emit(Kind::CoreAwaited(awaited)).await;
    let reservation = cores.take().await;
    events.end_core_wait();
    reservation
}
