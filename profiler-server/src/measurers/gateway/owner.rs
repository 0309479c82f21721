//! The task that owns the state of the live runs that this gateway knows.

use super::feeder;
use super::followed_run::FollowedRun;
use super::holds::{Elsewhere, HOLD_INTERVAL};
use super::live_runs::{QueueState, Runs};
use super::message::Message;
use super::stranded::Stranded;
use super::submitting::Submitting;
use crate::config::Quota;
use crate::runs::{Attachment, Command, Hour, Progress, Refusal, RunIds, fleet_fault};
use crate::store::{Store, Viewer};
use crate::telemetry::logging::TARGET;
use crate::telemetry::metrics::Metrics;
use futures::{StreamExt, stream};
use profiler_core::error::SandboxFault;
use profiler_fleet::{FleetError, Followed, Gateway, Holds, LogFigures, Roster};
use profiler_proto::Word;
use profiler_proto::v1::{self, ErrorCode, OnDisconnect, event::Kind};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval};

/// Maximum number of messages that wait for the owner.
pub(super) const MAX_MESSAGES: usize = 64;
/// Interval at which the owner updates positions and health, and ends orphans.
const TICK: Duration = Duration::from_secs(1);
/// Maximum time between two ticks. A longer time means that the process or its host was suspended.
const MAX_AWAY: Duration = Duration::from_secs(5);

pub(super) struct Owner {
    pub(super) gateway: Gateway,
    pub(super) roster: Roster,
    pub(super) store: Store,
    pub(super) metrics: Metrics,
    pub(super) quota: Quota,
    /// Encoded defaults for the fields that a job omits.
    pub(super) defaults: Vec<u8>,
    pub(super) max_queued: usize,
    /// Channel on which every change of the queue is published.
    pub(super) report: watch::Sender<QueueState>,
    pub(super) health: watch::Sender<Result<(), SandboxFault>>,
    /// Whether the engine stored the last message that tried it.
    pub(super) probed: watch::Sender<Result<(), FleetError>>,
    /// Figures of the engine's logs.
    pub(super) logs: watch::Sender<LogFigures>,
    /// Whether the engine has lost the logs of its runs, and the streams are not made again yet.
    pub(super) is_lost: bool,
    /// Channel on which the owner's own tasks report their outcomes.
    pub(super) messages: mpsc::Sender<Message>,
    pub(super) run_ids: RunIds,
    pub(super) runs: Runs,
    pub(super) hour: Hour,
    pub(super) elsewhere: Elsewhere,
    pub(super) stranded: Stranded,
    /// Time of the last tick.
    pub(super) looked: Instant,
    /// Whether the last report to the other gateways named runs that calls hold here.
    pub(super) has_held: bool,
    pub(super) submitting: Submitting,
    /// Drain commands to answer once no call of this gateway holds a run. While there is one, no
    /// run is accepted.
    pub(super) drains: Vec<oneshot::Sender<()>>,
}

impl Owner {
    /// Owns the live runs until the last sender of `commands` is gone.
    pub(super) async fn run(
        mut self,
        mut commands: mpsc::Receiver<Command>,
        mut messages: mpsc::Receiver<Message>,
    ) {
        self.remember().await;
        let (gateway, store) = (self.gateway.clone(), self.store.clone());
        // Dropping the set with the owner ends the tasks.
        let mut minding = JoinSet::new();
        minding.spawn(feeder::feed(gateway, store, self.messages.clone()));
        let gateway = self.gateway.clone();
        minding.spawn(async move { gateway.recall_forgotten_jobs().await });
        let (gateway, probed) = (self.gateway.clone(), self.probed.clone());
        minding.spawn(async move { gateway.probe_writes(probed).await });
        let (gateway, figures) = (self.gateway.clone(), self.logs.clone());
        minding.spawn(async move { gateway.remove_old_runs(figures).await });
        let (gateway, roster) = (self.gateway.clone(), self.roster.clone());
        minding.spawn(async move { gateway.tell_pools(&roster).await });
        let held = self.gateway.held_elsewhere().await;
        let mut held = held.map_or_else(|_| stream::pending().boxed(), StreamExt::boxed);
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut holds = interval(HOLD_INTERVAL);
        loop {
            // What is rare comes first, so that the rest cannot keep it waiting. An order at random
            // would differ when a seed of the simulation is replayed.
            tokio::select! {
                biased;
                _ = ticks.tick() => self.look_after(),
                _ = holds.tick() => self.tell_holds().await,
                Some(said) = held.next() => self.hear_holds(said),
                Some(message) = messages.recv() => self.hear(message).await,
                command = commands.recv() => match command {
                    Some(command) => self.answer(command).await,
                    None => return,
                },
            }
        }
    }

