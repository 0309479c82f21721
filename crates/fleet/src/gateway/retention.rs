//! Retention of the logs. The engine refuses messages when its logs are full, rather than remove
//! the oldest, which may be those of a live run. Before that, gateways remove the oldest ended
//! runs.

use super::Gateway;
use crate::connection::engine::{StreamName, StreamState};
use crate::error::FleetError;
use crate::log::{look, whole};
use crate::names::{self, EVERY_LOG};
use futures::{StreamExt, TryStreamExt, stream};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::sleep;

/// Interval between looks at the size of the logs.
const LOOK_INTERVAL: Duration = Duration::from_secs(2);
/// Share of their limit from which on ended runs are removed from the logs.
const TOO_FULL: f64 = 0.8;
/// Share of their limit at which enough runs are removed.
const ENOUGH: f64 = 0.7;
/// Number of runs that are removed at the same time.
const AT_A_TIME: usize = 8;

/// Figures of the logs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LogFigures {
    /// Share of their limit that the logs have; 0 without a limit.
    pub share: f64,
    /// Number of messages that this process skipped because they are broken.
    pub broken: u64,
}

impl Gateway {
    /// Removes the oldest ended runs from logs that are almost full, for as long as the future is
    /// polled. Publishes figures of the logs.
    pub async fn remove_old_runs(&self, figures: watch::Sender<LogFigures>) {
        loop {
            match self.share().await {
                Ok(share) => {
                    let broken = self.fleet.broken_messages();
                    figures.send_replace(LogFigures { share, broken });
                    if share > TOO_FULL
                        && let Err(error) = self.make_room().await
                    {
                        tracing::warn!(target: "Profiler", %error, "old runs stay in the logs");
                    }
                }
                // An outage has a line of its own.
                Err(error) => tracing::debug!(target: "Profiler", %error, "looking again"),
            }
            sleep(LOOK_INTERVAL).await;
        }
    }

    /// Returns the share of their limit that the logs have; 0 without a limit.
    async fn share(&self) -> Result<f64, FleetError> {
        let state = self.fleet.engine.state(StreamName::Logs).await;
        let StreamState { bytes, limit, .. } =
            state.map_err(FleetError::when("look at the size of the logs"))?;
        #[expect(clippy::cast_precision_loss, reason = "a share needs few digits")]
        Ok(limit.map_or(0.0, |limit| bytes as f64 / limit as f64))
    }

    /// Removes ended runs, the oldest first, until there is room, or only live ones are left.
    async fn make_room(&self) -> Result<(), FleetError> {
        let (mut known, mut from, mut removed) = (BTreeSet::new(), 1, 0);
        while self.share().await? > ENOUGH {
            let oldest = self.oldest(&mut known, &mut from).await?;
            if oldest.is_empty() {
                break;
            }
            let tried = stream::iter(oldest)
                .map(|run_id| async move { self.remove_if_ended(&run_id).await })
                .buffer_unordered(AT_A_TIME);
            let tried: Vec<bool> = tried.try_collect().await?;
            removed += tried.into_iter().filter(|was_removed| *was_removed).count();
        }
        let live = known.len() - removed;
        tracing::info!(target: "Profiler", removed, live, "removed old runs from the logs");
        Ok(())
    }

    /// Returns the next runs that have entries at or after position `from`, and adds them to the
    /// `known` ones.
    async fn oldest(
        &self,
        known: &mut BTreeSet<String>,
        from: &mut u64,
    ) -> Result<Vec<String>, FleetError> {
        let mut oldest = Vec::new();
        while oldest.len() < AT_A_TIME {
            let next = self.fleet.engine.next(StreamName::Logs, EVERY_LOG, *from).await;
            let Some(entry) = next.map_err(FleetError::when("read a log"))? else { break };
            *from = entry.position + 1;
            let run_id = names::run_of(&entry.subject);
            if known.insert(run_id.clone()) {
                oldest.push(run_id);
            }
        }
        Ok(oldest)
    }

    /// Removes a run, unless it is live. Returns whether it was removed.
    async fn remove_if_ended(&self, run_id: &str) -> Result<bool, FleetError> {
        let has_ended = look(&self.fleet, run_id).await?.has_ended;
        if has_ended {
            self.remove_run(run_id).await?;
        }
        Ok(has_ended)
    }

    /// Removes everything of an ended run from the engine, its last entry last: without that, the
    /// run would seem to be live.
    async fn remove_run(&self, run_id: &str) -> Result<(), FleetError> {
        for (position, message) in self.fleet.entries_of(run_id).await? {
            let logged = whole(message).unwrap_or_default();
            if let Some(origin) = &logged.origin {
                self.free_request_id(origin).await?;
                self.fleet.erase(&origin.job_blob, origin.job_pieces).await?;
                // A worker that was lost after the end may have left the job, and the next worker
                // would run it again.
                if origin.job_sequence > 0 {
                    self.fleet.remove(StreamName::Jobs, origin.job_sequence).await?;
                }
            }
            for body in logged.event.iter().chain(&logged.more) {
                self.fleet.erase(&body.blob, body.pieces).await?;
            }
            self.fleet.remove(StreamName::Logs, position).await?;
        }
        Ok(())
    }
}
