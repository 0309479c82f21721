//! Measurers: the sandboxes of this host, or the workers of a fleet.
//!
//! With a fleet, this process is either a [gateway](gateway), which answers callers, or a
//! [worker](worker), which measures. Without one it is both, and nothing here is in between.

#[cfg(feature = "fleet")]
pub(crate) mod gateway;
#[cfg(feature = "fleet")]
pub(crate) mod worker;

use crate::config::Config;
use crate::runs::{LiveRuns, PoolQueue};
use crate::store::Store;
use crate::telemetry::metrics::{Metrics, PoolReading};
#[cfg(feature = "fleet")]
use gateway::FleetGateway;
use profiler_core::Profiler;
use profiler_core::error::SandboxFault;
use profiler_core::sandbox::{Pool, Starts};
#[cfg(feature = "fleet")]
use profiler_fleet::Roster;
use std::collections::BTreeMap;
use tokio::sync::watch;

/// Means by which a server measures.
#[cfg_attr(feature = "fleet", expect(clippy::large_enum_variant, reason = "there is one"))]
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

/// State of the measurers. Clones share it.
#[derive(Clone)]
pub(crate) enum Measurers {
    Here(Pool),
    #[cfg(feature = "fleet")]
    InFleet(watch::Receiver<Result<(), SandboxFault>>, Roster),
}

impl Measuring {
    /// The name of what measures, for people.
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
                let measurers = Measurers::Here(profiler.pool.clone());
                let (concurrency, max_queued) = (config.concurrency, config.max_queued);
                let quota = config.quota.clone();
                let runs =
                    LiveRuns::start(profiler, store, metrics, concurrency, max_queued, quota);
                (runs, measurers)
            }
            #[cfg(feature = "fleet")]
            Self::InFleet(gateway) => {
                let roster = gateway.roster().clone();
                let (runs, health) = gateway.start(store, metrics, config);
                (runs, Measurers::InFleet(health, roster))
            }
        }
    }
}

impl Measurers {
    /// Whether runs can be measured.
    pub(crate) fn health(&self) -> watch::Receiver<Result<(), SandboxFault>> {
        match self {
            Self::Here(pool) => pool.health(),
            #[cfg(feature = "fleet")]
            Self::InFleet(health, ..) => health.clone(),
        }
    }

    /// The name of what measures.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Here(pool) => pool.backend().name(),
            #[cfg(feature = "fleet")]
            Self::InFleet(..) => gateway::NAME,
        }
    }

    /// Returns the restrictions that are not enforced, one sentence each. A report of a fleet has
    /// what its worker lacks.
    pub(crate) fn not_enforced(&self) -> Vec<String> {
        match self {
            Self::Here(pool) => pool.backend().not_enforced(),
            #[cfg(feature = "fleet")]
            Self::InFleet(..) => Vec::new(),
        }
    }

    /// The sandboxes that were started here.
    pub(crate) fn starts(&self) -> Starts {
        match self {
            Self::Here(pool) => pool.starts(),
            #[cfg(feature = "fleet")]
            Self::InFleet(..) => Starts::default(),
        }
    }

    /// The sandboxes of dead servers that were removed here.
    pub(crate) fn swept(&self) -> u64 {
        match self {
            Self::Here(pool) => pool.backend().swept(),
            #[cfg(feature = "fleet")]
            Self::InFleet(..) => 0,
        }
    }

    /// The pools of a fleet whose live runs are `queues`; none without a fleet.
    #[cfg_attr(not(feature = "fleet"), expect(unused, reason = "there is no fleet"))]
    pub(crate) fn pools(&self, queues: &BTreeMap<String, PoolQueue>) -> Vec<PoolReading> {
        match self {
            Self::Here(_) => Vec::new(),
            #[cfg(feature = "fleet")]
            Self::InFleet(_, roster) => gateway::read_pools(roster, queues),
        }
    }

    /// Removes the sandboxes of this host.
    pub(crate) async fn close(&self) {
        match self {
            Self::Here(pool) => pool.close().await,
            #[cfg(feature = "fleet")]
            Self::InFleet(..) => {}
        }
    }
}