    /// Takes up the runs that were live when this gateway last stopped.
    async fn remember(&mut self) {
        for run_id in self.store.live().await.unwrap_or_default() {
            self.recall(&run_id, &Viewer::Everyone).await;
        }
    }

    /// Takes up a run that is live in the store but unknown to the owner: this gateway has
    /// restarted, or the run's first event is on its way to the owner.
    async fn recall(&mut self, run_id: &str, viewer: &Viewer) {
        if self.runs.live.contains_key(run_id) {
            return;
        }
        let row = self.store.run(run_id, viewer).await.ok().flatten();
        let Some(row) = row.filter(|row| row.ended_time.is_none()) else { return };
        match self.gateway.fleet().origin_of(run_id).await {
            Ok(Some(origin)) => {
                let run = FollowedRun::new(origin);
                run.progress.send_replace(Progress::Stored(row.last_sequence));
                self.runs.add(run);
                if row.state() == v1::RunState::Running {
                    self.runs.start(run_id);
                }
            }
            // The fleet has forgotten the run, so nobody else will end it.
            Ok(None) => drop(self.store.interrupt(run_id).await),
            // The next call tries again.
            Err(error) => tracing::warn!(target: TARGET, run_id, %error, "a run is unknown"),
        }
    }

    async fn answer(&mut self, command: Command) {
        match command {
            Command::Submit(submission, answer) => match self.check(&submission).await {
                Ok(Some(attachment)) => drop(answer.send(Ok(attachment))),
                Ok(None) => match self.pool_for(&submission).await {
                    Ok(pool) => self.submit(*submission, pool, answer),
                    Err(refusal) => drop(answer.send(Err(refusal))),
                },
                Err(refusal) => drop(answer.send(Err(refusal))),
            },
            Command::Attach(run_id, viewer, answer) => {
                drop(answer.send(self.attach(&run_id, &viewer).await));
            }
            Command::Cancel(run_id, viewer, answer) => {
                self.recall(&run_id, &viewer).await;
                if self.find(&run_id, &viewer).is_some() {
                    self.cancel(&run_id, ErrorCode::Cancelled, Some(answer));
                } else {
                    drop(answer.send(Err(Refusal::NotLive(run_id))));
                }
            }
            Command::Delete(run_id, viewer, answer) => {
                let (gateway, store) = (self.gateway.clone(), self.store.clone());
                let deleted = async move {
                    // The fleet comes first: its log then says that the run is deleted, and a later
                    // failure leaves only stored bytes behind.
                    gateway.delete(&run_id).await?;
                    store.delete(&run_id, &viewer).await?;
                    Ok::<_, Refusal>(())
                };
                tokio::spawn(async move { drop(answer.send(deleted.await)) });
            }
            Command::Drain(drained) => {
                self.drains.push(drained);
                self.let_go();
            }
            // The runs go on without this gateway.
            Command::Interrupt => {}
            Command::SetQuota(quota) => self.quota = quota,
            Command::Count(answer) => drop(answer.send(self.held_here().count())),
        }
    }

