//! Workers, wires and servers that fail at random while jobs flow. At the end every history is read
//! and checked by the rules of the model.

mod callers;
mod faults;
mod proxy;
mod random;
mod witness;

use crate::failure::Failure;
use crate::fleet::engine::{Engine, folder, urls};
use crate::fleet::hosts::{Host, Workers};
use crate::fleet::journal::{self, Lost};
use crate::fleet::model::check::{Violation, Wrong, check, count};
use crate::fleet::model::history::{Act, History};
use callers::{Callers, Outcomes, POOL};
use clap::Args;
use faults::{Faults, Site};
use profiler_fleet::Gateway;
use proxy::Proxy;
use random::Random;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::{Instant, sleep, timeout};
use witness::Witness;

/// Gateways. A request may go through both.
const GATEWAYS: usize = 2;
/// Worker processes.
const PROCESSES: usize = 12;
/// How long a run takes where nothing fails.
const LENGTH_MS: u64 = 1_500;
/// How long after the last fault every run must have ended. A job that was given out comes again
/// after 20 s, as often as eight times.
const SETTLES_WITHIN: Duration = Duration::from_secs(240);
/// How often that is looked at.
const LOOK_INTERVAL: Duration = Duration::from_millis(500);
/// How long submissions may take once everything is healed.
const ANSWERS_WITHIN: Duration = Duration::from_secs(120);
/// Most runs whose history is printed.
const MAX_PRINTED: usize = 5;

/// What fails, and for how long.
#[derive(Debug, Args)]
pub(crate) struct ChaosArgs {
    /// What the faults are drawn by; the time, if it is not given
    #[arg(long)]
    seed: Option<u64>,
    /// How long things fail
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
}

/// Lets things fail, and checks what is left.
pub(crate) async fn run(
    args: &ChaosArgs,
    program: &Path,
    servers: usize,
    workers: usize,
) -> Result<(), Failure> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let seed = args.seed.unwrap_or(now);
    let mut random = Random::new(seed);
    println!(
        "seed {seed}, {} minutes, {servers} servers, {workers} workers in {PROCESSES} processes",
        args.minutes
    );
    let engine = Engine::start(program, servers).await?;
    let direct = engine.addresses();
    // The streams are made here, before any wire fails.
    let reader = engine.prepared(&direct).await?;
    let journals = folder()?;
    let (mut gateways, mut wires) = (Vec::new(), Vec::new());
    for _ in 0..GATEWAYS {
        let wire = Proxy::start(&direct).await?;
        gateways.push(Gateway::new(engine.prepared(wire.addresses()).await?));
        wires.push(wire);
    }
    let witnesses: Vec<_> =
        gateways.iter().map(|gateway| Witness::follow(gateway.fleet())).collect();
    let workers =
        Workers { pool: POOL.into(), cores: workers.div_ceil(PROCESSES), length_ms: LENGTH_MS };
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
    let callers = Arc::new(Callers { gateways, outcomes: Outcomes::default() });
    let until = Instant::now() + Duration::from_secs_f64(args.minutes * 60.0);
    let calling = tokio::spawn(Arc::clone(&callers).run(random.fork(), until));
    let mut faults = Faults::new(engine, sites, wires, random);
    faults.run(until).await?;
    faults.heal_all()?;
    let healed = Instant::now();
    let answered = timeout(ANSWERS_WITHIN, calling).await.is_ok();
    let has_settled = settle(&callers.outcomes, &witnesses).await;
    println!("healed; settled within {:.0} s", healed.elapsed().as_secs_f64());
    let mut history = History {
        log: Witness::follow(&reader).read_all().await,
        delivered: witnesses.iter().map(Witness::seen).collect(),
        answers: callers.outcomes.answers.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        ..History::default()
    };
    drop(faults.sites);
    let mut lost = Lost::default();
    for file in fs::read_dir(journals.path())? {
        journal::read(&fs::read_to_string(file?.path())?, &mut history, &mut lost)?;
    }
    print_counts(&history, &callers.outcomes, &lost, &faults.counts);
    if !answered {
        println!("some submissions were not answered within {ANSWERS_WITHIN:?}");
    }
    print_verdict(&history, seed, answered && has_settled)
}

