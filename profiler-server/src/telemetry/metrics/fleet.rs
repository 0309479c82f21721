//! Metrics of the fleet of a gateway, by pool. Without a fleet there are no pools, and the page has
//! no values of these metrics.

use super::instruments::{Instruments, integer};
use std::time::Duration;

/// State of a pool when a page is made.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct PoolReading {
    /// Fingerprint of the pool.
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

/// Sets the metrics of the pools. A pool that has lost its workers and runs disappears from the
/// page.
pub(super) fn set(metrics: &Instruments, pools: &[PoolReading]) {
    let Instruments {
        fleet_workers, fleet_cores, fleet_runs, fleet_oldest, fleet_restarts, ..
    } = metrics;
    fleet_workers.clear();
    fleet_cores.clear();
    fleet_runs.clear();
    fleet_oldest.clear();
    for of in pools {
        let name = || ("pool", of.pool.clone());
        let state = |state: &str| [name(), ("state", state.to_owned())];
        for (word, count) in
            [("working", of.working), ("draining", of.draining), ("drifted", of.drifted)]
        {
            fleet_workers.get_or_create(&state(word)).set(integer(count));
        }
        for (word, count) in [("running", of.running), ("waiting", of.waiting)] {
            fleet_runs.get_or_create(&state(word)).set(integer(count));
        }
        fleet_cores.get_or_create(&[name()]).set(of.cores.into());
        // An alert sees the first restart only if there was a zero before.
        drop(fleet_restarts.get_or_create(&[name()]));
        fleet_oldest.get_or_create(&[name()]).set(of.oldest.as_secs_f64());
    }
}

#[cfg(all(test, feature = "fleet"))]
mod tests {
    use super::super::{Metrics, Reading};
    use super::*;
    use std::collections::BTreeSet;

    /// Text of docs/service.md, which documents the pools.
    const DOCUMENT: &str = include_str!("../../../../docs/service.md");

    /// Alerts and a dashboard, which ask for the metrics of pools.
    const ASKED: &str = concat!(
        include_str!("../../../../packaging/prometheus/alerts.yml"),
        include_str!("../../../../packaging/grafana/swiftprof-fleet.json")
    );

    #[test]
    fn page_tells_of_pools_what_the_document_says() {
        let metrics = Metrics::new("fleet");
        let pool = PoolReading { pool: "a pool".into(), drifted: 1, ..PoolReading::default() };
        let reading = Reading { pools: vec![pool], engine: Some(true), ..Reading::default() };
        let page = metrics.page(&reading).unwrap();
        assert!(page.contains("profiler_fleet_restarts_total{pool=\"a pool\"} 0"), "{page}");
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
        let told: BTreeSet<_> = told.into_iter().map(|(name, _)| name).collect();
        let of_fleets = |word: &&str| word.starts_with("profiler_fleet_");
        let asked = ASKED.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(of_fleets);
        assert_eq!(asked.collect::<BTreeSet<_>>(), told, "alerts and the dashboard ask for all");
        let gone = metrics.page(&Reading::default()).unwrap();
        assert!(!gone.contains("profiler_fleet_workers{"), "{gone}");
    }
}
