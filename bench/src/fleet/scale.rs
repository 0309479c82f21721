//! Cost of many hosts: messages and bytes that the servers deliver, and processor time, while
//! nothing is submitted and at a given rate of jobs.

mod load;
mod traffic;

use crate::failure::Failure;
use crate::tools::processor_time;
use crate::tools::spread::Spread;
use clap::Args;
use futures::StreamExt;
use load::Load;
use profiler_chaos::engine::{Engine, urls};
use profiler_chaos::worker::host::{Host, Workers, start_hosts};
use profiler_fleet::{Fleet, Gateway, Roster};
use std::path::Path;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use traffic::Traffic;

const GATEWAYS: usize = 2;
/// Maximum number of worker processes. Each of their hosts has a connection of its own.
const MAX_PROCESSES: usize = 20;
/// Longest time until the gateways have heard all hosts. Servers that are busy drop reports.
const HEARD_WITHIN: Duration = Duration::from_secs(30);
const LOOK_INTERVAL: Duration = Duration::from_millis(100);
/// Time for which the fleet is watched while it has nothing to do.
const IDLE: Duration = Duration::from_secs(10);
/// Time for which jobs flow before the measurement begins.
const WARM_UP: Duration = Duration::from_secs(5);
/// Longest time for which events are read.
const READS_FOR: Duration = Duration::from_secs(5);
/// The pool of all workers.
const POOL: &str = "bench";

/// Arguments of the benchmark of many hosts.
#[derive(Debug, Args)]
pub(crate) struct ScaleArgs {
    /// Jobs submitted a second, with --scale
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    rate: u32,
    /// Length of a job in ms, with --scale
    #[arg(long, default_value_t = 2500)]
    length_ms: u64,
    /// Every host hears all hosts, as those of earlier versions do, with --scale
    #[arg(long)]
    hears_all: bool,
    /// Events share entries of a log, as those of brief jobs do, with --scale
    #[arg(long, conflicts_with = "hears_all")]
    shares: bool,
}

/// Figures of a span of time, all a second.
struct Rates {
    traffic: Traffic,
    /// Processors that the servers, the workers and the gateways kept busy.
    busy: [f64; 3],
}

/// Counters at one moment.
struct Counters {
    at: Instant,
    traffic: Traffic,
    times: [Duration; 3],
}

/// Measures each number of servers and hosts once, and prints a row for each.
pub(crate) async fn run(
    args: &ScaleArgs,
    program: &Path,
    servers: &[usize],
    hosts: &[usize],
    seconds: u64,
) -> Result<(), Failure> {
    let ScaleArgs { rate, length_ms, hears_all, shares } = args;
    println!(
        "{rate} jobs/s of {length_ms} ms and 11 events in {} entries for {seconds} s; {GATEWAYS} \
         gateways; every host hears {}",
        if *shares { 4 } else { 11 },
        if *hears_all { "all hosts" } else { "the digest of its pool" }
    );
    println!(
        "{:>7} {:>5} {:>5} | {:^38} | {:^51} | {:^27} | {:>8}",
        "servers", "hosts", "heard", "nothing submitted", "at the rate of jobs", "ms", "events"
    );
    println!(
        "{:>19} | {:>12} {:>6} {:>5} {:>5} {:>5} | {:>6} {:>12} {:>6} {:>5} {:>5} {:>5} {:>5} | \
         {:>8} {:>8} {:>9} | {:>8}",
        "",
        "deliveries/s",
        "MB/s",
        "srv",
        "wrk",
        "gw",
        "jobs/s",
        "deliveries/s",
        "MB/s",
        "srv",
        "wrk",
        "gw",
        "lost",
        "adm p50",
        "adm p99",
        "event p99",
        "read/s"
    );
    for &servers in servers {
        for &hosts in hosts {
            let duration = Duration::from_secs(seconds);
            Box::pin(measure(args, program, servers, hosts, duration)).await?;
        }
    }
    Ok(())
}

