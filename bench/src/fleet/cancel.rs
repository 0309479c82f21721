//! Latency of a cancellation: from the call, or from the moment when the caller disconnects, until
//! everybody who watches the run has its last event. Servers, gateways, the worker, the engine and
//! the program are real.

mod member;

use crate::failure::Failure;
use crate::tools::spread::Spread;
use clap::Args;
use member::{Member, Stub};
use profiler_chaos::engine::{Engine, urls};
use profiler_client::v1::event::Kind;
use profiler_client::v1::{CancelRunRequest, ErrorCode, Job, OnDisconnect, ProfileStreamRequest};
use profiler_client::v1::{ProfileStreamResponse, WatchRunRequest, WatchRunResponse};
use profiler_tests::jobs;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::{Instant, sleep, timeout};
use tonic::Streaming;

/// Goal for the cancellation latency of a server alone, in milliseconds.
const GOAL_MS: f64 = 100.0;
/// Goal for the cancellation latency through a gateway, in milliseconds.
const FLEET_GOAL_MS: f64 = 200.0;
/// Longer than anything here takes unless it hangs.
const PATIENCE: Duration = Duration::from_secs(60);
/// Compute time of a program before its run is cancelled. It grows from one repetition to the next,
/// so that not all of them coincide with the fleet's periodic work.
const COMPUTES: Duration = Duration::from_millis(100);
const COMPUTES_MORE: Duration = Duration::from_millis(37);
/// Interval between looks for a program that begins.
const LOOK_INTERVAL: Duration = Duration::from_millis(5);
/// Longer than the interval at which a gateway repeats which runs its callers hold.
const HOLDS_KNOWN_AFTER: Duration = Duration::from_secs(6);

/// Arguments of the cancellation benchmark.
#[derive(Debug, Args)]
pub(crate) struct CancelArgs {
    /// Cancels of each row of the table of `--cancel`
    #[arg(long, default_value_t = 20)]
    repetitions: u32,
}

/// Place where a run is submitted and cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    OneHost,
    Gateway,
    /// Cancelled at another gateway than the one that took the submission.
    OtherGateway,
}

/// Cause of a cancellation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Call,
    CallerLeaves,
}

/// State of the run at its cancellation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Waits,
    Runs,
}

/// The figures of a row, in milliseconds, and how often the program outlived the last event.
#[derive(Default)]
struct Row {
    took_ms: Vec<f64>,
    outlived: usize,
}

/// A run, its callers, and those who watch it.
struct Cancellable {
    run_id: String,
    /// The name of its program's process.
    name: String,
    /// The stream of the submission at each gateway where it was made. Nothing else uses its
    /// connection.
    callers: Vec<Streaming<ProfileStreamResponse>>,
    watchers: Vec<Streaming<WatchRunResponse>>,
}

/// Measures every row, and prints a table.
pub(crate) async fn run(args: &CancelArgs, nats: &Path, servers: usize) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let mut rows = BTreeMap::new();
    let server = Member::serve(&folder, "alone", &["--backend", "native"]).await?;
    let alone = [server];
    measure(Place::OneHost, &alone, args.repetitions, &mut rows).await?;
    // The worker measures on the same core.
    for server in alone {
        server.end().await?;
    }
    in_fleet(args, nats, servers, &folder, &mut rows).await?;
    print(args.repetitions, servers, &rows);
    Ok(())
}

/// Measures the rows of a fleet of two gateways and a worker.
async fn in_fleet(
    args: &CancelArgs,
    nats: &Path,
    servers: usize,
    folder: &TempDir,
    rows: &mut BTreeMap<(Place, State, Way), Row>,
) -> Result<(), Failure> {
    let engine = Engine::start(nats, servers).await?;
    drop(engine.prepared(&engine.addresses()).await?);
    let url = urls(&engine.addresses());
    let fleet = ["--fleet", url.as_str()];
    let gateways =
        [Member::serve(folder, "one", &fleet).await?, Member::serve(folder, "two", &fleet).await?];
    let _worker = Member::work(&fleet).await?;
    for place in [Place::Gateway, Place::OtherGateway] {
        measure(place, &gateways, args.repetitions, rows).await?;
    }
    Ok(())
}

/// Measures the rows of a place, in turn.
async fn measure(
    place: Place,
    servers: &[Member],
    repetitions: u32,
    rows: &mut BTreeMap<(Place, State, Way), Row>,
) -> Result<(), Failure> {
    for server in servers {
        server.until_it_serves(PATIENCE).await?;
    }
    let begin = Instant::now();
    for repetition in 0..repetitions {
        for way in [Way::Call, Way::CallerLeaves] {
            let joins = place == Place::OtherGateway && way == Way::CallerLeaves;
            // There is one core, so the second run waits for the first.
            let mut runs = Cancellable::submit(servers, joins).await?;
            runs.until_it_computes().await?;
            let mut waits = Cancellable::submit(servers, joins).await?;
            if joins {
                sleep(HOLDS_KNOWN_AFTER).await;
                // The caller has gone from its first gateway to another.
                drop(runs.callers.remove(0));
                drop(waits.callers.remove(0));
            }
            sleep(COMPUTES + COMPUTES_MORE * (repetition % 7)).await;
            for (state, run) in [(State::Waits, waits), (State::Runs, runs)] {
                let at = &servers[usize::from(place == Place::OtherGateway)];
                let name = run.name.clone();
                let took = run.cancel(way, &mut at.stub().await?).await?;
                let row = rows.entry((place, state, way)).or_default();
                row.outlived += usize::from(is_alive(&name));
                row.took_ms.push(took.as_secs_f64() * 1e3);
            }
        }
        let seconds = begin.elapsed().as_secs();
        eprintln!("{place:?}: {} of {repetitions} repetitions, {seconds} s", repetition + 1);
    }
    Ok(())
}

