//! `fleet`: shows the pools, hosts and queues of a fleet.

use crate::args::ResultFormat;
use crate::args::service::FleetArgs;
use crate::exit::{Exit, Failure};
use crate::output;
use profiler_export::readable;
use profiler_fleet::{Action, Fleet, Order, Queue, Roster, Seen, WorkerState};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::{IsTerminal, stdout};
use std::time::Duration;
use tokio::time::sleep;

/// Time that workers have to answer the first roll call.
const ROLL_CALL: Duration = Duration::from_millis(500);
/// Interval between refreshes of a table on a terminal.
const REFRESH: Duration = Duration::from_secs(2);
/// Moves the cursor to the corner, and clears what is below it.
/// Maximum number of hosts of a pool in a table of all pools. Those that take no jobs come first.
const MAX_HOSTS: usize = 20;
const CLEAR: &str = "\u{1b}[H\u{1b}[J";

/// A fleet at one moment.
#[derive(Debug, Serialize)]
struct View {
    /// Time since the oldest job that has not ended was queued, in seconds.
    oldest_sec: Option<f64>,
    pools: Vec<PoolView>,
    /// Whether the table has every host.
    #[serde(skip)]
    is_whole: bool,
}

/// The hosts of one pool, and the jobs that wait for them.
#[derive(Debug, Serialize)]
struct PoolView {
    pool: String,
    cpu_model: String,
    kernel: String,
    cores: u32,
    busy: usize,
    waiting: u64,
    callers: u64,
    workers: Vec<WorkerView>,
}

/// One worker.
#[derive(Debug, Serialize)]
struct WorkerView {
    worker: String,
    host: String,
    version: String,
    cores: u32,
    runs: Vec<String>,
    ended: u64,
    fenced: u64,
    calibration_ms: f64,
    draining: String,
    seen_sec: f64,
}

/// Shows a fleet once, or gives an order. On a terminal, refreshes the table until Ctrl-C.
pub(crate) async fn show(args: FleetArgs) -> Result<Exit, Failure> {
    if let Some((option, order)) = order(&args) {
        return give(&args, option, &order).await;
    }
    let fleet = Fleet::view(&args.engine.fleet, &args.engine.credentials()).await;
    let fleet = fleet.map_err(Failure::broken("join the fleet"))?;
    let roster = Roster::default();
    roster.listen(&fleet).await.map_err(Failure::broken("listen for workers"))?;
    sleep(ROLL_CALL).await;
    let view = async || {
        let broken = || Failure::broken("read the queues");
        let queues = fleet.queues().await.map_err(broken())?;
        let oldest = fleet.oldest_job().await.map_err(broken())?;
        let view = View::new(roster.workers(), queues, oldest);
        Ok::<_, Failure>(match &args.pool {
            Some(pool) => view.only(pool)?,
            None => view,
        })
    };
    if args.format == ResultFormat::Json || !stdout().is_terminal() {
        let view = view().await?;
        output::print_as(args.format, &view, || view.table())?;
        return Ok(Exit::Done);
    }
    loop {
        output::print(&format!("{CLEAR}{}", view().await?.table()))?;
        sleep(REFRESH).await;
    }
}

/// Returns the order that the arguments give, and the option.
fn order(args: &FleetArgs) -> Option<(&'static str, Order)> {
    let of = |action: Action| Order { action: action.into(), ..Order::default() };
    let drain = args.drain.clone().map(|host| ("--drain", Order { host, ..of(Action::Drain) }));
    let pause = args.pause.clone().map(|pool| ("--pause", Order { pool, ..of(Action::Pause) }));
    let resume = args.resume.clone().map(|pool| ("--resume", Order { pool, ..of(Action::Resume) }));
    drain.or(pause).or(resume)
}