async fn measure(
    args: &ScaleArgs,
    program: &Path,
    servers: usize,
    hosts: usize,
    duration: Duration,
) -> Result<(), Failure> {
    let engine = Engine::start(program, servers).await?;
    let addresses = engine.addresses();
    let (mut gateways, mut telling) = (Vec::new(), JoinSet::new());
    for _ in 0..GATEWAYS {
        let gateway = Gateway::new(engine.prepared(&addresses).await?);
        let roster = Roster::default();
        roster.listen(gateway.fleet()).await?;
        gateways.push((gateway.clone(), roster.clone()));
        if !args.hears_all {
            telling.spawn(async move { gateway.tell_pools(&roster).await });
        }
    }
    let processes = hosts.min(MAX_PROCESSES);
    let workers = Workers {
        pool: POOL.into(),
        cores: 1,
        hosts: hosts / processes,
        hears_all: args.hears_all,
        shares: args.shares,
        length_ms: args.length_ms,
    };
    let present = start_hosts(processes, &urls(&addresses), &workers)?;
    let (server_ids, monitors) = (engine.pids(), engine.monitors());
    let worker_ids: Vec<u32> = present.iter().filter_map(Host::pid).collect();
    let counters = async || -> Result<Counters, Failure> {
        let of = |ids: &[u32]| ids.iter().map(|id| processor_time::of(*id)).sum::<Duration>();
        let times = [of(&server_ids), of(&worker_ids), of(&[std::process::id()])];
        Ok(Counters { at: Instant::now(), traffic: traffic::so_far(&monitors).await?, times })
    };
    let heard = heard(&gateways, workers.hosts * processes).await;
    let before = counters().await?;
    sleep(IDLE).await;
    let idle = counters().await?.since(&before);
    let gateways: Vec<_> = gateways.into_iter().map(|(gateway, _)| gateway).collect();
    let mut load = Load::start(&gateways, POOL, args.rate);
    sleep(WARM_UP).await;
    load.forget();
    let before = counters().await?;
    sleep(duration).await;
    let busy = counters().await?.since(&before);
    let flow = load.end()?;
    let lost = (flow.due as usize).saturating_sub(flow.admission_ms.len());
    let admitted: Spread = flow.admission_ms.into_iter().collect();
    let late: Spread = flow.event_ms.into_iter().collect();
    println!(
        "{servers:>7} {hosts:>5} {heard:>5} | {} | {:>6.1} {} {lost:>5} | {:>8.1} {:>8.1} {:>9.1} \
         | {:>8.0}",
        idle.columns(),
        f64::from(flow.ended) / duration.as_secs_f64(),
        busy.columns(),
        admitted.median(),
        admitted.permille(990),
        late.permille(990),
        read(&engine.prepared(&addresses).await?).await?
    );
    Ok(())
}

/// Returns the number of events a second that a gateway reads which starts without any.
async fn read(fleet: &Fleet) -> Result<f64, Failure> {
    let (_, last) = fleet.logs_state().await?;
    let (begin, mut read) = (Instant::now(), 0_u32);
    let mut took = Duration::ZERO;
    let mut events = fleet.follow(0);
    let all = async {
        while let Some(followed) = events.next().await {
            (read, took) = (read + 1, begin.elapsed());
            if followed.position >= last {
                break;
            }
        }
    };
    // The last message may be a claim, which is no event.
    let _ = timeout(READS_FOR, all).await;
    Ok(f64::from(read) / took.as_secs_f64())
}

/// Waits until every gateway hears all hosts, and returns the fewest that one hears.
async fn heard(gateways: &[(Gateway, Roster)], hosts: usize) -> usize {
    let begin = Instant::now();
    loop {
        let heard = gateways.iter().map(|(_, roster)| roster.workers().len()).min();
        let heard = heard.unwrap_or_default();
        if heard == hosts || begin.elapsed() > HEARD_WITHIN {
            return heard;
        }
        sleep(LOOK_INTERVAL).await;
    }
}

impl Counters {
    fn since(&self, before: &Self) -> Rates {
        let seconds = (self.at - before.at).as_secs_f64();
        let busy = [0, 1, 2].map(|part| {
            self.times[part].saturating_sub(before.times[part]).as_secs_f64() / seconds
        });
        let messages = (self.traffic.messages - before.traffic.messages) / seconds;
        let bytes = (self.traffic.bytes - before.traffic.bytes) / seconds;
        Rates { traffic: Traffic { messages, bytes }, busy }
    }
}

impl Rates {
    fn columns(&self) -> String {
        let [servers, workers, gateways] = self.busy;
        format!(
            "{:>12.0} {:>6.2} {servers:>5.2} {workers:>5.2} {gateways:>5.2}",
            self.traffic.messages,
            self.traffic.bytes / 1e6
        )
    }
}
