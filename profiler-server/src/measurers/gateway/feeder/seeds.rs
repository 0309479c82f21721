//! Servers of a fleet that fail by seed: their owners, stores and retention, over a simulated
//! engine that can lose its streams, under the paused clock. The same seed has the same history.
//! `cargo xtask seeds` runs many seeds, or one again.

use crate::config::Config;
use crate::measurers::gateway::waiting::Engine;
use crate::measurers::gateway::{FleetGateway, Started};
use crate::store::{Store, Viewer};
use crate::telemetry::metrics::Metrics;
use profiler_fleet::simulated::{Link, Random, SimulatedEngine};
use profiler_fleet::{
    Fleet, Gateway, NewRun, Origin, Roster, Settlement, Submitted, Taken, Worker, WorkerState,
};
use profiler_proto::v1::{self, event::Kind};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

/// Environment variables of `cargo xtask seeds`: the number of seeds, and the first one.
const COUNT: &str = "PROFILER_SEEDS";
const FIRST: &str = "PROFILER_SEED";
/// Number of seeds without the variable.
const SEEDS: u64 = 40;
/// Number of seeds that live twice.
const REPLAYED: u64 = 6;
/// Requests whose numbers are in the history.
const OPERATIONS: [&str; 7] =
    ["acknowledge", "fetch", "publish", "read", "read_logs", "state", "store"];
const SERVERS: usize = 2;
const WORKERS: usize = 2;
const RUNS: u64 = 12;
const FAULTS: usize = 10;
/// Number of ended runs that the second server keeps.
const KEPT: u32 = 3;
const POOL: &str = "pool";
/// Time within which every run has ended once everything is whole.
const ENDS_WITHIN: Duration = Duration::from_secs(600);

struct Server {
    store: Store,
    running: Option<(Started, Link)>,
}

impl Server {
    async fn begin(&mut self, engine: &SimulatedEngine) {
        let (fleet, link) = engine.prepare();
        let roster = Roster::default();
        roster.listen(&fleet).await.expect("sent");
        let (engine, first) = (Engine::default(), Ok(Gateway::new(fleet)));
        let gateway = FleetGateway { engine, first, roster };
        let (store, metrics) = (self.store.clone(), Metrics::new("fleet"));
        self.running = Some((gateway.start(store, metrics, &Config::default()), link));
    }

    fn cut(&self, is_cut: bool) {
        if let Some((_, link)) = &self.running {
            link.cut(is_cut);
        }
    }
}

async fn work(fleet: Fleet, name: String, mut random: Random) {
    let worker = Worker::new(fleet, name.clone(), POOL.into());
    let state = WorkerState { worker: name, pool: POOL.into(), cores: 1, ..Default::default() };
    let (_tell, state) = watch::channel(state);
    let working = async {
        loop {
            let interrupted = |_: Option<&_>, _| v1::SandboxError {
                code: v1::ErrorCode::Interrupted.into(),
                ..v1::SandboxError::default()
            };
            let taken = worker.take(interrupted, std::future::pending()).await;
            let Ok(Some(Taken { mut log, lease, receipt, .. })) = taken else {
                sleep(random.millis(100, 1000)).await;
                continue;
            };
            let measured = async {
                sleep(random.millis(1, 8000)).await;
                let report = Kind::Finished(v1::ProfileReport::default());
                log.append(report).await.map_or(Settlement::Lost, |()| Settlement::Done)
            };
            let settlement = tokio::select! {
                biased;
                () = lease.lost() => Settlement::Lost,
                settlement = measured => settlement,
            };
            let _ = worker.settle(receipt, lease, settlement).await;
        }
    };
    tokio::select! {
        biased;
        () = working => {}
        said = worker.say(state) => said.expect("the connection is there"),
    }
}

