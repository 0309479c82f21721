//! What a call submits.

use super::disconnect_policy::DisconnectPolicy;
use crate::telemetry::run_log::Requester;
use profiler_core::job::Job;
use profiler_proto::v1;
use std::time::SystemTime;

/// A checked job, and who submits it under which terms.
#[derive(Debug, Clone)]
pub(crate) struct Submission {
    pub(crate) job: Job,
    /// SHA-256 of the job's message. It distinguishes two jobs with the same request ID.
    pub(crate) digest: [u8; 32],
    /// The encoded message, for whoever measures elsewhere.
    #[cfg(feature = "fleet")]
    pub(crate) message: Vec<u8>,
    /// The run that was measured where this one shall be; empty if anywhere.
    #[cfg(feature = "fleet")]
    pub(crate) same_pool_as: String,
    /// Empty if the caller gave none.
    pub(crate) request_id: String,
    pub(crate) on_disconnect: DisconnectPolicy,
    pub(crate) requester: Requester,
}

impl Submission {
    /// The row that the store keeps for the accepted run.
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
}