impl Cancellable {
    /// Submits a run at the first server, and with `joins` at the second too, as a caller does that
    /// comes back there. Returns once the run is watched at each server.
    async fn submit(servers: &[Member], joins: bool) -> Result<Self, Failure> {
        let (job, name) = jobs::endless();
        let job =
            Job { request_id: name.clone(), on_disconnect: OnDisconnect::Cancel.into(), ..job };
        let (mut run_id, mut callers) = (String::new(), Vec::new());
        for server in &servers[..=usize::from(joins)] {
            let request = ProfileStreamRequest { job: Some(job.clone()) };
            let mut events = server.stub().await?.profile_stream(request).await?.into_inner();
            run_id = message(&mut events).await?.event.unwrap_or_default().run_id;
            callers.push(events);
        }
        let mut watchers = Vec::new();
        for server in servers {
            let request = WatchRunRequest { run_id: run_id.clone(), after_sequence: 0 };
            let begin = Instant::now();
            let mut events = loop {
                // Another gateway hears of the run a little later.
                match server.stub().await?.watch_run(request.clone()).await {
                    Ok(events) => break events.into_inner(),
                    Err(refused) if begin.elapsed() > PATIENCE => return Err(refused.into()),
                    Err(_) => sleep(LOOK_INTERVAL).await,
                }
            };
            message(&mut events).await?;
            watchers.push(events);
        }
        Ok(Self { run_id, name, callers, watchers })
    }

    /// Waits until the run's program runs.
    async fn until_it_computes(&self) -> Result<(), Failure> {
        let begin = Instant::now();
        while !is_alive(&self.name) {
            if begin.elapsed() > PATIENCE {
                return Err(format!("the program of {} does not begin", self.run_id).into());
            }
            sleep(LOOK_INTERVAL).await;
        }
        Ok(())
    }

    /// Cancels the run. Returns the time until everybody who watches has the last event.
    async fn cancel(self, way: Way, stub: &mut Stub) -> Result<Duration, Failure> {
        let Self { run_id, callers, watchers, .. } = self;
        let heard: Vec<_> = watchers.into_iter().map(|it| tokio::spawn(last_event(it))).collect();
        let begin = Instant::now();
        match way {
            Way::Call => drop(stub.cancel_run(CancelRunRequest { run_id }).await?),
            Way::CallerLeaves => drop(callers),
        }
        let mut took = Duration::ZERO;
        for heard in heard {
            took = took.max(timeout(PATIENCE, heard).await???.duration_since(begin));
        }
        Ok(took)
    }
}

/// Returns the arrival time of the last event, which says that the run was cancelled.
async fn last_event(mut events: Streaming<WatchRunResponse>) -> Result<Instant, Failure> {
    loop {
        match message(&mut events).await?.event.unwrap_or_default().kind {
            Some(Kind::Failed(error)) if error.code() == ErrorCode::Cancelled => {
                return Ok(Instant::now());
            }
            Some(Kind::Failed(error)) => return Err(error.message.into()),
            Some(Kind::Finished(_)) => return Err("an endless program finished".into()),
            _ => {}
        }
    }
}

async fn message<T>(events: &mut Streaming<T>) -> Result<T, Failure> {
    let next = timeout(PATIENCE, events.message()).await??;
    next.ok_or_else(|| "the events ended".into())
}

/// Whether a process has this name.
fn is_alive(name: &str) -> bool {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut names = processes.flat_map(|it| std::fs::read_to_string(it.path().join("comm")));
    names.any(|found| found.trim_end() == name)
}

fn print(repetitions: u32, servers: usize, rows: &BTreeMap<(Place, State, Way), Row>) {
    println!(
        "milliseconds until every watcher has the last event; {repetitions} cancels a row, \
         {servers} NATS servers"
    );
    println!(
        "{:<16} {:<8} {:<17} | {:>7} {:>7} {:>7} {:>7} | {:>7} | {:>6} {:>8}",
        "where", "the run", "cancelled by", "min", "p50", "p90", "max", "goal", "above", "outlived"
    );
    for ((place, state, way), row) in rows {
        let (place, goal) = match place {
            Place::OneHost => ("one host", GOAL_MS),
            Place::Gateway => ("gateway", FLEET_GOAL_MS),
            Place::OtherGateway => ("another gateway", FLEET_GOAL_MS),
        };
        let state = match state {
            State::Waits => "waits",
            State::Runs => "runs",
        };
        let way = match way {
            Way::Call => "CancelRun",
            Way::CallerLeaves => "the caller leaves",
        };
        let took: Spread = row.took_ms.iter().copied().collect();
        let [least, half, most, all] = [0, 500, 900, 1000].map(|rank| took.permille(rank));
        let above = row.took_ms.iter().filter(|ms| **ms > goal).count();
        println!(
            "{place:<16} {state:<8} {way:<17} | {least:>7.1} {half:>7.1} {most:>7.1} {all:>7.1} \
             | {goal:>7.0} | {above:>6} {:>8}",
            row.outlived
        );
    }
}
