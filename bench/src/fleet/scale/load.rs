//! Jobs that come at a given rate, however long the fleet takes for each.

use crate::failure::Failure;
use futures::StreamExt;
use profiler_chaos::jobs;
use profiler_fleet::{Gateway, Submitted};
use profiler_proto::v1::event::Kind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval};

/// Callers that submit in turn.
const CALLERS: u64 = 8;

/// Figures of the jobs since [`Load::forget`].
#[derive(Debug, Default)]
pub(crate) struct Flow {
    /// Time from the moment when a job is due until a gateway has accepted it.
    pub(crate) admission_ms: Vec<f64>,
    /// Time from an event until the gateway that follows has it.
    pub(crate) event_ms: Vec<f64>,
    /// Jobs that have ended.
    pub(crate) ended: u32,
    /// Jobs that were due.
    pub(crate) due: u32,
}

/// A flow of jobs, until it is dropped.
pub(crate) struct Load {
    flow: Arc<Mutex<Flow>>,
    tasks: JoinSet<()>,
}

impl Load {
    /// Submits through each gateway in turn, and follows the last one.
    pub(crate) fn start(gateways: &[Gateway], pool: &'static str, rate: u32) -> Self {
        let (flow, mut tasks) = (Arc::<Mutex<Flow>>::default(), JoinSet::new());
        if let Some(last) = gateways.last() {
            tasks.spawn(follow(last.clone(), Arc::clone(&flow)));
        }
        tasks.spawn(submit_all(gateways.to_vec(), pool, rate, Arc::clone(&flow)));
        Self { flow, tasks }
    }

    /// Resets the counts.
    pub(crate) fn forget(&self) {
        *lock(&self.flow) = Flow::default();
    }

    /// Ends the flow, and returns its figures.
    pub(crate) fn end(&mut self) -> Result<Flow, Failure> {
        if self.tasks.try_join_next().is_some() {
            return Err("the flow of jobs has ended by itself".into());
        }
        self.tasks.abort_all();
        Ok(std::mem::take(&mut *lock(&self.flow)))
    }
}

fn lock(flow: &Mutex<Flow>) -> MutexGuard<'_, Flow> {
    flow.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn submit_all(gateways: Vec<Gateway>, pool: &'static str, rate: u32, flow: Arc<Mutex<Flow>>) {
    let mut due = interval(Duration::from_secs(1) / rate);
    due.set_missed_tick_behavior(MissedTickBehavior::Burst);
    // The submissions are dropped with the flow.
    let mut submissions = JoinSet::new();
    for (number, gateway) in (0_u64..).zip(gateways.iter().cycle()) {
        let at = due.tick().await;
        while submissions.try_join_next().is_some() {}
        lock(&flow).due += 1;
        submissions.spawn(submit(gateway.clone(), pool, number, at, Arc::clone(&flow)));
    }
}

async fn submit(
    gateway: Gateway,
    pool: &'static str,
    number: u64,
    due: Instant,
    flow: Arc<Mutex<Flow>>,
) {
    let run_id = format!("run-{number}");
    let run = jobs::run(&run_id, &(number % CALLERS).to_string(), &run_id, pool);
    if let Ok(Submitted::Run(_)) = gateway.submit(run).await {
        lock(&flow).admission_ms.push(due.elapsed().as_secs_f64() * 1e3);
    }
}

async fn follow(gateway: Gateway, flow: Arc<Mutex<Flow>>) {
    let mut events = gateway.fleet().follow(0);
    while let Some(followed) = events.next().await {
        let time = followed.event.time.and_then(|time| SystemTime::try_from(time).ok());
        let late = time.and_then(|time| SystemTime::now().duration_since(time).ok());
        let mut flow = lock(&flow);
        flow.event_ms.extend(late.map(|late| late.as_secs_f64() * 1e3));
        flow.ended += u32::from(followed.event.kind.as_ref().is_some_and(Kind::is_last));
    }
}