/// Gives an order, and prints the workers that it is for.
async fn give(args: &FleetArgs, option: &'static str, order: &Order) -> Result<Exit, Failure> {
    let fleet = Fleet::operate(&args.engine.fleet, &args.engine.credentials()).await;
    let fleet = fleet.map_err(Failure::broken("join the fleet"))?;
    let roster = Roster::default();
    roster.listen(&fleet).await.map_err(Failure::broken("listen for workers"))?;
    sleep(ROLL_CALL).await;
    let workers = roster.workers().into_iter().map(|seen| seen.state);
    let meant: Vec<_> =
        workers.filter(|state| order.is_for(state)).map(|state| state.worker).collect();
    if meant.is_empty() {
        return Err(Failure::argument(option, "names no worker; run `swiftprof fleet`"));
    }
    fleet.order(order).await.map_err(Failure::broken("give an order"))?;
    output::print(&readable(&(meant.join("\n") + "\n")))?;
    Ok(Exit::Done)
}

impl View {
    fn new(workers: Vec<Seen>, queues: Vec<Queue>, oldest: Option<Duration>) -> Self {
        let mut pools: BTreeMap<String, PoolView> = BTreeMap::new();
        for Seen { state, ago } in workers {
            let pool = pools.entry(state.pool.clone()).or_insert_with(|| PoolView::of(&state));
            pool.cores += if state.draining.is_empty() { state.cores } else { 0 };
            pool.busy += state.runs.len();
            pool.workers.push(WorkerView {
                worker: state.worker,
                host: state.host,
                version: state.version,
                cores: state.cores,
                runs: state.runs,
                ended: state.ended,
                fenced: state.fenced,
                calibration_ms: state.calibration_ms,
                draining: state.draining,
                seen_sec: ago.as_secs_f64(),
            });
        }
        for Queue { pool, jobs, callers } in queues {
            let nobody = WorkerState { pool: pool.clone(), ..WorkerState::default() };
            let view = pools.entry(pool).or_insert_with(|| PoolView::of(&nobody));
            // A job stays in the queue while it is measured.
            view.waiting = jobs.saturating_sub(view.busy as u64);
            view.callers = callers;
        }
        Self {
            oldest_sec: oldest.map(|age| age.as_secs_f64()),
            pools: pools.into_values().collect(),
            is_whole: false,
        }
    }

    /// Leaves one pool.
    fn only(mut self, name: &str) -> Result<Self, Failure> {
        self.pools.retain(|pool| pool.pool == name);
        self.is_whole = true;
        if self.pools.is_empty() {
            return Err(Failure::argument("--pool", "names no pool; run `swiftprof fleet`"));
        }
        Ok(self)
    }

    fn table(&self) -> String {
        if self.pools.is_empty() {
            return "there is no worker: start one with `swiftprof worker --fleet URL`\n".into();
        }
        let mut text = self.summary();
        for pool in &self.pools {
            let PoolView { pool: name, cpu_model, kernel, cores, busy, waiting, callers, .. } =
                pool;
            let host = match cpu_model.as_str() {
                "" => String::new(),
                _ => format!("  {cpu_model}, Linux {kernel}"),
            };
            // Writing to a String never fails. A host that takes no jobs may still measure some.
            let _ = writeln!(
                text,
                "pool {name}{host}\n  {cores} cores take jobs; {busy} runs are measured, {waiting} \
                 wait, of {callers} callers"
            );
            if pool.workers.is_empty() {
                let _ = writeln!(text, "  there is no worker for the waiting runs");
            }
            let most = if self.is_whole { usize::MAX } else { MAX_HOSTS };
            let (busy, away): (Vec<_>, Vec<_>) =
                pool.workers.iter().partition(|worker| worker.draining.is_empty());
            for worker in away.into_iter().chain(busy).take(most) {
                let state = match worker.draining.as_str() {
                    "" => format!("{} of {} busy", worker.runs.len(), worker.cores),
                    why => format!("takes no jobs: {why}"),
                };
                let _ = writeln!(
                    text,
                    "  {:<28} {} {state}; {} ended, {} lost; calibration {:.2} ms; seen {:.0} s ago",
                    worker.worker,
                    worker.version,
                    worker.ended,
                    worker.fenced,
                    worker.calibration_ms,
                    worker.seen_sec
                );
            }
            if let Some(more) = pool.workers.len().checked_sub(most).filter(|more| *more > 0) {
                let _ = writeln!(text, "  and {more} more; see --pool {name}");
            }
        }
        if let Some(age) = self.oldest_sec {
            let _ = writeln!(text, "the oldest job is {age:.0} s old");
        }
        readable(&text)
    }
}

