//! Record of a run for the operator: its access line, and its part of the metrics.

use super::logging::TARGET;
use super::metrics::{FINISHED, Metrics};
use profiler_proto::Word;
use profiler_proto::v1::{ErrorCode, ProfileReport, SandboxError};
use tokio::sync::watch;
use tokio::time::Instant;

/// The caller for whom a run is measured, and the owner of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Requester {
    /// The identity that the run and its `request_id` belong to.
    pub(crate) owner: String,
    /// The name that turns and quotas use.
    pub(crate) caller: String,
    /// Means by which the caller is identified: one of [`CLASSES`](super::metrics::CLASSES).
    pub(crate) class: &'static str,
    /// The address of the connection, or the user of its socket.
    pub(crate) peer: String,
    /// The caller's tracing span, as the parent of the run's span.
    #[cfg(feature = "otlp")]
    pub(crate) parent: Option<opentelemetry::trace::SpanContext>,
}

impl Requester {
    /// Logs what the caller did to a run, which may be another caller's if this one is an admin.
    pub(crate) fn log(&self, did: &'static str, run_id: &str) {
        let Self { caller, owner, peer, .. } = self;
        tracing::info!(target: TARGET, run_id, caller, owner, peer, "{did}");
    }
}

#[cfg(test)]
impl Requester {
    /// A caller that gave its name.
    pub(crate) fn named(caller: impl Into<String>) -> Self {
        let caller = caller.into();
        Self {
            owner: caller.clone(),
            caller,
            class: "uid",
            peer: "local".into(),
            #[cfg(feature = "otlp")]
            parent: None,
        }
    }
}

/// Follows a run from its acceptance to its end. Writes the access line when it is dropped, so that
/// a run whose task panics has one too.
#[derive(Debug)]
pub(crate) struct RunRecord {
    metrics: Metrics,
    pub(super) run_id: String,
    pub(super) task: String,
    pub(super) requester: Requester,
    pub(super) accepted: Instant,
    pub(super) began: Option<Instant>,
    #[cfg(feature = "otlp")]
    pub(super) steps: Vec<(profiler_core::report::Step, std::time::SystemTime)>,
    pub(super) ending: &'static str,
    /// Whether the server left the run to the next one.
    left: Option<watch::Receiver<bool>>,
}

impl RunRecord {
    /// Creates the record of a run that is accepted now.
    pub(crate) fn new(metrics: Metrics, run_id: &str, task: &str, requester: Requester) -> Self {
        Self {
            metrics,
            run_id: run_id.to_owned(),
            task: task.to_owned(),
            requester,
            accepted: Instant::now(),
            began: None,
            #[cfg(feature = "otlp")]
            steps: Vec::new(),
            ending: ErrorCode::Interrupted.word(),
            left: None,
        }
    }

    /// Makes the record of a run that has not ended, but was left to the next server, if `left` is
    /// true when it is dropped.
    pub(crate) fn unless_left(&mut self, left: watch::Receiver<bool>) {
        self.left = Some(left);
    }

    /// Notes that the run's turn has come.
    pub(crate) fn begin(&mut self) {
        self.began = Some(Instant::now());
        self.metrics.run_waited(self.requester.class, self.accepted.elapsed());
    }

    /// Notes how the run has ended.
    pub(crate) fn end(&mut self, ended: &Result<ProfileReport, Box<SandboxError>>) {
        let (ending, report) = match ended {
            Ok(report) => (FINISHED, Some(report)),
            Err(error) => (error.code().word(), error.partial.as_ref()),
        };
        self.ending = ending;
        if let Some(report) = report {
            self.metrics.report(report);
        }
    }

    /// Notes how the run has ended on another host, which has counted its figures.
    #[cfg(feature = "fleet")]
    pub(crate) fn end_elsewhere(&mut self, ending: &'static str) {
        self.ending = ending;
    }

    /// Notes the steps of the run.
    #[cfg(feature = "otlp")]
    pub(crate) fn take_steps(&mut self, events: &profiler_core::report::Events) {
        events.steps().clone_into(&mut self.steps);
    }
}

impl Drop for RunRecord {
    fn drop(&mut self) {
        if self.left.as_ref().is_some_and(|left| *left.borrow()) {
            let Self { run_id, requester: Requester { caller, .. }, .. } = self;
            tracing::info!(target: TARGET, run_id, caller, "the run waits for the next server");
            return;
        }
        let now = Instant::now();
        let began = self.began.unwrap_or(now);
        let (queued, ran) = (began - self.accepted, now - began);
        self.metrics.run_ended(self.ending, ran);
        #[cfg(feature = "otlp")]
        self.trace();
        let Self { run_id, task, requester: Requester { caller, peer, .. }, ending, .. } = self;
        let ms = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        tracing::info!(
            target: TARGET,
            run_id,
            caller,
            peer,
            task,
            queue_ms = ms(queued),
            run_ms = ms(ran),
            ending,
            "run ended"
        );
    }
}
