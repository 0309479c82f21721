//! Metrics of the fleet of a gateway, by pool. Without a fleet there are no pools, and nothing is
//! said.

use super::page::{Gauge, Page, integer};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge as IntegerGauge;
use std::time::Duration;

/// A pool when a page is made.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct PoolReading {
    /// Its fingerprint.
    pub(crate) pool: String,
    /// Workers that take jobs.
    pub(crate) working: usize,
    /// Workers that were asked to drain.
    pub(crate) draining: usize,
    /// Workers that are slower or faster than the pool.
    pub(crate) drifted: usize,
    /// Cores of the workers that take jobs.
    pub(crate) cores: u32,
    /// Runs that a worker measures.
    pub(crate) running: usize,
    /// Runs that wait.
    pub(crate) waiting: usize,
    /// Waiting time of the run that waits longest.
    pub(crate) oldest: Duration,
}

type ByPool = [(&'static str, String); 1];
type ByPoolAndState = [(&'static str, String); 2];

/// The metrics.
pub(super) struct FleetMetrics {
    workers: Family<ByPoolAndState, IntegerGauge>,
    cores: Family<ByPool, IntegerGauge>,
    runs: Family<ByPoolAndState, IntegerGauge>,
    oldest: Family<ByPool, Gauge>,
    #[cfg_attr(not(feature = "fleet"), expect(dead_code, reason = "no run begins again"))]
    restarts: Family<ByPool, Counter>,
}

impl FleetMetrics {
    pub(super) fn add_to(page: &mut Page) -> Self {
        Self {
            workers: page.add("profiler_fleet_workers", Family::default()),
            cores: page.add("profiler_fleet_cores", Family::default()),
            runs: page.add("profiler_fleet_runs", Family::default()),
            oldest: page.add("profiler_fleet_oldest_seconds", Family::default()),
            restarts: page.add("profiler_fleet_restarts", Family::default()),
        }
    }

    /// A run of a pool has begun again.
    #[cfg(feature = "fleet")]
    pub(super) fn restarted(&self, pool: &str) {
        self.restarts.get_or_create(&[("pool", pool.to_owned())]).inc();
    }

    /// A pool without workers and runs is not there any more.
    pub(super) fn set(&self, pools: &[PoolReading]) {
        let Self { workers, cores, runs, oldest, .. } = self;
        workers.clear();
        cores.clear();
        runs.clear();
        oldest.clear();
        for of in pools {
            let name = || ("pool", of.pool.clone());
            let state = |state: &str| [name(), ("state", state.to_owned())];
            for (word, count) in
                [("working", of.working), ("draining", of.draining), ("drifted", of.drifted)]
            {
                workers.get_or_create(&state(word)).set(integer(count));
            }
            for (word, count) in [("running", of.running), ("waiting", of.waiting)] {
                runs.get_or_create(&state(word)).set(integer(count));
            }
            cores.get_or_create(&[name()]).set(of.cores.into());
            oldest.get_or_create(&[name()]).set(of.oldest.as_secs_f64());
        }
    }
}

#[cfg(all(test, feature = "fleet"))]
mod tests {
    use super::super::{Metrics, Reading};
    use super::*;
    use std::collections::BTreeSet;

    /// Text of docs/service.md, which documents the pools.
    const DOCUMENT: &str = include_str!("../../../../docs/service.md");

    #[test]
    fn page_tells_of_pools_what_the_document_says() {
        let metrics = Metrics::new("fleet");
        metrics.run_restarted("a pool");
        let pool = PoolReading { pool: "a pool".into(), drifted: 1, ..PoolReading::default() };
        let page = metrics.page(&Reading { pools: vec![pool], ..Reading::default() }).unwrap();
        assert!(page.contains("profiler_fleet_workers{pool=\"a pool\",state=\"drifted\"} 1"));
        let types = page.lines().filter_map(|line| line.strip_prefix("# TYPE "));
        let told: BTreeSet<_> =
            types.filter(|it| it.contains("_fleet_")).filter_map(|it| it.split_once(' ')).collect();
        let table = DOCUMENT.split("| metric of pools |").nth(1).unwrap();
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        let documented = rows.map(|row| {
            let cells: Vec<_> = row.split('|').map(str::trim).collect();
            (cells[1].trim_matches('`'), cells[2])
        });
        assert_eq!(told, documented.collect());
        let gone = metrics.page(&Reading::default()).unwrap();
        assert!(!gone.contains("profiler_fleet_workers{"), "{gone}");
    }
}
