//! The life of a fleet: its members, its callers, and its end.

use crate::engine::scene::{failed, run};
use crate::seeds::faults::trouble;
use crate::seeds::gateway::{Request, serve};
use crate::seeds::history::{Figures, History};
use crate::seeds::presence::attend;
use crate::seeds::process::{Process, join};
use crate::seeds::worker::work;
use futures::FutureExt;
use profiler_fleet::simulated::{Faults, Random, SimulatedEngine};
use profiler_fleet::{Gateway, Submitted};
use profiler_proto::v1;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

const GATEWAYS: usize = 2;
const WORKERS: usize = 3;
/// The worker that is slower than the others, among all members.
const SLOW: usize = GATEWAYS;
/// Number of requests of all callers.
const REQUESTS: usize = 10;
/// Time in which callers submit, in milliseconds.
const SUBMITTED_MS: u64 = 80_000;
/// Time that a caller waits for a gateway before it asks another one.
const CALL_LIMIT: Duration = Duration::from_secs(15);
/// Time within which every run ends once everything is whole: that of two lost leases, of a check
/// for forgotten jobs, and of runs that wait for each other.
const ENDS_WITHIN: Duration = Duration::from_secs(600);
/// Time within which workers know their speed once everything is whole, or a gateway is lost: that
/// of joining, of a whole roster, and of two digests.
const COMPARED_WITHIN: Duration = Duration::from_secs(60);
/// Number of requests that wait for a gateway.
const MAX_REQUESTS: usize = 64;

/// The gateways, by number; absent while one is down.
type Gateways = Arc<Mutex<Vec<Option<mpsc::Sender<Request>>>>>;

/// The processes of a fleet: gateways, and then workers.
pub(crate) struct Members {
    engine: SimulatedEngine,
    pub(crate) history: History,
    random: Random,
    processes: Vec<Option<Process>>,
    gateways: Gateways,
    /// Number of the processes so far.
    begun: usize,
}

impl Members {
    fn new(engine: SimulatedEngine, history: History, random: Random) -> Self {
        let gateways = Arc::new(Mutex::new(vec![None; GATEWAYS]));
        let processes = (0..GATEWAYS + WORKERS).map(|_| None).collect();
        let mut members = Self { engine, history, random, processes, gateways, begun: 0 };
        (0..members.len()).for_each(|member| members.begin(member));
        members
    }

    pub(crate) fn len(&self) -> usize {
        self.processes.len()
    }

    pub(crate) fn begin(&mut self, member: usize) {
        if self.processes[member].is_some() {
            return;
        }
        self.begun += 1;
        let (history, engine, link) =
            (self.history.clone(), self.engine.clone(), self.engine.connect());
        let own = link.clone();
        let process = if member < GATEWAYS {
            let (sender, requests) = mpsc::channel(MAX_REQUESTS);
            self.gateways.lock().expect("no panic")[member] = Some(sender);
            Process::begin(link, |_| async move {
                if let Some(fleet) = join(|| engine.try_prepare(&own)).await {
                    serve(fleet, member, history, requests).await;
                }
            })
        } else {
            let (name, random) = (format!("w{member}-{}", self.begun), self.random.fork());
            Process::begin(link, |frozen| async move {
                if let Some(fleet) = join(|| engine.try_join(&own)).await {
                    let attending = attend(fleet.clone(), member, history.clone());
                    tokio::select! {
                        biased;
                        () = attending => {}
                        () = work(fleet, name, history, random, frozen) => {}
                    }
                }
            })
        };
        self.processes[member] = Some(process);
    }

    pub(crate) fn kill(&mut self, member: usize) {
        self.processes[member] = None;
        if member < GATEWAYS {
            self.gateways.lock().expect("no panic")[member] = None;
        }
    }

    pub(crate) fn with(&self, member: usize, change: impl FnOnce(&Process)) {
        if let Some(process) = &self.processes[member] {
            change(process);
        }
    }

    /// Ends all faults.
    pub(crate) fn mend(&mut self) {
        for member in 0..self.len() {
            if self.processes[member].as_ref().is_some_and(Process::has_ended) {
                self.history.get().breaks(format!("member {member} ended"));
            }
            self.begin(member);
            self.with(member, |process| {
                process.link.cut(false);
                process.link.set_faults(Faults::default());
                process.freeze(false);
            });
        }
    }
}

/// Asks a gateway to do something; `None` if it is down, or does not answer.
async fn ask<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
    gateways: &Gateways,
    at: usize,
    work: impl FnOnce(Gateway) -> F + Send + 'static,
) -> Option<T> {
    let gateway = gateways.lock().expect("no panic")[at].clone()?;
    let (answer, answered) = oneshot::channel();
    let request: Request = Box::new(|gateway| {
        let done = work(gateway);
        async { drop(answer.send(done.await)) }.boxed()
    });
    gateway.try_send(request).ok()?;
    timeout(CALL_LIMIT, answered).await.ok()?.ok()
}

