//! Ending of runs by a gateway: when somebody cancels them, and when no open call keeps them alive
//! ("holds" them).

use super::message::Message;
use super::owner::Owner;
use super::stranded::POOL_IS_GONE;
use crate::runs::{DETACHED_LIMIT, GRACE, Progress, Refusal};
use crate::store::Viewer;
use crate::telemetry::logging::TARGET;
use profiler_core::cancel::cancel_signal;
use profiler_fleet::Cancelled;
use profiler_proto::Word;
use profiler_proto::v1::{ErrorCode, OnDisconnect};
use profiler_wire as wire;
use std::time::Duration;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Places for requests to end runs that the engine has at a time: those that a caller waits for,
/// and others. A caller may leave thousands of runs at once.
static ASKED: Semaphore = Semaphore::const_new(32);
static ENDING: Semaphore = Semaphore::const_new(32);
/// Time for which a run goes on after the last sign that a caller of any gateway holds it. The
/// gateway of its caller may have crashed, and the caller may come back through another gateway.
const ORPHAN_AFTER: Duration = GRACE.saturating_add(Duration::from_secs(30));
/// Maximum time that a run is live. The engine keeps its job for longer.
const MAX_LIVE: Duration = Duration::from_secs(24 * 60 * 60);
/// Reason that is given for the end of a run that somebody cancelled or nobody holds.
const ENDED_EARLY: &str = "the run was ended early";

impl Owner {
    /// Forgets runs whose logs the engine has lost, and tells their callers. The store has
    /// interrupted those that it knew.
    pub(super) async fn end_lost(&mut self, mut gone: Vec<String>) {
        let unstored: Vec<_> =
            self.runs.live.keys().filter(|run_id| !gone.contains(run_id)).cloned().collect();
        for run_id in unstored {
            if matches!(self.gateway.fleet().origin_of(&run_id).await, Ok(None)) {
                gone.push(run_id);
            }
        }
        for run_id in gone {
            let row = self.store.run(&run_id, &Viewer::Everyone).await.ok().flatten();
            let last = row.map_or(0, |row| row.last_sequence);
            if let Some(mut run) = self.runs.remove(&run_id) {
                run.progress.send_replace(Progress::Ended(last));
                if let Some(record) = &mut run.record {
                    record.end_elsewhere(ErrorCode::Interrupted.word());
                }
            }
        }
    }

    /// Lets the disconnect policy end the run once no call of this gateway holds it.
    pub(super) fn enforce(&mut self, run_id: &str) {
        let Some(run) = self.runs.live.get_mut(run_id) else { return };
        run.released = None;
        if run.enforced.is_some() {
            return;
        }
        let (canceller, mut token) = cancel_signal();
        let enforced = run.holders.clone().enforce(run.origin.on_disconnect(), canceller);
        let (messages, run_id) = (self.messages.clone(), run_id.to_owned());
        let mut task = JoinSet::new();
        task.spawn(async move {
            let code = tokio::select! {
                code = token.cancelled() => code,
                never = enforced => match never {},
            };
            let _ = messages.send(Message::Released(run_id, code)).await;
        });
        run.enforced = Some(task);
    }

    /// Asks for the end of a run, and answers once the engine has accepted the request.
    pub(super) fn cancel(
        &mut self,
        run_id: &str,
        code: ErrorCode,
        answer: Option<oneshot::Sender<Result<(), Refusal>>>,
    ) {
        self.end(run_id, code, ENDED_EARLY, answer);
    }

    fn end(
        &mut self,
        run_id: &str,
        code: ErrorCode,
        why: &'static str,
        answer: Option<oneshot::Sender<Result<(), Refusal>>>,
    ) {
        let Some(run) = self.runs.live.get_mut(run_id) else { return };
        run.cancelled = Some(code);
        run.asked_to_end = Some(Instant::now());
        let (row, job_sequence) =
            (run.origin.run.clone().unwrap_or_default(), run.origin.job_sequence);
        let (gateway, store) = (self.gateway.clone(), self.store.clone());
        tokio::spawn(async move {
            let places = if answer.is_some() { &ASKED } else { &ENDING };
            let _place = places.acquire().await;
            let known = store.events(&row.run_id, 0, u32::MAX).await.unwrap_or_default();
            let failed = wire::ended_early(&row, known, code, why);
            let run_id = row.run_id.clone();
            let cancelled = gateway.cancel(&run_id, job_sequence, code, || failed.clone()).await;
            let cancelled = match cancelled {
                Ok(Cancelled::Stopping | Cancelled::Ended) => Ok(()),
                Ok(Cancelled::TooLate) => Err(Refusal::NotLive(run_id)),
                Err(error) => {
                    tracing::warn!(target: TARGET, run_id, %error, "a run was not cancelled");
                    Err(error.into())
                }
            };
            if let Some(answer) = answer {
                drop(answer.send(cancelled));
            }
        });
    }

    /// Ends a run that another gateway has released, if this gateway had released it before and no
    /// gateway holds it. If the last calls of two gateways end at the same moment, each gateway
    /// first believes that the other one still holds the run.
    pub(super) fn end_if_released(&mut self, run_id: &str) {
        let is_held = self.elsewhere.hold(run_id);
        let run = self.runs.live.get_mut(run_id).filter(|run| !is_held && !run.holders.are_any());
        if let Some(code) = run.and_then(|run| run.released.take()) {
            self.cancel(run_id, code, None);
        }
    }

    /// Ends the runs that no caller of any gateway holds, those whose pool is gone, and those that
    /// are too old.
    pub(super) fn end_orphans(&mut self) {
        let mut lost = Vec::new();
        for run in self.runs.live.values_mut() {
            if run.holders.are_any() || self.elsewhere.hold(run.origin.run_id()) {
                run.held = Instant::now();
            }
            let is_orphan = match run.origin.on_disconnect() {
                OnDisconnect::Unspecified | OnDisconnect::Cancel | OnDisconnect::Grace => {
                    (run.held.elapsed() > ORPHAN_AFTER).then_some(ErrorCode::Cancelled)
                }
                OnDisconnect::Detach => {
                    let limit = DETACHED_LIMIT + ORPHAN_AFTER;
                    (run.accepted.elapsed() > limit).then_some(ErrorCode::Deadline)
                }
            };
            let is_old = (run.accepted.elapsed() > MAX_LIVE).then_some(ErrorCode::Interrupted);
            let is_lost = self.stranded.ends(run).then_some(ErrorCode::Interrupted);
            if let Some(code) = is_orphan.or(is_old).or(is_lost) {
                let why = if is_lost.is_some() { POOL_IS_GONE } else { ENDED_EARLY };
                // A request that has had no effect yet is not repeated at once.
                if run.asked_to_end.is_none_or(|at| at.elapsed() > ORPHAN_AFTER) {
                    lost.push((run.origin.run_id().to_owned(), code, why));
                }
            }
        }
        for (run_id, code, why) in lost {
            self.end(&run_id, code, why, None);
        }
    }
}
