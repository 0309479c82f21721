//! A gateway of a fleet: a server whose runs are measured by workers on other hosts.
//!
//! ```text
//!             submit, cancel          every event of every run
//!   calls ──▶ owner ──▶ the engine ──▶ feeder ──▶ store ──▶ owner ──▶ watchers
//! ```
//!
//! One reader of all logs puts every run into the store, whichever gateway accepted it. A watcher
//! is therefore a cursor over the store, as on a server without a fleet, and a run can be watched
//! at any gateway.

mod admission;
mod ending;
mod feeder;
mod followed_run;
mod holds;
mod live_runs;
mod message;
mod owner;
mod pools;
mod stranded;
mod submitting;
mod waiting;

pub(crate) use pools::read_pools;

use crate::config::{Config, Fleet as Settings};
use crate::runs::{Hour, LiveRuns, RunIds, fleet_fault};
use crate::store::Store;
use crate::telemetry::metrics::Metrics;
use holds::Elsewhere;
use live_runs::{QueueState, Runs};
use owner::{MAX_MESSAGES, Owner};
use profiler_core::error::SandboxFault;
use profiler_fleet::{Credentials, FleetError, Gateway, LogFigures, Roster};
use prost::Message;
use stranded::Stranded;
use submitting::Submitting;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use waiting::Engine;

/// The name of the fleet as a measurer, for people.
pub(crate) const NAME: &str = "fleet";

/// A gateway that is connected to its fleet, or waits for its engine.
pub struct FleetGateway {
    engine: Engine,
    /// Result of the first attempt to connect.
    first: Result<Gateway, FleetError>,
    /// The workers that have reported recently.
    pub(super) roster: Roster,
}

/// Handles on a running gateway.
pub(super) struct Started {
    pub(super) runs: LiveRuns,
    /// Whether runs can be measured.
    pub(super) health: watch::Receiver<Result<(), SandboxFault>>,
    /// Reason why the gateway can never reach its engine, once there is one.
    pub(super) failure: watch::Receiver<Option<String>>,
    /// Figures of the engine's logs.
    pub(super) logs: watch::Receiver<LogFigures>,
}

impl FleetGateway {
    /// Connects to the engine at `url`, and prepares it. If the engine is not there yet, the
    /// running gateway waits for it.
    ///
    /// # Errors
    /// If the settings or the credentials are wrong.
    pub async fn connect(url: &str, settings: &Settings) -> Result<Self, FleetError> {
        let Settings { nkey, ca, .. } = settings.clone();
        let (roster, credentials) = (Roster::default(), Credentials { nkey, ca });
        let limits = settings.log_limits();
        let engine = Engine { url: url.to_owned(), credentials, limits };
        match engine.join(&roster).await {
            Err(error) if error.is_final() => Err(error),
            first => Ok(Self { engine, first, roster }),
        }
    }

    /// Starts the owner of the live runs.
    pub(super) fn start(self, store: Store, metrics: Metrics, config: &Config) -> Started {
        let Self { engine, first, roster } = self;
        let (messages, heard) = mpsc::channel(MAX_MESSAGES);
        let (report, state) = watch::channel(QueueState::default());
        let unknown = fleet_fault("the gateway looks for workers");
        let (tell, health) = watch::channel(Err(unknown));
        let (runs, mut commands) = LiveRuns::over(state);
        let (fail, failure) = watch::channel(None);
        let (logs, figures) = watch::channel(LogFigures::default());
        let mut quota = config.quota.clone();
        let (defaults, max_queued) = (config.defaults.encode_to_vec(), config.max_queued);
        tokio::spawn(async move {
            let joined = match first {
                Ok(gateway) => Ok(gateway),
                Err(error) => {
                    engine.wait(error, &roster, &mut commands, &store, &tell, &mut quota).await
                }
            };
            let gateway = match joined {
                Ok(gateway) => gateway,
                Err(failed) => return drop(fail.send(failed.map(|error| error.to_string()))),
            };
            let owner = Owner {
                run_ids: RunIds::after_those_of(&store).await,
                gateway,
                roster,
                store,
                metrics,
                quota,
                defaults,
                max_queued,
                report,
                health: tell,
                probed: watch::channel(Ok(())).0,
                logs,
                is_lost: false,
                messages,
                runs: Runs::default(),
                hour: Hour::default(),
                elsewhere: Elsewhere::default(),
                stranded: Stranded::default(),
                looked: Instant::now(),
                has_held: false,
                submitting: Submitting::default(),
                drains: Vec::new(),
            };
            owner.run(commands, heard).await;
        });
        Started { runs, health, failure, logs: figures }
    }
}
