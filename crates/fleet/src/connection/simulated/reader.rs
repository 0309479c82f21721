//! A reader of the logs of a simulated engine.

use super::link::Link;
use super::signal::Signal;
use super::state::{Pulse, State};
use crate::connection::engine::{Answer, EngineError, LogReader, Stored, StreamName};
use futures::FutureExt;
use futures::future::BoxFuture;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::time::sleep;

/// Beginning of the subjects of logs.
const LOGS: &str = "sp1.ev.";

pub(super) struct Reader {
    state: Arc<Mutex<State>>,
    pulse: Signal<Pulse>,
    link: Link,
    /// Number of the engine's starts when the reader was made.
    starts: u32,
    /// The next position.
    at: u64,
}

impl Reader {
    pub(super) fn new(state: Arc<Mutex<State>>, pulse: Signal<Pulse>, link: Link, at: u64) -> Self {
        let starts = pulse.get().starts;
        Self { state, pulse, link, starts, at }
    }

    fn is_known(&self) -> bool {
        let pulse = self.pulse.get();
        pulse.is_up && pulse.starts == self.starts
    }

    /// Finds the next entry, if it can be read now.
    fn found(&self) -> Option<Stored> {
        if !self.is_known() || !self.link.carries() {
            return None;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.stream(StreamName::Logs).ok()?.next_below(LOGS, self.at)
    }
}

impl LogReader for Reader {
    fn next(&mut self) -> BoxFuture<'_, Option<Result<Stored, EngineError>>> {
        async move {
            let cut = self.link.watch();
            loop {
                let (changed, cut) = (self.pulse.changed(), cut.changed());
                if let Some(found) = self.found() {
                    sleep(self.link.delay()).await;
                    let back = u64::from(self.link.goes_back());
                    self.at = found.position + 1 - back.min(found.position);
                    return Some(Ok(found));
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
        let (pulse, starts) = (self.pulse.clone(), self.starts);
        self.link.call("check", move || {
            let is_known = pulse.get().starts == starts;
            if is_known { Ok(()) } else { Err(EngineError::other("consumer not found")) }
        })
    }
}