async fn submit(gateway: Gateway, mut random: Random) {
    for number in 0..RUNS {
        sleep(random.millis(0, 8000)).await;
        let (run_id, request_id) = (format!("run-{number:02}"), format!("request-{number}"));
        let run = v1::Run { run_id, request_id, ..v1::Run::default() };
        let origin = Origin {
            run: Some(run),
            pool: POOL.into(),
            on_disconnect: v1::OnDisconnect::Detach.into(),
            ..Origin::default()
        };
        let (job, defaults) = (Vec::new(), Vec::new());
        let new = NewRun { origin, job, defaults, queue_position: 0 };
        while !matches!(
            gateway.submit(new.clone()).await,
            Ok(Submitted::Run(_) | Submitted::Ended(_))
        ) {
            sleep(random.millis(100, 1000)).await;
        }
    }
}

/// Lets something fail for a while, which gets a line of the history. Returns whether the engine
/// lost streams.
async fn fail(
    engine: &SimulatedEngine,
    servers: &mut [Server],
    random: &mut Random,
    history: &mut Vec<String>,
) -> bool {
    let (server, lasts) = (random.below(servers.len()), random.millis(100, 15_000));
    let kind = random.below(8);
    history.push(format!("fault {kind}, server {server}, for {} ms", lasts.as_millis()));
    match kind {
        0 => engine.kill(),
        1 => engine.restore(None),
        2 => engine.lose(random.percent(50)),
        3 => {
            let backup = engine.back_up();
            sleep(lasts).await;
            engine.restore(Some(backup));
        }
        4 => servers[server].cut(true),
        5 => servers[server].store.fill(true).await,
        6 => servers[server].running = None,
        _ => {}
    }
    sleep(lasts).await;
    match kind {
        0 => engine.restart(),
        4 => servers[server].cut(false),
        5 => servers[server].store.fill(false).await,
        6 => servers[server].begin(engine).await,
        _ => {}
    }
    (1..=3).contains(&kind)
}

/// Notes the live runs of a store, and finds one that is gone without an ending.
async fn vanished(store: &Store, fleet: &Fleet, known: &mut BTreeSet<String>) -> Option<String> {
    let live: BTreeSet<_> = store.live().await.expect("read").into_iter().collect();
    for run_id in known.difference(&live) {
        if store.run(run_id, &Viewer::Everyone).await.expect("read").is_some() {
            continue;
        }
        let Ok(events) = fleet.events_of(run_id).await else { continue };
        if events.last().is_none_or(|last| !is_ending(&last.event)) {
            return Some(run_id.clone());
        }
    }
    *known = live;
    None
}

fn is_ending(event: &v1::Event) -> bool {
    matches!(event.kind, Some(Kind::Finished(_) | Kind::Failed(_)))
}

/// Judges the events of every run of a store.
async fn judged(store: &Store) -> Result<(), String> {
    for run in store.runs(&Viewer::Everyone, None, u32::MAX).await.expect("read") {
        let events = store.events(&run.run_id, 0, u32::MAX).await.expect("read");
        let numbers: Vec<_> = events.iter().map(|event| event.sequence).collect();
        let endings = events.iter().filter(|event| is_ending(event)).count();
        let is_whole = numbers.iter().copied().eq(1..=events.len() as u64);
        if !is_whole || endings != 1 || !events.last().is_some_and(is_ending) {
            return Err(format!("{}: events {numbers:?}, {endings} endings", run.run_id));
        }
    }
    Ok(())
}

/// Notes what every server has stored, and how much every process has asked the engine.
async fn note(
    history: &mut Vec<String>,
    begin: Instant,
    engine: &SimulatedEngine,
    servers: &[Server],
    links: &[Link],
) {
    let own = servers.iter().filter_map(|server| server.running.as_ref().map(|(_, link)| link));
    let asked = links.iter().chain(own).map(|link| OPERATIONS.map(|it| link.count(it)));
    let asked = asked.collect::<Vec<_>>();
    let (at, length) = (begin.elapsed().as_millis(), engine.log_length());
    history.push(format!("{at} ms: {length} entries, asked {asked:?}"));
    for Server { store, .. } in servers {
        let runs = store.runs(&Viewer::Everyone, None, u32::MAX).await.expect("read");
        let runs = runs.iter().map(|run| format!("{} {}", run.run_id, run.last_sequence));
        history.push(runs.collect::<Vec<_>>().join(", "));
    }
}

