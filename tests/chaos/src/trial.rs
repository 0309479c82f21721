//! Workers, gateways, wires and servers that fail at random while jobs flow. At the end every
//! history is read and checked by the rules of the model.

mod callers;
mod faults;
mod proxy;
mod random;
mod report;
mod witness;

use crate::engine::{Engine, folder, urls};
use crate::failure::Failure;
use crate::gateway::host::{GatewayHost, Line, POOL};
use crate::gateway::requests::{Asked, Reply};
use crate::journal::{self, Lost};
use crate::model::history::History;
use crate::worker::host::{Host, Workers};
use callers::{Callers, Outcomes};
use clap::Args;
use clap::builder::PossibleValuesParser;
use faults::{Faults, Gate, Site};
use profiler_fleet::Fleet;
use proxy::Proxy;
use random::Random;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::{Instant, sleep, timeout};
use witness::Witness;

/// Gateways. A request may go through both.
const GATEWAYS: usize = 2;
/// Worker processes.
const PROCESSES: usize = 12;
/// Length of a run where nothing fails.
const LENGTH_MS: u64 = 1_500;
/// Longest time from the last fault until every run has ended. A job that was given out comes again
/// after 20 s, as often as eight times.
const SETTLES_WITHIN: Duration = Duration::from_secs(240);
/// After so long a silence a job that is left in the queue is given to nobody any more. A server
/// that was killed may know that a job is done, and keep it all the same.
const QUIET: Duration = Duration::from_secs(60);
/// The pause between two looks at it.
const LOOK_INTERVAL: Duration = Duration::from_millis(500);
/// Longest time of submissions once everything is healed.
const ANSWERS_WITHIN: Duration = Duration::from_secs(120);

/// Options of a trial.
#[derive(Debug, Args)]
pub struct TrialArgs {
    /// Faults are drawn by this number; by the time, if it is not given
    #[arg(long)]
    seed: Option<u64>,
    /// Minutes in which things fail
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// Servers of NATS
    #[arg(long, default_value = "1", value_parser = PossibleValuesParser::new(["1", "3"]))]
    servers: String,
    /// Workers
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    workers: u32,
    /// The server of NATS
    #[arg(long, env = "PROFILER_TEST_NATS", value_name = "PROGRAM")]
    nats: PathBuf,
}

/// Lets things fail, and checks what is left.
pub async fn run(args: &TrialArgs) -> Result<(), Failure> {
    let (servers, workers) = (args.servers.parse()?, args.workers as usize);
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let seed = args.seed.unwrap_or(now);
    let mut random = Random::new(seed);
    println!(
        "seed {seed}, {} minutes, {servers} servers, {workers} workers in {PROCESSES} processes",
        args.minutes
    );
    let engine = Engine::start(&args.nats, servers).await?;
    let direct = engine.addresses();
    // The streams are made here, before any wire fails.
    let reader = engine.prepared(&direct).await?;
    let journals = folder()?;
    let gates = start_gateways(&direct, journals.path()).await?;
    let lines: Vec<_> = gates.iter().map(|gate| Arc::clone(&gate.host.line)).collect();
    let workers = Workers {
        pool: POOL.into(),
        cores: workers.div_ceil(PROCESSES),
        hosts: 1,
        length_ms: LENGTH_MS,
        ..Workers::default()
    };
    let mut sites = Vec::new();
    for number in 0..PROCESSES {
        let proxy = Proxy::start(&direct).await?;
        let journal = Some(journals.path().join(number.to_string()));
        let url = urls(proxy.addresses());
        let mut host = Host::new(format!("w{number}"), url, &workers, journal);
        host.start()?;
        host.wait_until_ready()?;
        sites.push(Site { host, proxy, is_ailing: false });
    }
    let callers = Arc::new(Callers { gateways: lines.clone(), outcomes: Outcomes::default() });
    let until = Instant::now() + Duration::from_secs_f64(args.minutes * 60.0);
    let calling = tokio::spawn(Arc::clone(&callers).run(random.fork(), until));
    let mut faults = Faults::new(engine, sites, gates, random);
    faults.run(until).await?;
    faults.heal_all()?;
    let healed = Instant::now();
    let answered = timeout(ANSWERS_WITHIN, calling).await.is_ok();
    let witness = Witness::follow(&reader);
    let has_settled = settle(&callers.outcomes, &reader, &witness, &lines).await;
    println!("healed; settled within {:.0} s", healed.elapsed().as_secs_f64());
    let jobs_left: u64 = reader.queues().await?.iter().map(|queue| queue.jobs).sum();
    println!("jobs that nobody gets any more: {jobs_left}");
    let mut history = History {
        log: witness.read_all().await,
        answers: callers.outcomes.answers.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        ..History::default()
    };
    drop((faults.sites, faults.gates));
    let mut lost = Lost::default();
    let file = |name: String| fs::read_to_string(journals.path().join(name));
    for number in 0..PROCESSES {
        journal::read(&file(number.to_string())?, &mut history, &mut lost)?;
    }
    for number in 0..GATEWAYS {
        let given = journal::read(&file(format!("gateway-{number}"))?, &mut history, &mut lost)?;
        history.delivered.push(given);
    }
    let cut: Vec<String> = lines.iter().flat_map(|line| line.cut()).collect();
    report::print_counts(&history, &callers.outcomes, &lost, &faults.counts, &cut);
    let given_up = callers.outcomes.given_up.load(Ordering::Relaxed);
    if !answered || given_up > 0 {
        println!(
            "some submissions were not answered within {ANSWERS_WITHIN:?}: {given_up} or more"
        );
    }
    report::print_verdict(&history, seed, answered && given_up == 0 && has_settled)
}

async fn start_gateways(servers: &[String], journals: &Path) -> Result<Vec<Gate>, Failure> {
    let mut gates = Vec::new();
    for number in 0..GATEWAYS {
        let proxy = Proxy::start(servers).await?;
        let journal = journals.join(format!("gateway-{number}"));
        let mut host = GatewayHost::new(urls(proxy.addresses()), journal);
        host.start()?;
        gates.push(Gate { host, proxy, is_ailing: false });
    }
    Ok(gates)
}

/// Waits until every run that anybody saw has ended, no job goes anywhere any more, and every
/// gateway was given all events.
async fn settle(
    outcomes: &Outcomes,
    reader: &Fleet,
    witness: &Witness,
    lines: &[Arc<Line>],
) -> bool {
    let (begin, mut before, mut changed) = (Instant::now(), (0, 0), Instant::now());
    while begin.elapsed() < SETTLES_WITHIN {
        sleep(LOOK_INTERVAL).await;
        // A job whose gateway was lost has no log before a worker takes it.
        let Ok(queues) = reader.queues().await else { continue };
        let jobs: u64 = queues.iter().map(|queue| queue.jobs).sum();
        let now = (witness.position(), jobs);
        if std::mem::replace(&mut before, now) != now {
            changed = Instant::now();
            continue;
        }
        let answered: BTreeSet<String> = {
            let answers = outcomes.answers.lock().unwrap_or_else(PoisonError::into_inner);
            answers.iter().map(|answer| answer.run.clone()).collect()
        };
        let is_idle = jobs == 0 || changed.elapsed() > QUIET;
        if !is_idle || !witness.has_ended(&answered) {
            continue;
        }
        let mut all_given = true;
        for line in lines {
            let given = match line.ask(&Asked::Where).await {
                Some(Reply::At(position)) => position,
                _ => 0,
            };
            all_given &= given >= now.0;
        }
        if all_given {
            return true;
        }
    }
    false
}