impl View {
    /// Returns a line on all pools, if there are several.
    fn summary(&self) -> String {
        if self.pools.len() < 2 {
            return String::new();
        }
        let hosts: usize = self.pools.iter().map(|pool| pool.workers.len()).sum();
        let cores: u32 = self.pools.iter().map(|pool| pool.cores).sum();
        let busy: usize = self.pools.iter().map(|pool| pool.busy).sum();
        let waiting: u64 = self.pools.iter().map(|pool| pool.waiting).sum();
        let pools = self.pools.len();
        format!(
            "{pools} pools, {hosts} workers; {cores} cores take jobs; {busy} runs are measured, \
             {waiting} wait\n"
        )
    }
}

impl PoolView {
    fn of(state: &WorkerState) -> Self {
        Self {
            pool: state.pool.clone(),
            cpu_model: state.cpu_model.clone(),
            kernel: state.kernel.clone(),
            cores: 0,
            busy: 0,
            waiting: 0,
            callers: 0,
            workers: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_counts_runs_and_cores_apart() {
        let drains = WorkerState {
            worker: "b-1".into(),
            pool: "p".into(),
            cpu_model: "cpu".into(),
            kernel: "6".into(),
            version: "0.3".into(),
            cores: 1,
            runs: vec!["one".into()],
            draining: "it was asked to drain".into(),
            ..WorkerState::default()
        };
        let seen = vec![Seen { state: drains, ago: Duration::from_secs(1) }];
        let gone = Queue { pool: "gone".into(), jobs: 2, callers: 1 };
        let text = View::new(seen, vec![gone], None).table();
        assert_eq!(
            text,
            "2 pools, 1 workers; 0 cores take jobs; 1 runs are measured, 2 wait\npool gone\n  0 cores take jobs; 0 runs are measured, 2 wait, of 1 callers\n  there is no \
             worker for the waiting runs\npool p  cpu, Linux 6\n  0 cores take jobs; 1 runs are \
             measured, 0 wait, of 0 callers\n  b-1                          0.3 takes no jobs: it was \
             asked to drain; 0 ended, 0 lost; calibration 0.00 ms; seen 1 s ago"
        );
    }
    #[test]
    fn table_of_many_hosts_has_those_that_take_no_jobs() {
        let seen = (0..100).map(|number| {
            let draining = if number % 50 == 49 { "it drifted" } else { "" };
            let state = WorkerState {
                worker: format!("w{number:02}"),
                pool: "p".into(),
                draining: draining.into(),
                ..WorkerState::default()
            };
            Seen { state, ago: Duration::ZERO }
        });
        let view = View::new(seen.collect(), Vec::new(), None);
        let text = view.table();
        let hosts: Vec<_> = text.lines().filter(|line| line.starts_with("  w")).collect();
        assert_eq!(hosts.len(), MAX_HOSTS);
        assert!(hosts[0].contains("w49") && hosts[1].contains("w99"), "{text}");
        assert!(text.trim_end().ends_with("and 80 more; see --pool p"), "{text}");
        let whole = view.only("p").unwrap_or_else(|_| panic!("it is there"));
        assert_eq!(whole.table().lines().filter(|line| line.starts_with("  w")).count(), 100);
        assert!(whole.only("q").is_err());
    }
}
