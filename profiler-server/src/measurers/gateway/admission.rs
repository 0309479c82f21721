//! Admission of submissions to a gateway, which then gives them to the engine.

use super::followed_run::FollowedRun;
use super::message::{Answer, Message};
use super::owner::Owner;
use super::stranded::UNPLACED;
use crate::runs::{Attachment, Refusal, Submission};
use crate::store::Viewer;
use crate::telemetry::run_record::{Requester, RunRecord};
use profiler_fleet::{MAX_JOBS_PER_CALLER, NewRun, Origin, Submitted, choose_pool};
use profiler_proto::v1::event::Kind;
use profiler_turns::takes_too_much;
use std::time::Duration;

/// Number of a run's first events, which include `started` if the run has begun.
const EVENTS_UNTIL_STARTED: u32 = 2;

impl Owner {
    /// Refuses a submission, or attaches it to the stored run that has its request ID. Returns
    /// `None` for a new run.
    pub(super) async fn check(
        &mut self,
        submission: &Submission,
    ) -> Result<Option<Attachment>, Refusal> {
        let requester = &submission.requester;
        if let Some(run_id) = submission.known_run(&self.store).await? {
            return self.attach_as_submitter(&run_id, &requester.owner).await.map(Some);
        }
        if !self.drains.is_empty() {
            return Err(Refusal::ShuttingDown);
        }
        self.health.borrow().clone().map_err(Refusal::NoSandbox)?;
        self.store.health().borrow().clone()?;
        self.check_quota(&requester.caller, size(submission))?;
        submission.check_kept(&self.store, &self.quota).await?;
        Ok(None)
    }

    fn check_quota(&mut self, caller: &str, bytes: usize) -> Result<(), Refusal> {
        let own: Vec<_> =
            self.runs.live.values().filter(|run| run.origin.caller() == caller).collect();
        let own_waiting =
            own.iter().filter(|run| run.started.is_none()).count() + self.submitting.of(caller);
        let cores: u32 = self.roster.pools().values().sum();
        let most = self.max_queued;
        let submitting = self.submitting.len();
        let taken = self.runs.live.len() + submitting;
        let free = most.saturating_add(cores as usize).saturating_sub(taken);
        let in_engine = own.len() + self.submitting.of(caller);
        let is_full = free == 0
            || in_engine >= MAX_JOBS_PER_CALLER as usize
            || takes_too_much(own_waiting, 1, free);
        if is_full || self.submitting.is_too_heavy(caller, bytes) {
            let waiting = self.runs.waiting() + submitting;
            return Err(Refusal::QueueFull { waiting, most });
        }
        let started = own.iter().filter_map(|run| run.started);
        self.hour.check(&self.quota, caller, own.len(), own_waiting, started)
    }

    /// Returns the pool for a submission: the pool of the run that `same_pool_as` names, or else
    /// the pool for its task. While no worker takes jobs, there is none yet.
    pub(super) async fn pool_for(&self, submission: &Submission) -> Result<String, Refusal> {
        let pools = self.roster.pools();
        let run_id = submission.same_pool_as.as_str();
        if run_id.is_empty() {
            let caller = &submission.requester.caller;
            let names = pools.keys().map(String::as_str);
            let pool = choose_pool(names, caller, &submission.job.task_id);
            return Ok(pool.unwrap_or(UNPLACED).to_owned());
        }
        let viewer = Viewer::Owner(submission.requester.owner.clone());
        let unknown = || Refusal::UnknownRun(run_id.to_owned());
        self.store.run(run_id, &viewer).await?.ok_or_else(unknown)?;
        let begun = self.store.events(run_id, 0, EVENTS_UNTIL_STARTED).await?;
        let pool = begun.into_iter().find_map(|event| match event.kind {
            Some(Kind::Started(started)) => Some(started.pool),
            _ => None,
        });
        let pool = pool.ok_or_else(unknown)?;
        if pools.contains_key(&pool) {
            return Ok(pool);
        }
        let there: Vec<_> = pools.into_keys().collect();
        let there = if there.is_empty() { "none".into() } else { there.join(", ") };
        Err(Refusal::no_worker(&format!(
            "there is no worker of pool {pool}; the pools are {there}"
        )))
    }

