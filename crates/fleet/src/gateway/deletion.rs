//! Deletion of a run from the engine and from all gateways.

use super::Gateway;
use crate::connection::ANSWER_TIMEOUT;
use crate::connection::engine::StreamName;
use crate::error::FleetError;
use crate::log::{RunLog, last_of, whole};
use crate::messages::{Origin, RequestClaim};
use crate::names;
use prost::Message;
use tokio::time::timeout;

impl Gateway {
    /// Deletes an ended run everywhere: a note in its log tells the other gateways, and nothing
    /// else of the run stays in the engine. Its request ID is free afterwards.
    pub async fn delete(&self, run_id: &str) -> Result<(), FleetError> {
        let doing = "delete a run";
        let origin = self.fleet.origin_of(run_id).await?;
        let mut log = RunLog::open(&self.fleet, run_id, "").await?;
        // The note is written even if the engine has forgotten the run, because a gateway can still
        // have it.
        let noted = timeout(ANSWER_TIMEOUT, log.delete()).await.map_err(FleetError::when(doing))?;
        noted.map_err(FleetError::when(doing))?;
        if let Some(origin) = origin {
            self.free_request_id(&origin).await?;
            self.fleet.erase(&origin.job_blob, origin.job_pieces).await?;
        }
        // A concurrent deletion writes a later note, which stays.
        let note = log.standing().position;
        for (position, message) in self.fleet.entries_of(run_id).await? {
            if position < note {
                let logged = whole(message).unwrap_or_default();
                for body in logged.event.iter().chain(&logged.more) {
                    self.fleet.erase(&body.blob, body.pieces).await?;
                }
                self.fleet.remove(StreamName::Logs, position).await?;
            }
        }
        Ok(())
    }

    /// Removes the claim of a run's request ID.
    pub(super) async fn free_request_id(&self, origin: &Origin) -> Result<(), FleetError> {
        let request_id = origin.run.as_ref().map_or("", |run| run.request_id.as_str());
        if !request_id.is_empty() {
            let claim = last_of(&self.fleet, &names::claim(&origin.owner, request_id)).await?;
            let is_its = |message: &bytes::Bytes| {
                let claim = RequestClaim::decode(message.clone()).unwrap_or_default();
                claim.origin.is_some_and(|claimed| claimed.run_id() == origin.run_id())
            };
            if let Some((position, _)) = claim.filter(|(_, message)| is_its(message)) {
                self.fleet.remove(StreamName::Logs, position).await?;
            }
        }
        Ok(())
    }
}