/// Waits until every run that anybody saw has ended at every gateway.
async fn settle(outcomes: &Outcomes, witnesses: &[Witness]) -> bool {
    let begin = Instant::now();
    while begin.elapsed() < SETTLES_WITHIN {
        let answered: BTreeSet<String> = {
            let answers = outcomes.answers.lock().unwrap_or_else(PoisonError::into_inner);
            answers.iter().map(|answer| answer.run.clone()).collect()
        };
        if witnesses.iter().all(|witness| witness.has_ended(&answered)) {
            return true;
        }
        sleep(LOOK_INTERVAL).await;
    }
    false
}

fn print_counts(
    history: &History,
    outcomes: &Outcomes,
    lost: &Lost,
    faults: &BTreeMap<&'static str, u32>,
) {
    let of = |act: fn(&Act) -> bool| history.log.iter().filter(|entry| act(&entry.act)).count();
    let endings: HashMap<&str, _> = history
        .log
        .iter()
        .filter(|entry| entry.act == Act::Ended)
        .map(|entry| (entry.run.as_str(), &entry.signed))
        .collect();
    let finished = |run: &str| endings.get(run).is_some_and(|signed| signed.is_report());
    let reports = endings.values().filter(|signed| signed.is_report()).count();
    let interrupted = endings.values().filter(|signed| signed.claim.is_empty()).count();
    println!("faults: {}", faults.values().sum::<u32>());
    for (kind, count) in faults {
        println!("  {kind:<22} {count:>6}");
    }
    let stopping = outcomes.stopping.lock().unwrap_or_else(PoisonError::into_inner);
    let forgotten = stopping.iter().filter(|run| finished(run)).count();
    let counter = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
    println!(
        "runs {}: finished {reports}, interrupted {interrupted}, cancelled {}; restarts {}",
        of(|act| *act == Act::Accepted),
        endings.len() - reports - interrupted,
        of(|act| matches!(act, Act::Restarted(_)))
    );
    println!(
        "events {}; workers were told of {}; fenced {}, leases lost {}",
        history.log.len(),
        history.told.len(),
        lost.fenced,
        lost.leases
    );
    println!(
        "answers {}, submitted twice {}, refused {}, failed calls {}, cancels heard {}, and \
         finished all the same {forgotten}",
        history.answers.len(),
        counter(&outcomes.submitted_twice),
        counter(&outcomes.refused),
        counter(&outcomes.failed),
        counter(&outcomes.cancelled)
    );
}

fn print_verdict(history: &History, seed: u64, has_settled: bool) -> Result<(), Failure> {
    let found = check(history);
    let counted: [(&str, &[Wrong]); 6] = [
        ("events lost", &[Wrong::Lost, Wrong::Misplaced, Wrong::NotDelivered]),
        ("events given twice", &[Wrong::GivenTwice, Wrong::StoredTwice, Wrong::Invented]),
        ("runs with two endings", &[Wrong::TwoEndings, Wrong::AfterTheEnd]),
        ("runs without an ending", &[Wrong::NoEnding, Wrong::NoLog]),
        ("jobs run more than twice", &[Wrong::BegunTooOften]),
        (
            "other rules broken",
            &[Wrong::Number, Wrong::Accepted, Wrong::Attempt, Wrong::Intruder, Wrong::TwoRuns],
        ),
    ];
    for (name, kinds) in counted {
        println!("{name:<26} {:>4}", count(&found, kinds));
    }
    let mut by_run: BTreeMap<&str, Vec<&Violation>> = BTreeMap::new();
    for violation in &found {
        by_run.entry(&violation.run).or_default().push(violation);
    }
    for (run, violations) in by_run.iter().take(MAX_PRINTED) {
        println!("{run}:");
        for violation in violations.iter().take(MAX_PRINTED) {
            println!("  {:?}: {}", violation.wrong, violation.detail);
        }
        for entry in history.log.iter().filter(|entry| entry.run == *run) {
            println!("  log {entry:?}");
        }
        for told in history.told.iter().filter(|told| told.run == *run) {
            println!("  told {told:?}");
        }
    }
    if !found.is_empty() {
        return Err(format!("{} rules are broken, with seed {seed}", found.len()).into());
    }
    if !has_settled {
        return Err(format!("not settled, with seed {seed}").into());
    }
    Ok(())
}
