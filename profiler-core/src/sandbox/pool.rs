//! Started sandboxes that wait for the next job, so that no job waits for a container.
//!
//! One task owns the waiting sandboxes. If none waits for a job that asks, the task starts one; a
//! few start at the same time. The task refills the pool only while nothing is measured, that is,
//! when every sandbox has been given back, and starts one sandbox after the other. While the pool
//! is full and nothing is measured, the task checks the backend now and then. A process must close
//! its pool before it exits, because a sandbox dropped with the runtime is not removed from the
//! host.

use super::{Backend, Lease, Sandbox};
use crate::error::SandboxFault;
use crate::limits::{CHECK_INTERVAL, CHECK_TIMEOUT, WARM_SANDBOXES};
use crate::sandbox::Cores;
use async_trait::async_trait;
use futures::future::{BoxFuture, OptionFuture, join_all, select_all};
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use runner_protocol::Hello;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::{JoinError, JoinHandle};
use tokio::time::{Instant, sleep_until, timeout};

/// Pause after a failure before the pool tries to start a sandbox again.
const RETRY: Duration = Duration::from_secs(1);
/// Maximum number of sandboxes that start at the same time for jobs. One job can ask for three: for
/// its last size, its counts, and the check of its input.
const STARTS_AT_ONCE: usize = 3;
/// Maximum number of times that a start is repeated because its sandbox was lost. Somebody may have
/// removed it.
const RESTARTS: u32 = 1;
/// Maximum number of unfit sandboxes that a job tolerates. Those that wait may have died unnoticed,
/// or have the toolchain of before an upgrade.
const UNFIT: usize = WARM_SANDBOXES;
/// Maximum number of requests that wait for the pool's task.
const MAX_ASKS: usize = 64;

/// Handle on a pool. Clones share the pool, which ends with its last handle.
#[derive(Clone)]
pub struct Pool {
    backend: Arc<dyn Backend>,
    cores: Option<Arc<Cores>>,
    asks: mpsc::Sender<Ask>,
    health: watch::Receiver<Result<(), SandboxFault>>,
    starts: watch::Receiver<Starts>,
    /// Whether sandboxes wait for jobs.
    keeps_warm: bool,
}

/// Counts of the sandboxes that a pool started or tried to start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Starts {
    /// Number of sandboxes that started.
    pub succeeded: u64,
    /// Number of sandboxes that could not be started.
    pub failed: u64,
}

type Started = Result<Sandbox, SandboxFault>;
/// A start under way, which also returns the number of starts that it repeats.
type Starting = BoxFuture<'static, (Started, u32)>;
type Answer = oneshot::Sender<Result<Sandbox, SandboxFault>>;

/// A request to the pool's task.
enum Ask {
    /// A sandbox for a job.
    Sandbox(Answer),
    /// End the pool; answered once no sandbox is left.
    Close(oneshot::Sender<()>),
}

/// Lease of a sandbox that is lent for a job. The pool hears that the sandbox is no longer in use
/// once it is gone, also if the job's future is dropped.
struct LentLease(Option<(Box<dyn Lease>, GivenBack)>);

/// Tells the pool, when dropped, that a sandbox is no longer in use.
struct GivenBack(mpsc::UnboundedSender<()>);

impl LentLease {
    /// Destroys the sandbox in a task of its own, which nobody can drop halfway.
    fn take_down(&mut self) -> Option<JoinHandle<()>> {
        let (mut lease, given_back) = self.0.take()?;
        Some(tokio::spawn(async move {
            lease.end().await;
            drop((lease, given_back));
        }))
    }
}

#[async_trait]
impl Lease for LentLease {
    async fn limit_memory(&mut self, bytes: u64) -> Result<(), SandboxFault> {
        match &mut self.0 {
            Some((lease, _)) => lease.limit_memory(bytes).await,
            None => Ok(()),
        }
    }

    async fn end(&mut self) {
        if let Some(ending) = self.take_down() {
            // A task that panicked has dropped the lease.
            let _ = ending.await;
        }
    }
}

impl Drop for LentLease {
    fn drop(&mut self) {
        self.take_down();
    }
}

impl Drop for GivenBack {
    fn drop(&mut self) {
        // A pool that is gone no longer counts its sandboxes.
        let _ = self.0.send(());
    }
}

impl Pool {
    /// A pool of `backend`'s sandboxes that keeps `warm` of them waiting.
    pub fn new(backend: Arc<dyn Backend>, warm: usize) -> Self {
        let (asks, asked) = mpsc::channel(MAX_ASKS);
        let (report, health) = watch::channel(Ok(()));
        let (count, starts) = watch::channel(Starts::default());
        tokio::spawn(Keeper::new(backend.clone(), warm, report, count).run(asked));
        Self { backend, cores: None, asks, health, starts, keeps_warm: warm > 0 }
    }

