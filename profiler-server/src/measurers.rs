//! Measurers: the sandboxes of this host, or the workers of a fleet.
//!
//! With a fleet, this process is either a [gateway](gateway), which answers callers, or a
//! [worker](worker), which measures. Without a fleet, one process answers and measures.

#[cfg(feature = "fleet")]
pub(crate) mod gateway;
#[cfg(feature = "fleet")]
pub(crate) mod worker;

use crate::config::Config;
use crate::runs::{LiveRuns, PoolQueue};
use crate::store::Store;
use crate::telemetry::metrics::{Metrics, PoolReading};
#[cfg(feature = "fleet")]
use gateway::{FleetGateway, Started};
use profiler_core::Profiler;
use profiler_core::error::SandboxFault;
use profiler_core::sandbox::Pool;
#[cfg(feature = "fleet")]
use profiler_fleet::{LogFigures, Roster};
use std::collections::BTreeMap;
use tokio::sync::watch;

/// The means by which a server measures.
pub enum Measuring {
    /// Sandboxes of this host.
    Here(Profiler),
    /// Workers of a fleet.
    #[cfg(feature = "fleet")]
    InFleet(FleetGateway),
}

impl From<Profiler> for Measuring {
    fn from(profiler: Profiler) -> Self {
        Self::Here(profiler)
    }
}

/// The measurers of a running server. Clones share them.
#[derive(Clone)]
pub(crate) struct Measurers {
    /// The name of the sandbox backend or of the fleet, for people.
    pub(crate) name: &'static str,
    /// Whether runs can be measured.
    pub(crate) health: watch::Receiver<Result<(), SandboxFault>>,
    /// The sandboxes of this host; a gateway has none.
    pub(crate) pool: Option<Pool>,
    /// Only a gateway has it.
    #[cfg(feature = "fleet")]
    fleet: Option<FleetState>,
}

/// State of a fleet that a gateway sees.
#[cfg(feature = "fleet")]
#[derive(Clone)]
struct FleetState {
    roster: Roster,
    /// Reason why it can never be joined.
    failure: watch::Receiver<Option<String>>,
    logs: watch::Receiver<LogFigures>,
}

impl Measuring {
    /// The name of the sandbox backend or of the fleet, for people.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Here(profiler) => profiler.pool.backend().name(),
            #[cfg(feature = "fleet")]
            Self::InFleet(_) => gateway::NAME,
        }
    }

    /// Starts the owner of the live runs.
    pub(crate) fn start(
        self,
        store: Store,
        metrics: Metrics,
        config: &Config,
    ) -> (LiveRuns, Measurers) {
        match self {
            Self::Here(profiler) => {
                let measurers = Measurers::here(profiler.pool.clone());
                let (concurrency, max_queued) = (config.concurrency, config.max_queued);
                let quota = config.quota.clone();
                let runs =
                    LiveRuns::start(profiler, store, metrics, concurrency, max_queued, quota);
                (runs, measurers)
            }
            #[cfg(feature = "fleet")]
            Self::InFleet(gateway) => {
                let roster = gateway.roster.clone();
                let Started { runs, health, failure, logs } = gateway.start(store, metrics, config);
                let fleet = Some(FleetState { roster, failure, logs });
                (runs, Measurers { name: gateway::NAME, health, pool: None, fleet })
            }
        }
    }
}

impl Measurers {
    /// The sandboxes of this host.
    pub(crate) fn here(pool: Pool) -> Self {
        Self {
            name: pool.backend().name(),
            health: pool.health(),
            pool: Some(pool),
            #[cfg(feature = "fleet")]
            fleet: None,
        }
    }

    /// Waits until it is clear that no run can ever be measured, and returns the reason.
    pub(crate) async fn failed(&self) -> String {
        #[cfg(feature = "fleet")]
        if let Some(FleetState { failure, .. }) = &self.fleet
            && let Ok(reason) = failure.clone().wait_for(Option::is_some).await
        {
            return reason.clone().unwrap_or_default();
        }
        std::future::pending().await
    }

    /// Returns the number of runs that the workers of a fleet can measure at the same time; `None`
    /// without a fleet.
    #[cfg_attr(not(feature = "fleet"), expect(clippy::unused_self, reason = "there is no fleet"))]
    pub(crate) fn cores(&self) -> Option<usize> {
        #[cfg(feature = "fleet")]
        if let Some(FleetState { roster, .. }) = &self.fleet {
            let cores: u32 = roster.pools().values().sum();
            return Some(cores as usize);
        }
        None
    }

    /// Returns whether the engine of a fleet stores messages; `None` without a fleet.
    pub(crate) fn engine(&self) -> Option<bool> {
        self.cores().map(|_| self.health.borrow().is_ok())
    }

    /// Returns the share of their limit that the logs of a fleet have, and the number of broken
    /// messages. Zeros without a fleet.
    #[cfg_attr(not(feature = "fleet"), expect(clippy::unused_self, reason = "there is no fleet"))]
    pub(crate) fn logs(&self) -> (f64, u64) {
        #[cfg(feature = "fleet")]
        if let Some(FleetState { logs, .. }) = &self.fleet {
            let LogFigures { share, broken } = *logs.borrow();
            return (share, broken);
        }
        (0.0, 0)
    }

    /// Returns the state of each pool of a fleet, whose live runs are in `queues`. Empty without a
    /// fleet.
    #[cfg_attr(
        not(feature = "fleet"),
        expect(unused, clippy::unused_self, reason = "there is no fleet")
    )]
    pub(crate) fn pools(&self, queues: &BTreeMap<String, PoolQueue>) -> Vec<PoolReading> {
        #[cfg(feature = "fleet")]
        if let Some(FleetState { roster, .. }) = &self.fleet {
            return gateway::read_pools(roster, queues);
        }
        Vec::new()
    }
}
