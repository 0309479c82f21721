//! One caller has many jobs, and nine have few. Each worker keeps its own account of the turns.

use crate::failure::Failure;
use crate::tools::spread::Spread;
use futures::StreamExt;
use profiler_chaos::engine::{Engine, urls};
use profiler_chaos::jobs;
use profiler_chaos::worker::host::{Workers, start_hosts};
use profiler_fleet::{Gateway, Submitted};
use profiler_proto::v1::event::Kind;
use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, SystemTime};
use tokio::task::JoinSet;
use tokio::time::sleep;

/// Jobs of the first caller.
const MANY: usize = 5_000;
/// Jobs of each other caller.
const FEW: usize = 50;
/// Callers with few jobs.
const OTHERS: usize = 9;
/// Hosts, each with one worker.
const HOSTS: usize = 10;
/// Duration of a job.
const LENGTH_MS: u64 = 20;
/// Time for which the first caller is alone.
const ALONE: Duration = Duration::from_secs(3);
/// The pause of a caller whose queue is full.
const FULL_PAUSE: Duration = Duration::from_millis(20);
/// The pool of all workers.
const POOL: &str = "fair";

/// Times at which a job was accepted and began.
struct Wait {
    caller: usize,
    accepted: SystemTime,
    began: Option<SystemTime>,
}

/// Prints each caller's share of the jobs, and how long its jobs waited.
pub(crate) async fn run(program: &Path, servers: usize) -> Result<(), Failure> {
    let engine = Engine::start(program, servers).await?;
    let addresses = engine.addresses();
    let gateway = Gateway::new(engine.prepared(&addresses).await?);
    let pool = POOL.into();
    let workers = Workers { pool, cores: 1, hosts: 1, length_ms: LENGTH_MS, ..Workers::default() };
    let _hosts = start_hosts(HOSTS, &urls(&addresses), &workers)?;
    let mut events = gateway.fleet().follow(0);
    let mut callers = JoinSet::new();
    callers.spawn(submit(gateway.clone(), 0, MANY, Duration::ZERO));
    for caller in 1..=OTHERS {
        callers.spawn(submit(gateway.clone(), caller, FEW, ALONE));
    }
    let mut waits: HashMap<String, Wait> = HashMap::new();
    let mut ended = 0;
    while ended < MANY + OTHERS * FEW {
        let followed = events.next().await.ok_or("the events ended")?;
        let time: SystemTime = followed.event.time.ok_or("an event without a time")?.try_into()?;
        let run = followed.event.run_id;
        match followed.event.kind {
            Some(Kind::Accepted(_)) => {
                let caller = run.split('-').next().unwrap_or_default().parse()?;
                waits.insert(run, Wait { caller, accepted: time, began: None });
            }
            Some(Kind::Started(_)) => {
                waits.entry(run).and_modify(|wait| wait.began = Some(time));
            }
            Some(kind) if kind.is_last() => ended += 1,
            _ => {}
        }
    }
    while let Some(caller) = callers.join_next().await {
        caller??;
    }
    print(&waits.into_values().collect::<Vec<_>>())
}

/// Submits jobs of a caller one after the other, as its queue allows.
async fn submit(
    gateway: Gateway,
    caller: usize,
    jobs: usize,
    after: Duration,
) -> Result<(), Failure> {
    sleep(after).await;
    for number in 0..jobs {
        let run = jobs::run(&format!("{caller}-{number}"), &caller.to_string(), "", POOL);
        while gateway.submit(run.clone()).await? == Submitted::QueueFull {
            sleep(FULL_PAUSE).await;
        }
    }
    Ok(())
}

fn print(waits: &[Wait]) -> Result<(), Failure> {
    let of = |caller: usize| waits.iter().filter(move |wait| wait.caller == caller);
    // From the first job of whoever came last, to the last beginning of whoever was served first.
    let first = |caller| of(caller).map(|wait| wait.accepted).min();
    let last = |caller| of(caller).filter_map(|wait| wait.began).max();
    let from = (0..=OTHERS).filter_map(first).max().ok_or("nobody submitted")?;
    let to = (1..=OTHERS).filter_map(last).min().ok_or("nothing began")?;
    let began = |caller: usize| {
        of(caller).filter(|wait| wait.began.is_some_and(|at| at >= from && at <= to)).count()
    };
    let all: usize = (0..=OTHERS).map(began).sum();
    let share = |count: usize| 100.0 * count as f64 / all.max(1) as f64;
    println!(
        "one caller with {MANY} jobs and {OTHERS} with {FEW}, {HOSTS} workers, {LENGTH_MS} ms a job"
    );
    println!("while all wait, {all} jobs begin in {:.2} s", to.duration_since(from)?.as_secs_f64());
    println!(
        "{:>12} | {:>20} | {:>9} {:>9} {:>9}",
        "caller", "share % (least, most)", "p50 ms", "p99 ms", "max ms"
    );
    let few: Spread = (1..=OTHERS).map(|caller| share(began(caller))).collect();
    let many = share(began(0));
    let row = |name: &str, least: f64, most: f64, mine: &dyn Fn(&&Wait) -> bool| {
        let waited = waits.iter().filter(mine).filter_map(|wait| {
            Some(wait.began?.duration_since(wait.accepted).unwrap_or_default().as_secs_f64() * 1e3)
        });
        let waited: Spread = waited.collect();
        let [half, nearly, max] = [500, 990, 1000].map(|rank| waited.permille(rank));
        println!("{name:>12} | {least:>10.1} {most:>10.1} | {half:>9.0} {nearly:>9.0} {max:>9.0}");
    };
    row("many jobs", many, many, &|wait| wait.caller == 0);
    row("few jobs", few.permille(0), few.max(), &|wait| wait.caller != 0);
    Ok(())
}