    async fn hear(&mut self, message: Message) {
        match message {
            Message::Kept(followed) => followed.into_iter().for_each(|event| self.keep(event)),
            Message::Answered(answered, requester, bytes, answer) => {
                self.submitting.remove(&requester.caller, bytes);
                let attached = match answered {
                    Ok(submitted) => self.accept(submitted, *requester).await,
                    Err(refusal) => Err(refusal),
                };
                drop(answer.send(attached));
            }
            Message::EngineLost => {
                self.is_lost = true;
                self.tell_health();
            }
            Message::EngineFound(interrupted) => {
                self.is_lost = false;
                self.end_lost(interrupted).await;
            }
            Message::MoveTried(run_id) => {
                self.stranded.moving.remove(&run_id);
            }
            Message::Released(run_id, code) => {
                if let Some(run) = self.runs.live.get_mut(&run_id) {
                    run.enforced = None;
                    run.released = Some(code);
                }
                if self.elsewhere.hold(&run_id) {
                    // The other gateway ends the run, and must know that no call holds it here.
                    self.tell_holds().await;
                } else {
                    self.cancel(&run_id, code, None);
                }
            }
        }
        self.report.send_replace(self.runs.state());
        self.let_go();
    }

    pub(super) async fn attach_as_submitter(
        &mut self,
        run_id: &str,
        owner: &str,
    ) -> Result<Attachment, Refusal> {
        let viewer = Viewer::Owner(owner.to_owned());
        self.recall(run_id, &viewer).await;
        let Some(run) = self.find(run_id, &viewer) else {
            return Attachment::stored(&self.store, run_id, &viewer).await;
        };
        let attachment = run.attachment(Some(run.holders.hold_as_submitter()));
        self.enforce(run_id);
        Ok(attachment)
    }

    async fn attach(&mut self, run_id: &str, viewer: &Viewer) -> Result<Attachment, Refusal> {
        self.recall(run_id, viewer).await;
        let Some(run) = self.find(run_id, viewer) else {
            return Attachment::stored(&self.store, run_id, viewer).await;
        };
        let holds = run.origin.on_disconnect() == OnDisconnect::Grace;
        let attachment = run.attachment(holds.then(|| run.holders.hold_as_watcher()));
        if holds {
            self.enforce(run_id);
        }
        Ok(attachment)
    }

    /// Returns a live run, if `viewer` sees it.
    fn find(&self, run_id: &str, viewer: &Viewer) -> Option<&FollowedRun> {
        self.runs.live.get(run_id).filter(|run| viewer.sees(&run.origin.owner))
    }

    /// Updates the state with an event that has been stored.
    fn keep(&mut self, followed: Followed) {
        let is_move = followed.is_move();
        let Followed { event, origin, is_deletion, .. } = followed;
        let (run_id, sequence) = (event.run_id, event.sequence);
        if is_move {
            let origin = origin.unwrap_or_default();
            self.runs.move_to(&run_id, &origin.pool);
            if let Some(run) = self.runs.live.get_mut(&run_id) {
                run.origin.job_sequence = origin.job_sequence;
            }
            return;
        }
        if is_deletion {
            // The run had ended, but its last event was deleted before this gateway read it.
            if let Some(run) = self.runs.remove(&run_id) {
                run.progress.send_replace(Progress::Ended(sequence));
            }
            return;
        }
        if let Some(origin) = origin {
            self.runs.add(FollowedRun::new(origin));
        }
        let ending = match &event.kind {
            Some(Kind::Started(started)) => {
                self.runs.move_to(&run_id, &started.pool);
                self.runs.start(&run_id);
                self.runs.give(&run_id, &started.worker);
                None
            }
            Some(Kind::Finished(_)) => Some("finished"),
            Some(Kind::Failed(error)) => Some(match error.code() {
                // The metrics have no label for a code of a later version.
                ErrorCode::Unspecified => ErrorCode::Internal.word(),
                code => code.word(),
            }),
            _ => None,
        };
        let Some(ending) = ending else {
            if let Some(Kind::Restarted(restarted)) = &event.kind {
                self.metrics.run_restarted(&restarted.pool);
                let lost = self.runs.give(&run_id, &restarted.worker);
                let v1::Restarted { worker, reason, .. } = restarted;
                tracing::info!(target: TARGET, run_id, lost, worker, reason, "a run begins again");
            }
            if let Some(run) = self.runs.live.get_mut(&run_id) {
                // A restart means that the worker that was asked to end the run was lost.
                let cancelled =
                    run.cancelled.filter(|_| matches!(event.kind, Some(Kind::Restarted(_))));
                if let (Some(record), Some(Kind::Started(_))) = (&mut run.record, &event.kind) {
                    record.begin();
                }
                run.progress.send_replace(Progress::Stored(sequence));
                if let Some(code) = cancelled {
                    self.cancel(&run_id, code, None);
                }
            }
            return;
        };
        if let Some(mut run) = self.runs.remove(&run_id) {
            run.progress.send_replace(Progress::Ended(sequence));
            if let Some(record) = &mut run.record {
                record.end_elsewhere(ending);
            }
            if let (Some(started), true) = (run.started, self.quota.hour_sec.is_some()) {
                self.hour.add(run.origin.caller(), started.elapsed());
            }
        }
    }