    /// The same pool, whose jobs are measured on the processors that `cores` reserves. Without
    /// `cores` nothing is pinned, and no job waits for another process.
    #[must_use]
    pub fn with_cores(self, cores: Option<Cores>) -> Self {
        Self { cores: cores.map(Arc::new), ..self }
    }

    /// Lends a sandbox for one job: a waiting one, or else a new one. From here on the sandbox
    /// keeps to the processors that are not measured.
    pub async fn acquire(&self) -> Result<Sandbox, SandboxFault> {
        let mut unfit = 0;
        loop {
            let mut sandbox = self.borrow().await?;
            // The compiler may have been upgraded while the sandbox waited.
            let toolchain = sandbox.toolchain.as_deref();
            if self.keeps_warm && unfit < UNFIT && !self.backend.is_current(toolchain).await {
                unfit += 1;
                sandbox.end().await;
                continue;
            }
            let rest = self.cores_of(&sandbox.hello).map(Cores::rest).unwrap_or_default().to_vec();
            if rest.is_empty() {
                return Ok(sandbox);
            }
            match sandbox.channel.keep_to(&rest).await {
                Ok(()) => return Ok(sandbox),
                Err(_) if unfit < UNFIT => unfit += 1,
                Err(fault) => return Err(fault),
            }
        }
    }

    async fn borrow(&self) -> Result<Sandbox, SandboxFault> {
        let ended = || SandboxFault::Lost("the pool has ended".into());
        let (answer, answered) = oneshot::channel();
        self.asks.send(Ask::Sandbox(answer)).await.map_err(|_| ended())?;
        answered.await.map_err(|_| ended())?
    }

    /// Returns the division of the processors of this runner's host; `None` if they are not
    /// divided, or the runner is on another host.
    pub(crate) fn cores_of(&self, hello: &Hello) -> Option<&Cores> {
        self.cores.as_deref().filter(|cores| cores.are_on_host_of(hello))
    }

    /// Whether everything but the measured programs has processors of its own on this runner's
    /// host.
    pub(crate) fn keeps_apart(&self, hello: &Hello) -> bool {
        self.cores_of(hello).is_some_and(|cores| !cores.rest().is_empty())
    }

    /// Gives out no more sandboxes and destroys the waiting ones. Returns when every sandbox is
    /// gone, the borrowed ones included.
    pub async fn close(&self) {
        let (answer, answered) = oneshot::channel();
        // A pool that has already ended has nothing left.
        if self.asks.send(Ask::Close(answer)).await.is_ok() {
            let _ = answered.await;
        }
    }

    /// Returns whether a sandbox could be started at the last attempt. A pool that keeps warm
    /// sandboxes retries after a failure and checks the backend while idle, so this value stays
    /// current by itself.
    pub fn health(&self) -> watch::Receiver<Result<(), SandboxFault>> {
        self.health.clone()
    }

    /// Returns the counts of the sandboxes so far.
    pub fn starts(&self) -> Starts {
        *self.starts.borrow()
    }

    /// The backend that starts the sandboxes.
    pub fn backend(&self) -> &Arc<dyn Backend> {
        &self.backend
    }
}

/// The task that owns the waiting sandboxes.
struct Keeper {
    backend: Arc<dyn Backend>,
    warm: usize,
    report: watch::Sender<Result<(), SandboxFault>>,
    count: watch::Sender<Starts>,
    /// Sandboxes that are started and unused.
    waiting: VecDeque<Sandbox>,
    /// Jobs that wait for a sandbox.
    asking: VecDeque<Answer>,
    /// Sandboxes that are being started.
    starting: FuturesUnordered<Starting>,
    /// The check of the backend that is under way.
    checking: Option<JoinHandle<Result<(), SandboxFault>>>,
    check_at: Instant,
    /// Number of sandboxes that are borrowed and not given back.
    lent: usize,
    retry_at: Instant,
}

impl Keeper {
    fn new(
        backend: Arc<dyn Backend>,
        warm: usize,
        report: watch::Sender<Result<(), SandboxFault>>,
        count: watch::Sender<Starts>,
    ) -> Self {
        Self {
            backend,
            warm,
            report,
            count,
            waiting: VecDeque::new(),
            asking: VecDeque::new(),
            starting: FuturesUnordered::new(),
            checking: None,
            check_at: Instant::now() + CHECK_INTERVAL,
            lent: 0,
            retry_at: Instant::now(),
        }
    }

