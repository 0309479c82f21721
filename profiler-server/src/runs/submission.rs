//! A job that a call submits, with its terms.

use super::refusal::{Refusal, Taken};
use crate::config::Quota;
use crate::store::{Store, WaitingJob};
use crate::telemetry::run_record::Requester;
use profiler_core::job::Job;
use profiler_proto::v1;
use std::time::SystemTime;

/// Maximum size of a job that the next server measures if this one ends, in bytes. Every submission
/// that waits is written to the disk.
const MAX_WAITING_BYTES: usize = 1 << 20;

/// A checked job, its submitter, and the terms of the submission.
#[derive(Debug, Clone)]
pub(crate) struct Submission {
    pub(crate) job: Job,
    /// SHA-256 of the job's message, without the fields that the profiler does not use. It
    /// distinguishes two jobs with the same request ID.
    pub(crate) digest: [u8; 32],
    /// The encoded message, for a worker of a fleet or the next server.
    pub(crate) message: Vec<u8>,
    /// Encoded defaults for the fields that the message omits.
    pub(crate) defaults: Vec<u8>,
    /// The run in whose pool this one is measured; empty for any pool.
    #[cfg(feature = "fleet")]
    pub(crate) same_pool_as: String,
    /// Empty if the caller gave none.
    pub(crate) request_id: String,
    pub(crate) on_disconnect: v1::OnDisconnect,
    pub(crate) requester: Requester,
}

impl Submission {
    /// Returns the row of the accepted run in the store.
    pub(crate) fn to_row(&self, run_id: &str) -> v1::Run {
        v1::Run {
            run_id: run_id.to_owned(),
            request_id: self.request_id.clone(),
            caller: self.requester.caller.clone(),
            task_id: self.job.task_id.clone(),
            iteration: self.job.iteration,
            state: v1::RunState::Queued.into(),
            accepted_time: Some(SystemTime::now().into()),
            ..v1::Run::default()
        }
    }

    /// Returns the job with which the run waits in the store; `None` if it is too large.
    pub(crate) fn to_waiting(&self) -> Option<WaitingJob> {
        let job = || WaitingJob {
            job: self.message.clone(),
            defaults: self.defaults.clone(),
            class: self.requester.class.into(),
            peer: self.requester.peer.clone(),
        };
        (self.message.len() <= MAX_WAITING_BYTES).then(job)
    }

    /// Returns the ID of the run that was submitted under the same request ID before. Refuses the
    /// same request ID with another job.
    pub(crate) async fn known_run(&self, store: &Store) -> Result<Option<String>, Refusal> {
        if self.request_id.is_empty() {
            return Ok(None);
        }
        match store.find_request(&self.requester.owner, &self.request_id).await? {
            Some((_, digest)) if digest != self.digest => {
                Err(Refusal::RequestIdTaken(self.request_id.clone()))
            }
            known => Ok(known.map(|(run_id, _)| run_id)),
        }
    }

    /// Refuses the submission if the store keeps as much of the caller's runs as the quota allows.
    pub(crate) async fn check_kept(&self, store: &Store, quota: &Quota) -> Result<(), Refusal> {
        match quota.kept_mb {
            Some(most) if store.kept_bytes(&self.requester.caller).await? >> 20 >= most => {
                Err(Refusal::Quota(Taken::Kept(most)))
            }
            _ => Ok(()),
        }
    }
}
