//! Measures one row of the table, once.

use crate::failure::Failure;
use crate::fleet::speed::caller::{Caller, start_callers};
use crate::tools::processor_time;
use crate::tools::spread::Spread;
use futures::StreamExt;
use profiler_chaos::engine::{Engine, urls};
use profiler_chaos::worker::host::{Host, Workers, start_hosts};
use profiler_fleet::Gateway;
use profiler_proto::v1::event::Kind;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};
use tokio::time::{Instant, sleep, timeout_at};

/// Maximum number of worker processes. Their workers share a connection, as those of a host do.
const MAX_PROCESSES: usize = 10;
/// Maximum number of runs of a caller under way: the engine refuses the 513th.
const MAX_UNDER_WAY: usize = 500;
/// Time for which jobs flow before the measurement begins.
const WARM_UP: Duration = Duration::from_secs(4);
/// Time for which the fleet is watched while it has nothing to do.
const IDLE: Duration = Duration::from_secs(3);
/// The pool of all workers.
const POOL: &str = "bench";

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) servers: usize,
    pub(crate) workers: usize,
    pub(crate) callers: usize,
}

/// Measured figures.
pub(crate) struct Figures {
    pub(crate) jobs_a_second: f64,
    /// Latency from the time of an event to its arrival at a gateway that follows, in milliseconds.
    pub(crate) latency_ms: Spread,
    /// Processor time of the servers while nothing is submitted, in milliseconds per second.
    pub(crate) idle_ms: f64,
    /// Processor time of the servers, the workers and the gateways, in milliseconds per job.
    pub(crate) job_ms: [f64; 3],
    /// Number of processors that these kept busy.
    pub(crate) busy: f64,
    /// Submissions that the engine did not answer in time. They were sent again.
    pub(crate) unanswered: f64,
}

impl Cell {
    /// Measures with new servers and workers.
    pub(crate) async fn measure(
        &self,
        program: &Path,
        duration: Duration,
    ) -> Result<Figures, Failure> {
        let engine = Engine::start(program, self.servers).await?;
        let addresses = engine.addresses();
        let submitting = Gateway::new(engine.prepared(&addresses).await?);
        let following = engine.prepared(&addresses).await?;
        let processes = self.workers.min(MAX_PROCESSES);
        let (pool, cores) = (POOL.into(), self.workers / processes);
        let workers = Workers { pool, cores, hosts: 1, ..Workers::default() };
        let hosts = start_hosts(processes, &urls(&addresses), &workers)?;
        let server_ids = engine.pids();
        let worker_ids: Vec<u32> = hosts.iter().filter_map(Host::pid).collect();
        let times = || {
            let of = |ids: &[u32]| ids.iter().map(|id| processor_time::of(*id)).sum::<Duration>();
            [of(&server_ids), of(&worker_ids), of(&[std::process::id()])]
        };
        let mut events = following.follow(0);
        sleep(IDLE).await;
        let before = times();
        sleep(IDLE).await;
        let idle = times()[0].saturating_sub(before[0]).as_secs_f64() * 1e3 / IDLE.as_secs_f64();

        let unanswered = Arc::new(AtomicU32::new(0));
        let under_way = (2 * self.workers).div_ceil(self.callers).clamp(1, MAX_UNDER_WAY);
        let caller = Caller::new(submitting, POOL, Arc::clone(&unanswered));
        let (mut callers, endings) = start_callers(&caller, self.callers, under_way);
        let begin = Instant::now() + WARM_UP;
        let end = begin + duration;
        let mut latencies = Vec::new();
        let mut jobs = 0_u32;
        let mut at_begin = None;
        while let Ok(Some(followed)) = timeout_at(end, events.next()).await {
            let is_measured = Instant::now() >= begin;
            if is_measured && at_begin.is_none() {
                at_begin = Some((times(), Instant::now()));
            }
            let time = followed.event.time.and_then(|time| SystemTime::try_from(time).ok());
            let late = time.and_then(|time| SystemTime::now().duration_since(time).ok());
            if is_measured && let Some(late) = late {
                latencies.push(late.as_secs_f64() * 1e3);
            }
            if followed.event.kind.as_ref().is_some_and(Kind::is_last) {
                jobs += u32::from(is_measured);
                let caller = followed.event.run_id.split('-').next().unwrap_or_default();
                // A caller that has ended hears nothing.
                endings.get(caller).map(|ended| ended.send(()));
            }
        }
        let after = times();
        // Without events, there is no beginning to measure from.
        let (before, since) = at_begin.unwrap_or((after, begin));
        let took = since.elapsed().as_secs_f64();
        if let Some(failed) = callers.try_join_next() {
            failed??;
        }
        let spent =
            [0, 1, 2].map(|part| after[part].saturating_sub(before[part]).as_secs_f64() * 1e3);
        Ok(Figures {
            jobs_a_second: f64::from(jobs) / took,
            latency_ms: latencies.into_iter().collect(),
            idle_ms: idle,
            job_ms: spent.map(|ms| ms / f64::from(jobs.max(1))),
            busy: spent.iter().sum::<f64>() / 1e3 / took,
            unanswered: f64::from(unanswered.load(Ordering::Relaxed)),
        })
    }
}
