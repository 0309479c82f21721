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

pub(crate) use pools::read_pools;

use crate::config::{Config, Fleet as Settings};
use crate::runs::{Hour, LiveRuns, RunIds, fleet_fault};
use crate::store::Store;
use crate::telemetry::metrics::Metrics;
use holds::Elsewhere;
use live_runs::{QueueState, Runs};
use owner::{MAX_MESSAGES, Owner};
use profiler_core::error::SandboxFault;
use profiler_fleet::{Credentials, Fleet, FleetError, Gateway, Roster};
use prost::Message;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

/// The name of the fleet as a measurer, for people.
pub(crate) const NAME: &str = "fleet";

/// A gateway that is connected to its fleet.
pub struct FleetGateway {
    gateway: Gateway,
    /// The workers that have reported recently.
    pub(super) roster: Roster,
}

impl FleetGateway {
    /// Connects to the engine at `url`, and prepares it.
    ///
    /// # Errors
    /// If the engine does not answer, or refuses the connection.
    pub async fn connect(url: &str, settings: &Settings) -> Result<Self, FleetError> {
        let Settings { nkey, ca, .. } = settings.clone();
        let fleet = Fleet::prepare(url, &Credentials { nkey, ca }).await?;
        let roster = Roster::listen(&fleet).await?;
        Ok(Self { gateway: Gateway::new(fleet), roster })
    }

    /// Starts the owner of the live runs. The second result says whether runs can be measured.
    pub(super) fn start(
        self,
        store: Store,
        metrics: Metrics,
        config: &Config,
    ) -> (LiveRuns, watch::Receiver<Result<(), SandboxFault>>) {
        let Self { gateway, roster } = self;
        let (messages, heard) = mpsc::channel(MAX_MESSAGES);
        let (report, state) = watch::channel(QueueState::default());
        let unknown = fleet_fault("the gateway looks for workers");
        let (tell, health) = watch::channel(Err(unknown));
        let (runs, commands) = LiveRuns::over(state);
        let quota = config.quota.clone();
        let (defaults, max_queued) = (config.defaults.encode_to_vec(), config.max_queued);
        tokio::spawn(async move {
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
                messages,
                runs: Runs::default(),
                hour: Hour::default(),
                elsewhere: Elsewhere::default(),
                looked: Instant::now(),
                has_held: false,
                submitting: Vec::new(),
                drains: Vec::new(),
            };
            owner.run(commands, heard).await;
        });
        (runs, health)
    }
}