/// Submits a request until a gateway accepts it, and may cancel its run.
async fn call(gateways: Gateways, number: usize, history: History, mut random: Random) {
    sleep(random.millis(0, SUBMITTED_MS)).await;
    let (request, caller) = (format!("request-{number}"), format!("caller-{}", number % 2));
    let mut tries = 0;
    let origin = loop {
        tries += 1;
        let new = run(&format!("run-{number}-{tries}"), &caller, &request);
        let submit = |gateway: Gateway| async move { gateway.submit(new).await };
        match ask(&gateways, random.below(GATEWAYS), submit).await {
            Some(Ok(Submitted::Run(origin) | Submitted::Ended(origin))) => break *origin,
            Some(Ok(other)) => history.get().breaks(format!("{request}: {other:?}")),
            _ => {}
        }
        sleep(random.millis(100, 2000)).await;
    };
    let (run_id, job) = (origin.run_id().to_owned(), origin.job_sequence);
    history.get().say(&format!("{request} is {run_id}"));
    history.get().accept(&request, origin.clone());
    // A caller that lost its answer asks again.
    if random.percent(30) {
        let new = run(&format!("run-{number}-again"), &caller, &request);
        let again = |gateway: Gateway| async move { gateway.submit(new).await };
        if let Some(Ok(Submitted::Run(origin) | Submitted::Ended(origin))) =
            ask(&gateways, random.below(GATEWAYS), again).await
        {
            history.get().accept(&request, *origin);
        }
    }
    if random.percent(20) {
        sleep(random.millis(0, 20_000)).await;
        history.get().cancelled.insert(run_id.clone());
        let code = v1::ErrorCode::Cancelled;
        let cancel = move |gateway: Gateway| async move {
            gateway.cancel(&run_id, job, code, || failed(code)).await
        };
        ask(&gateways, random.below(GATEWAYS), cancel).await;
    }
}

/// Lets a fleet live and fail, and judges its history, which is returned too.
pub(crate) async fn live(seed: u64) -> (Result<Figures, String>, Vec<String>) {
    let mut random = Random::new(seed);
    let engine = SimulatedEngine::new(seed ^ 1);
    let history = History::new();
    history.get().slow = Some(SLOW);
    let mut members = Members::new(engine.clone(), history.clone(), random.fork());
    let mut callers = JoinSet::new();
    for number in 0..REQUESTS {
        let gateways = Arc::clone(&members.gateways);
        callers.spawn(call(gateways, number, history.clone(), random.fork()));
    }
    trouble(&engine, &mut members, random.fork()).await;
    let compared = are_compared(&mut members, random.below(GATEWAYS)).await;
    let whole = async { while callers.join_next().await.is_some() {} };
    let judged = match timeout(ENDS_WITHIN, whole).await {
        Ok(()) => judged(&engine, &history).await,
        Err(_) => Err("a caller has no answer".into()),
    };
    let mut record = history.get();
    let judged = compared.and(judged);
    let judged = record.broken.take().map_or(judged, Err);
    (judged.map(|()| record.figures), std::mem::take(&mut record.lines))
}

/// Waits until the slow worker, and no other, has left its pool, and until it is back once it is as
/// fast as the others. Then a gateway is lost, and another worker is slow.
async fn are_compared(members: &mut Members, lost: usize) -> Result<(), String> {
    let history = members.history.clone();
    let away = async |slow: &[usize]| {
        let are = async {
            while !history.get().away.iter().eq(slow) {
                sleep(Duration::from_secs(1)).await;
            }
        };
        let told = timeout(COMPARED_WITHIN, are).await;
        told.map_err(|_| format!("{:?} have left their pool, not {slow:?}", history.get().away))
    };
    away(&[SLOW]).await?;
    history.get().slow = None;
    away(&[]).await?;
    members.kill(lost);
    history.get().slow = Some(SLOW + 1);
    let left = away(&[SLOW + 1]).await;
    members.begin(lost);
    left
}

/// Waits until every run has ended everywhere, and judges its log.
async fn judged(engine: &SimulatedEngine, history: &History) -> Result<(), String> {
    let (fleet, _link) = engine.join();
    let accepted: Vec<_> = history.get().accepted.values().cloned().collect();
    for origin in accepted {
        let run_id = origin.run_id();
        let judged = async {
            loop {
                let log = fleet.events_of(run_id).await.map_err(|error| error.to_string())?;
                let figures = history.get().figures;
                let judged = history.get().judge(run_id, &log);
                if judged.is_ok() {
                    return Ok::<_, String>(());
                }
                history.get().figures = figures;
                sleep(Duration::from_secs(1)).await;
            }
        };
        let Ok(judged) = timeout(ENDS_WITHIN, judged).await else {
            let log = fleet.events_of(run_id).await.map_err(|error| error.to_string())?;
            return history.get().judge(run_id, &log);
        };
        judged?;
    }
    Ok(())
}