    fn tell_health(&self) {
        let health = if !self.gateway.fleet().is_connected() {
            Err(fleet_fault("the engine does not answer"))
        } else if self.is_lost {
            Err(fleet_fault("the engine has lost the logs of its runs"))
        } else if let Err(error) = &*self.probed.borrow() {
            Err(fleet_fault(&error.to_string()))
        } else {
            // Without workers, runs wait.
            Ok(())
        };
        self.health.send_if_modified(|known| {
            let changed = *known != health;
            *known = health;
            changed
        });
    }

    /// Updates the positions and the health, and ends orphans.
    fn look_after(&mut self) {
        self.runs.tell_positions();
        self.report.send_replace(self.runs.state());
        self.tell_health();
        // A gateway that was disconnected or suspended has missed the reports of the other
        // gateways.
        let was_away = self.looked.elapsed() > MAX_AWAY;
        self.looked = Instant::now();
        if was_away || !self.gateway.fleet().is_connected() {
            self.runs.live.values_mut().for_each(|run| run.held = Instant::now());
            self.stranded = Stranded::default();
        } else {
            let pools = self.roster.pools();
            self.look_for_stranded(&pools);
            self.move_stranded(&pools);
            self.end_orphans();
        }
    }

    /// Processes the report of another gateway on the runs that its callers hold and have released.
    fn hear_holds(&mut self, said: Holds) {
        let Holds { gateway, runs, released } = said;
        self.elsewhere.heard(gateway, runs);
        for run_id in released {
            self.end_if_released(&run_id);
        }
    }

    async fn tell_holds(&mut self) {
        let held: Vec<_> = self.held_here().map(|run| run.origin.run_id().to_owned()).collect();
        let released = self.runs.live.values().filter(|run| run.released.is_some());
        let released: Vec<_> = released.map(|run| run.origin.run_id().to_owned()).collect();
        // One last report says that no call holds a run any more.
        if (!held.is_empty() || !released.is_empty() || self.has_held)
            && self.gateway.fleet().is_connected()
        {
            self.has_held = !held.is_empty();
            // If this fails, the next report follows soon.
            let _ = self.gateway.hold(held, released).await;
        }
    }

    fn held_here(&self) -> impl Iterator<Item = &FollowedRun> {
        self.runs.live.values().filter(|run| run.holders.are_any())
    }

    /// Answers the waiting drains if no call of this gateway holds a run.
    fn let_go(&mut self) {
        if self.held_here().next().is_none() {
            for drained in self.drains.drain(..) {
                // A caller that stopped waiting needs no answer.
                let _ = drained.send(());
            }
        }
    }
}