    async fn run(mut self, mut asked: mpsc::Receiver<Ask>) {
        let (given_back, mut returns) = mpsc::unbounded_channel();
        loop {
            self.lend(&given_back);
            while self.starting.len() < self.asking.len().min(STARTS_AT_ONCE) {
                self.start(0);
            }
            let idle = self.lent == 0 && self.starting.is_empty();
            let full = self.waiting.len() >= self.warm;
            let check = idle && full && self.warm > 0 && self.checking.is_none();
            let waits = !self.waiting.is_empty();
            tokio::select! {
                ask = asked.recv() => match ask {
                    Some(Ask::Sandbox(answer)) => self.asking.push_back(answer),
                    Some(Ask::Close(closed)) => {
                        self.close(returns).await;
                        // A caller that no longer waits needs no answer.
                        let _ = closed.send(());
                        return;
                    }
                    None => return,
                },
                Some(()) = returns.recv() => self.lent -= 1,
                Some((started, restarts)) = self.starting.next() => {
                    self.take_started(started, restarts);
                }
                Some(checked) = OptionFuture::from(self.checking.as_mut()) => {
                    self.checking = None;
                    self.take_checked(joined(checked));
                }
                () = sleep_until(self.retry_at), if idle && !full => self.start(0),
                () = sleep_until(self.check_at), if check => self.check(),
                // A waiting sandbox dies if its daemon is stopped, or if somebody kills it.
                index = first_dead(&mut self.waiting), if waits => {
                    drop(self.waiting.remove(index));
                }
            }
        }
    }

    /// Destroys the waiting sandboxes and those being started, and waits for the borrowed ones.
    async fn close(mut self, mut returns: mpsc::UnboundedReceiver<()>) {
        self.asking.clear();
        while let Some((started, _)) = self.starting.next().await {
            self.waiting.extend(started.ok());
        }
        join_all(self.waiting.drain(..).map(Sandbox::end)).await;
        while self.lent > 0 && returns.recv().await.is_some() {
            self.lent -= 1;
        }
    }

    /// Starts a sandbox. `restarts` is the number of starts that this one repeats.
    fn start(&mut self, restarts: u32) {
        let backend = self.backend.clone();
        let starting = tokio::spawn(async move { backend.start().await });
        self.starting.push(starting.map(move |ended| (joined(ended), restarts)).boxed());
    }

    fn check(&mut self) {
        let backend = self.backend.clone();
        self.checking = Some(tokio::spawn(async move {
            let silent = |_| SandboxFault::Silent(CHECK_TIMEOUT.as_millis());
            timeout(CHECK_TIMEOUT, backend.check()).await.map_err(silent)?
        }));
    }

    fn take_checked(&mut self, checked: Result<(), SandboxFault>) {
        self.check_at = Instant::now() + CHECK_INTERVAL;
        // While the pool is not full, the next start shows more than a check that succeeded.
        if checked.is_err() || self.waiting.len() >= self.warm {
            self.report_health(checked);
        }
    }

    /// Reports and logs whether sandboxes can be started, if that changed.
    fn report_health(&self, health: Result<(), SandboxFault>) {
        self.report.send_if_modified(|known| {
            let turned = *known != health;
            match &health {
                Err(fault) if turned => {
                    tracing::warn!(target: "Profiler", %fault, "no sandbox can be started");
                }
                Ok(()) if turned => {
                    tracing::info!(target: "Profiler", "sandboxes can be started again");
                }
                _ => {}
            }
            *known = health;
            turned
        });
    }

    fn take_started(&mut self, started: Started, restarts: u32) {
        self.count.send_modify(|starts| match started {
            Ok(_) => starts.succeeded += 1,
            Err(_) => starts.failed += 1,
        });
        if matches!(started, Err(SandboxFault::Lost(_))) && restarts < RESTARTS {
            self.start(restarts + 1);
            return;
        }
        self.report_health(started.as_ref().map(|_| ()).map_err(Clone::clone));
        match started {
            Ok(sandbox) => self.waiting.push_back(sandbox),
            Err(fault) => {
                self.retry_at = Instant::now() + RETRY;
                if let Some(ask) = self.asking.pop_front() {
                    let _ = ask.send(Err(fault));
                }
            }
        }
    }

    /// Gives waiting sandboxes to jobs. A job that has gone away gets none.
    fn lend(&mut self, given_back: &mpsc::UnboundedSender<()>) {
        self.asking.retain(|ask| !ask.is_closed());
        let count = self.asking.len().min(self.waiting.len());
        for (ask, sandbox) in self.asking.drain(..count).zip(self.waiting.drain(..count)) {
            self.lent += 1;
            let lent = LentLease(Some((sandbox.lease, GivenBack(given_back.clone()))));
            // An answer that cannot be delivered is dropped, which gives the sandbox back.
            let _ = ask.send(Ok(Sandbox { lease: Box::new(lent), ..sandbox }));
        }
    }
}

/// Waits until one of these sandboxes has died, and returns its index. There must be at least one.
async fn first_dead(waiting: &mut VecDeque<Sandbox>) -> usize {
    let ended = waiting.iter_mut().map(|sandbox| Box::pin(sandbox.channel.ended()));
    let ((), index, _) = select_all(ended).await;
    index
}

/// Returns the result of a task of the backend. A task that panicked lost its sandbox.
fn joined<T>(ended: Result<Result<T, SandboxFault>, JoinError>) -> Result<T, SandboxFault> {
    ended.unwrap_or_else(|panic| Err(SandboxFault::Lost(panic.to_string())))
}

#[cfg(test)]
mod tests;
