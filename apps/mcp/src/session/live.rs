//! State of a live run.

use profiler_client::Run;
use profiler_export::{Ending, readable};
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{CoreAwaited, ErrorCode, Outcome, SizeResult};
use tokio::sync::watch;

/// Known state of a live run.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    /// The service's own description of the run.
    pub(crate) run: Option<v1::Run>,
    pub(crate) queue_position: u32,
    pub(crate) is_compiled: bool,
    /// The core that the run waited for, until the next size is measured.
    pub(crate) awaited: Option<CoreAwaited>,
    /// The sizes of the attempt that is under way.
    pub(crate) sizes: Vec<SizeResult>,
    /// Reason that the previous attempt was lost.
    pub(crate) restarted: Option<String>,
    pub(crate) ending: Option<Box<Ending>>,
    /// Reason that no further events arrive.
    pub(crate) fault: Option<String>,
}

impl State {
    /// The state in a word.
    pub(crate) fn word(&self) -> &'static str {
        let is_queued = self
            .run
            .as_ref()
            .map_or(self.queue_position > 0, |run| run.state() == v1::RunState::Queued);
        if is_queued { "queued" } else { "running" }
    }

    /// Describes the last event.
    pub(crate) fn sentence(&self) -> String {
        if let Some(CoreAwaited { core, holder }) = &self.awaited {
            return format!("waiting for core {core}: {}", readable(holder));
        }
        match self.sizes.last() {
            Some(size) if size.outcome() == Outcome::Ok => {
                let ms = profiler_export::figure(size.runtime_ms, 3);
                format!("n = {}: {ms} ms", size.size)
            }
            Some(size) => format!("n = {}: {}", size.size, size.outcome().name()),
            None if self.is_compiled => "compiled; running".into(),
            None if self.queue_position > 0 => {
                format!("queued, {} runs before this one", self.queue_position)
            }
            None => match &self.restarted {
                Some(reason) => format!(
                    "restarted on another host: {}; the sizes told before are void",
                    readable(reason)
                ),
                None => "compiling".into(),
            },
        }
    }

    fn take(&mut self, kind: Kind) {
        match kind {
            Kind::Accepted(accepted) => self.queue_position = accepted.queue_position,
            Kind::Heartbeat(beat) => self.queue_position = beat.queue_position,
            Kind::Compiled(_) => {
                self.queue_position = 0;
                self.is_compiled = true;
            }
            Kind::SizeMeasured(size) => {
                self.awaited = None;
                self.sizes.push(size);
            }
            Kind::CoreAwaited(awaited) => self.awaited = Some(awaited),
            Kind::Started(_) => self.queue_position = 0,
            Kind::Restarted(restarted) => {
                // The next worker compiles and measures from the beginning.
                self.queue_position = 0;
                self.is_compiled = false;
                self.awaited = None;
                self.sizes.clear();
                self.restarted = Some(restarted.reason);
            }
            Kind::Finished(_) | Kind::Failed(_) => {
                self.ending = Ending::from_event(kind).map(Box::new);
            }
        }
    }
}

/// Follows a run to its end. Returns whether something other than its program ended it, so that
/// the same job deserves another run.
pub(super) async fn follow(mut run: Run, state: &watch::Sender<State>) -> bool {
    loop {
        match run.next().await {
            Ok(Some(event)) => state.send_modify(|now| now.take(event.kind)),
            Ok(None) => break,
            Err(error) => {
                state.send_modify(|now| now.fault = Some(error.to_string()));
                break;
            }
        }
    }
    match state.borrow().ending.as_deref() {
        Some(Ending::Error(error)) => is_spoiled(error.code()),
        _ => false,
    }
}

/// Whether a run with this error says nothing about its program.
fn is_spoiled(code: ErrorCode) -> bool {
    use ErrorCode::{Cancelled, Deadline, Internal, Interrupted};
    matches!(code, Cancelled | Deadline | Internal | Interrupted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::{CompileStep, Restarted};

    #[test]
    fn wait_for_a_core_is_told_until_a_size_is_measured() {
        let awaited = CoreAwaited { core: 1, holder: "another job of this swiftprof".into() };
        let mut state = State::default();
        state.take(Kind::CoreAwaited(awaited));
        assert_eq!(state.sentence(), "waiting for core 1: another job of this swiftprof");
        state.take(Kind::SizeMeasured(SizeResult { size: 10, ..SizeResult::default() }));
        assert!(state.sentence().starts_with("n = 10: "), "{}", state.sentence());
    }

    #[test]
    fn news_from_before_a_restart_is_not_told_again() {
        let compiled = || Kind::Compiled(CompileStep::default());
        let measured = |size| {
            let outcome = Outcome::Ok.into();
            let runtime_ms = Some(1.5);
            Kind::SizeMeasured(SizeResult { size, outcome, runtime_ms, ..SizeResult::default() })
        };
        let again = Restarted { attempt: 2, reason: "it was lost".into(), ..Restarted::default() };
        let mut state = State::default();
        let kinds =
            vec![compiled(), measured(10), Kind::Restarted(again), compiled(), measured(20)];
        let mut said = Vec::new();
        for kind in kinds {
            state.take(kind);
            said.push(state.sentence());
        }
        let void = "restarted on another host: it was lost; the sizes told before are void";
        let measuring = "compiled; running";
        assert_eq!(said, [measuring, "n = 10: 1.500 ms", void, measuring, "n = 20: 1.500 ms"]);
        assert_eq!(state.sizes.len(), 1);
    }
}