async fn live(seed: u64, history: &mut Vec<String>) -> Result<(), String> {
    let begin = Instant::now();
    let mut random = Random::new(seed);
    let engine = SimulatedEngine::new(seed);
    let mut servers = Vec::new();
    for number in 0..SERVERS {
        let store =
            if number == 0 { Store::in_memory().expect("a store") } else { Store::keeping(KEPT) };
        servers.push(Server { store, running: None });
        servers[number].begin(&engine).await;
    }
    let mut members = JoinSet::new();
    let mut links = Vec::new();
    for number in 0..WORKERS {
        let (fleet, link) = engine.join();
        members.spawn(work(fleet, format!("w{number}"), random.fork()));
        links.push(link);
    }
    let (fleet, link) = engine.prepare();
    let submitted = tokio::spawn(submit(Gateway::new(fleet), random.fork()));
    let (looker, own) = engine.join();
    links.extend([link, own]);
    let mut known = vec![BTreeSet::new(); SERVERS];
    for _ in 0..FAULTS {
        let has_lost = fail(&engine, &mut servers, &mut random, history).await;
        note(history, begin, &engine, &servers, &links).await;
        for (server, known) in servers.iter().zip(&mut known) {
            if has_lost {
                known.clear();
            } else if let Some(run_id) = vanished(&server.store, &looker, known).await {
                return Err(format!("{run_id} vanished while it was live"));
            }
        }
    }
    timeout(ENDS_WITHIN, submitted).await.map_err(|_| "a caller has no answer")?.expect("no panic");
    let ended = async {
        for server in &servers {
            while !server.store.live().await.expect("read").is_empty() {
                sleep(Duration::from_secs(1)).await;
            }
        }
    };
    if timeout(ENDS_WITHIN, ended).await.is_err() {
        let live = servers[0].store.live().await.expect("read");
        return Err(format!("{live:?} have no ending"));
    }
    note(history, begin, &engine, &servers, &links).await;
    for server in &servers {
        judged(&server.store).await?;
        let (started, _) = server.running.as_ref().expect("it runs");
        let mut health = started.health.clone();
        let well = timeout(ENDS_WITHIN, health.wait_for(Result::is_ok)).await;
        if well.is_err() {
            return Err("a server is not well again".into());
        }
    }
    Ok(())
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is no number: {text}")))
}

/// Lets servers live in a runtime of their own, and returns their history too.
fn try_seed(seed: u64) -> (Result<(), String>, Vec<String>) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().start_paused(true).build().expect("a runtime");
    let mut history = Vec::new();
    let lived = runtime.block_on(live(seed, &mut history));
    (lived, history)
}

#[test]
fn servers_keep_their_promises() {
    let (first, count) = (number(FIRST).unwrap_or(1), number(COUNT).unwrap_or(SEEDS));
    for seed in first..first.saturating_add(count) {
        let (lived, history) = try_seed(seed);
        if let Err(why) = lived {
            let history = history.join("\n");
            panic!("{history}\nseed {seed}: {why}\n  cargo xtask seeds --count 1 --seed {seed}");
        }
    }
}

#[test]
fn seed_of_servers_has_the_same_history_again() {
    for seed in 1..=REPLAYED {
        let (first, again) = (try_seed(seed).1, try_seed(seed).1);
        let same = first.iter().zip(&again).take_while(|(first, again)| first == again).count();
        assert!(same > FAULTS, "seed {seed} has a history");
        let differs = (first.get(same), again.get(same));
        assert_eq!(differs, (None, None), "seed {seed}, line {same} of its history");
    }
}
