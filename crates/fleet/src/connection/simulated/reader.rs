//! A reader of the logs of a simulated engine.

use super::SimulatedEngine;
use super::link::Link;
use super::state::State;
use crate::connection::engine::{Answer, EngineError, LogReader, Stored, StreamName};
use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::time::sleep;

/// Beginning of the subjects of logs.
const LOGS: &str = "sp1.ev.";

pub(super) struct Reader {
    engine: SimulatedEngine,
    link: Link,
    /// Number of the engine's starts when the reader was made.
    starts: u32,
    /// The next position.
    at: u64,
}

impl Reader {
    pub(super) fn new(engine: SimulatedEngine, link: Link, at: u64) -> Self {
        let starts = engine.pulse.get().starts;
        Self { engine, link, starts, at }
    }

    fn is_known(&self) -> bool {
        let pulse = self.engine.pulse.get();
        pulse.is_up && pulse.starts == self.starts
    }
}

impl LogReader for Reader {
    fn next(&mut self) -> BoxFuture<'_, Option<Result<Stored, EngineError>>> {
        async move {
            let cut = self.link.watch();
            loop {
                let (changed, cut) = (self.engine.pulse.changed(), cut.changed());
                if self.is_known() && self.link.carries() {
                    let at = self.at;
                    let logs = |state: &mut State| {
                        Some(state.stream(StreamName::Logs).ok()?.next_below(LOGS, at))
                    };
                    if let Some(Some(found)) = self.engine.look(logs) {
                        sleep(self.link.delay()).await;
                        let back = u64::from(self.link.goes_back());
                        self.at = found.position + 1 - back.min(found.position);
                        return Some(Ok(found));
                    }
                }
                tokio::select! {
                    biased;
                    () = changed => {}
                    () = cut => {}
                }
            }
        }
        .boxed()
    }

    fn check(&mut self) -> Answer<'_, ()> {
        let (engine, starts) = (self.engine.clone(), self.starts);
        self.link.call("check", move || {
            let is_known = engine.pulse.get().starts == starts;
            if is_known { Ok(()) } else { Err(EngineError::other("consumer not found")) }
        })
    }
}