    /// Gives a run to the engine, in a task that sends the outcome to the owner.
    pub(super) fn submit(&mut self, submission: Submission, pool: String, answer: Answer) {
        let bytes = size(&submission);
        let at_engine = self.submitting.add(&submission.requester.caller, bytes);
        let caller = submission.requester.caller.as_str();
        let cores = self.roster.pools().get(&pool).copied().unwrap_or(0);
        let queue_position = self.runs.next_position(&pool, caller, cores);
        let limit_ms = |limit: Duration| u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        let origin = Origin {
            run: Some(submission.to_row(&self.run_ids.next())),
            owner: submission.requester.owner.clone(),
            digest: submission.digest.into(),
            pool,
            on_disconnect: submission.on_disconnect.into(),
            // On the wire, 0 means no limit, so a limit below 1 ms becomes 1 ms.
            time_limit_ms: self.quota.run().map_or(0, |limit| limit_ms(limit).max(1)),
            class: submission.requester.class.into(),
            is_bound: !submission.same_pool_as.is_empty(),
            ..Origin::default()
        };
        let (gateway, messages) = (self.gateway.clone(), self.messages.clone());
        let defaults = self.defaults.clone();
        tokio::spawn(async move {
            let Submission { message, request_id, requester, .. } = submission;
            let new = NewRun { origin, job: message, defaults, queue_position };
            // The semaphore is never closed.
            let _permit = at_engine.acquire().await;
            let submitted = match gateway.submit(new).await {
                Ok(Submitted::OtherJob) => Err(Refusal::RequestIdTaken(request_id)),
                Ok(submitted) => Ok(submitted),
                Err(error) => Err(error.into()),
            };
            let message = Message::Answered(submitted, Box::new(requester), bytes, answer);
            // If the owner has ended, nobody waits for the answer.
            let _ = messages.send(message).await;
        });
    }

    /// Attaches the requester of a submission that the engine has answered.
    pub(super) async fn accept(
        &mut self,
        submitted: Submitted,
        requester: Requester,
    ) -> Result<Attachment, Refusal> {
        let origin = match submitted {
            Submitted::Run(origin) => *origin,
            // Retention or a caller may have deleted the run from this store.
            Submitted::Ended(origin) => {
                let run_id = origin.run.unwrap_or_default().run_id;
                let viewer = Viewer::Owner(requester.owner);
                return Attachment::stored(&self.store, &run_id, &viewer).await;
            }
            // `submit` has turned `OtherJob` into a refusal.
            Submitted::OtherJob | Submitted::QueueFull => return Err(Refusal::FleetFull),
        };
        let row = origin.run.clone().unwrap_or_default();
        let run_id = row.run_id.as_str();
        if !self.runs.live.contains_key(run_id) {
            // The run may have ended already. Otherwise its first event comes soon.
            let stored = self.store.run(run_id, &Viewer::Everyone).await?;
            if stored.is_some_and(|run| run.ended_time.is_some()) {
                let viewer = Viewer::Owner(requester.owner);
                return Attachment::stored(&self.store, run_id, &viewer).await;
            }
            self.runs.add(FollowedRun::new(origin));
        }
        if let Some(run) = self.runs.live.get_mut(run_id)
            && run.record.is_none()
        {
            let (metrics, task) = (self.metrics.clone(), &row.task_id);
            run.record = Some(RunRecord::new(metrics, run_id, task, requester.clone()));
        }
        self.attach_as_submitter(run_id, &requester.owner).await
    }
}

/// Returns the memory that a submission takes until the engine has it, in bytes.
fn size(submission: &Submission) -> usize {
    submission.message.len().saturating_add(submission.job.bytes())
}
