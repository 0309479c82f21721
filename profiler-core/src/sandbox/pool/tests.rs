mod lent;

use super::*;
use crate::sandbox::{Channel, Lease};
use async_trait::async_trait;
use runner_protocol::Hello;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use tokio::io::DuplexStream;
use tokio::sync::Notify;

/// Duration of a start that takes long.
const LONG: Duration = Duration::from_secs(3);

/// A backend that numbers its sandboxes in `hello.cpus`, and hands each runner's end out of a
/// queue. Dropping that end kills the sandbox.
#[derive(Default)]
struct Numbered {
    count: AtomicU32,
    off: AtomicBool,
    panics: AtomicBool,
    /// Number of further sandboxes that are lost while they are being started.
    losing: AtomicU32,
    /// Whether checks are never answered.
    hangs: AtomicBool,
    /// Time that a start takes.
    takes: Duration,
    /// Number of sandboxes, the first ones, that are not current any more.
    outdated: AtomicU32,
    /// Permission for a sandbox to be gone; `None` if each is gone at once.
    may_go: Option<Arc<Notify>>,
    runners: Option<mpsc::UnboundedSender<DuplexStream>>,
}

struct NumberedLease(Option<Arc<Notify>>);

#[async_trait]
impl Lease for NumberedLease {
    async fn limit_memory(&mut self, _: u64) -> Result<(), SandboxFault> {
        Ok(())
    }

    async fn end(&mut self) {
        if let Some(may_go) = &self.0 {
            may_go.notified().await;
        }
    }
}

#[async_trait]
impl Backend for Numbered {
    fn name(&self) -> &'static str {
        "numbered"
    }

    async fn is_current(&self, toolchain: Option<&str>) -> bool {
        let number = toolchain.and_then(|number| number.parse().ok());
        number > Some(self.outdated.load(Ordering::SeqCst))
    }

    async fn start(&self) -> Result<Sandbox, SandboxFault> {
        assert!(!self.panics.load(Ordering::SeqCst), "a bug in the backend");
        if !self.takes.is_zero() {
            tokio::time::sleep(self.takes).await;
        }
        if self.off.load(Ordering::SeqCst) {
            return Err(SandboxFault::NoDaemon("switched off".into()));
        }
        let left = self.losing.load(Ordering::SeqCst);
        if left > 0 {
            self.losing.store(left - 1, Ordering::SeqCst);
            return Err(SandboxFault::Lost("taken".into()));
        }
        let (host, runner) = tokio::io::duplex(1);
        if let Some(runners) = &self.runners {
            let _ = runners.send(runner);
        }
        let (from, to) = tokio::io::split(host);
        let number = self.count.fetch_add(1, Ordering::SeqCst) + 1;
        Ok(Sandbox {
            channel: Channel::new(from, to),
            hello: Hello {
                sources: String::new(),
                own_user: true,
                cgroup: None,
                no_run_cgroup: None,
                schedstat: true,
                landlock: true,
                missing_tools: Vec::new(),
                kernel: String::new(),
                cpu_model: String::new(),
                cpu_flags: String::new(),
                cpus: number,
            },
            toolchain: Some(number.to_string()),
            builds_bytes: 0,
            lease: Box::new(NumberedLease(self.may_go.clone())),
        })
    }

    async fn check(&self) -> Result<(), SandboxFault> {
        if self.hangs.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        if self.off.load(Ordering::SeqCst) { Err(switched_off()) } else { Ok(()) }
    }

    fn not_enforced(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A pool, its backend, and the runners that the backend started.
struct Stage {
    pool: Pool,
    backend: Arc<Numbered>,
    runners: mpsc::UnboundedReceiver<DuplexStream>,
}

fn stage(warm: usize) -> Stage {
    stage_with(warm, Duration::ZERO)
}

/// A stage whose sandboxes take this long to start.
fn stage_with(warm: usize, takes: Duration) -> Stage {
    let (to, runners) = mpsc::unbounded_channel();
    let backend = Arc::new(Numbered { runners: Some(to), takes, ..Numbered::default() });
    Stage { pool: Pool::new(backend.clone(), warm), backend, runners }
}

impl Stage {
    /// Acquires a sandbox and returns its number.
    async fn acquire(&self) -> (Sandbox, u32) {
        let sandbox = self.pool.acquire().await.ok().unwrap();
        let number = sandbox.hello.cpus;
        (sandbox, number)
    }

    /// Waits for the next sandbox to be started.
    async fn started(&mut self) -> DuplexStream {
        self.runners.recv().await.unwrap()
    }

    fn count(&self) -> u32 {
        self.backend.count.load(Ordering::SeqCst)
    }

    /// Fails to acquire a sandbox.
    async fn fault(&self) -> SandboxFault {
        self.pool.acquire().await.err().unwrap()
    }
}

fn switched_off() -> SandboxFault {
    SandboxFault::NoDaemon("switched off".into())
}

/// Under paused time, this returns when every task is waiting.
async fn all_is_quiet() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

#[tokio::test(start_paused = true)]
async fn warm_sandbox_is_used_first() {
    let mut stage = stage(1);
    let _runner = stage.started().await;
    all_is_quiet().await;
    assert_eq!((stage.acquire().await.1, stage.count()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn pool_without_warm_sandboxes_starts_one_on_request() {
    let mut stage = stage(0);
    all_is_quiet().await;
    let before = stage.count();
    let acquired = stage.acquire().await.1;
    let _runner = stage.started().await;
    assert_eq!((before, acquired), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn pool_starts_nothing_while_measuring() {
    let mut stage = stage(1);
    let _runner = stage.started().await;
    let _borrowed = stage.acquire().await;
    all_is_quiet().await;
    assert_eq!(stage.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn pool_refills_after_a_sandbox_was_given_back() {
    let mut stage = stage(1);
    let _runner = stage.started().await;
    stage.acquire().await.0.end().await;
    let _second = stage.started().await;
    assert_eq!(stage.acquire().await.1, 2);
}

#[tokio::test(start_paused = true)]
async fn dropped_sandbox_is_given_back_too() {
    let mut stage = stage(1);
    let _runner = stage.started().await;
    drop(stage.acquire().await);
    let _second = stage.started().await;
    assert_eq!(stage.acquire().await.1, 2);
}

#[tokio::test(start_paused = true)]
async fn request_during_a_measurement_is_served() {
    let mut stage = stage(1);
    let _runner = stage.started().await;
    let (_first, _) = stage.acquire().await;
    assert_eq!(stage.acquire().await.1, 2);
}

#[tokio::test(start_paused = true)]
async fn sandbox_that_dies_while_it_waits_is_replaced() {
    let mut stage = stage(1);
    drop(stage.started().await);
    let _second = stage.started().await;
    assert_eq!(stage.acquire().await.1, 2);
}

#[tokio::test(start_paused = true)]
async fn each_of_several_waiting_sandboxes_is_replaced_if_it_dies() {
    for (dying, kept) in [(0, 2), (1, 1)] {
        let mut stage = stage(2);
        let mut runners = vec![stage.started().await, stage.started().await];
        drop(runners.remove(dying));
        let _third = stage.started().await;
        let (_borrowed, number) = stage.acquire().await;
        assert_eq!((number, stage.acquire().await.1), (kept, 3));
    }
}

#[tokio::test(start_paused = true)]
async fn pool_refills_one_sandbox_after_the_other() {
    let mut stage = stage_with(2, LONG);
    let begun = Instant::now();
    let _runners = (stage.started().await, stage.started().await);
    assert_eq!(begun.elapsed().as_secs(), 2 * LONG.as_secs());
}

#[tokio::test(start_paused = true)]
async fn few_sandboxes_for_jobs_start_at_the_same_time() {
    for (jobs, rounds) in [(1, 1), (STARTS_AT_ONCE, 1), (STARTS_AT_ONCE + 1, 2)] {
        let stage = stage_with(0, LONG);
        let begun = Instant::now();
        let _borrowed = join_all((0..jobs).map(|_| stage.acquire())).await;
        assert_eq!(begun.elapsed().as_secs(), rounds * LONG.as_secs(), "{jobs} jobs");
    }
}

#[tokio::test(start_paused = true)]
async fn job_takes_the_sandbox_that_is_being_started_for_the_pool() {
    let stage = stage_with(1, LONG);
    all_is_quiet().await;
    let (_borrowed, number) = stage.acquire().await;
    tokio::time::sleep(LONG).await;
    assert_eq!((number, stage.count()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn asks_fail_while_no_sandbox_can_be_started() {
    let stage = stage(0);
    stage.backend.off.store(true, Ordering::SeqCst);
    assert_eq!(stage.fault().await, switched_off());
}

#[tokio::test(start_paused = true)]
async fn health_turns_when_no_sandbox_can_be_started() {
    let stage = stage(1);
    stage.backend.off.store(true, Ordering::SeqCst);
    let mut health = stage.pool.health();
    let turned = health.wait_for(Result::is_err).await.unwrap().clone();
    assert_eq!(turned, Err(switched_off()));
}

#[tokio::test(start_paused = true)]
async fn health_returns_by_itself() {
    let stage = stage(1);
    stage.backend.off.store(true, Ordering::SeqCst);
    let mut health = stage.pool.health();
    health.wait_for(Result::is_err).await.unwrap();
    let began = Instant::now();
    stage.backend.off.store(false, Ordering::SeqCst);
    health.wait_for(Result::is_ok).await.unwrap();
    assert_eq!(began.elapsed().as_secs(), RETRY.as_secs());
}

#[tokio::test(start_paused = true)]
async fn health_turns_and_returns_while_a_full_pool_has_nothing_to_do() {
    let mut stage = stage(1);
    let _runner = stage.started().await;
    all_is_quiet().await;
    let mut health = stage.pool.health();
    for (off, wanted) in [(true, Err(switched_off())), (false, Ok(()))] {
        let began = Instant::now();
        stage.backend.off.store(off, Ordering::SeqCst);
        health.wait_for(|health| *health == wanted).await.unwrap();
        assert!(began.elapsed() <= CHECK_INTERVAL, "{:?}", began.elapsed());
    }
    assert_eq!(stage.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn backend_that_does_not_answer_is_unhealthy() {
    let mut stage = stage(1);
    let _runner = stage.started().await;
    stage.backend.hangs.store(true, Ordering::SeqCst);
    let mut health = stage.pool.health();
    let turned = health.wait_for(Result::is_err).await.unwrap().clone();
    assert_eq!(turned, Err(SandboxFault::Silent(CHECK_TIMEOUT.as_millis())));
}

#[tokio::test(start_paused = true)]
async fn pool_checks_nothing_while_measuring() {
    let mut stage = stage(1);
    let _runner = stage.started().await;
    let _borrowed = stage.acquire().await;
    stage.backend.off.store(true, Ordering::SeqCst);
    tokio::time::sleep(10 * CHECK_INTERVAL).await;
    assert_eq!(*stage.pool.health().borrow(), Ok(()));
}

#[tokio::test(start_paused = true)]
async fn sandbox_that_is_lost_while_it_starts_is_replaced_at_once() {
    let stage = stage(0);
    stage.backend.losing.store(1, Ordering::SeqCst);
    let health = stage.pool.health();
    let number = stage.acquire().await.1;
    assert_eq!((number, health.has_changed().unwrap()), (1, false));
}

#[tokio::test(start_paused = true)]
async fn each_sandbox_that_is_lost_while_it_starts_is_replaced() {
    let stage = stage(0);
    stage.backend.losing.store(2, Ordering::SeqCst);
    let health = stage.pool.health();
    let (one, other) = tokio::join!(stage.acquire(), stage.acquire());
    let mut numbers = [one.1, other.1];
    numbers.sort_unstable();
    assert_eq!((numbers, health.has_changed().unwrap()), ([1, 2], false));
}

#[tokio::test(start_paused = true)]
async fn two_lost_sandboxes_in_a_row_are_the_backends_fault() {
    let stage = stage(0);
    stage.backend.losing.store(2, Ordering::SeqCst);
    assert_eq!(stage.fault().await, SandboxFault::Lost("taken".into()));
}

#[tokio::test(start_paused = true)]
async fn backend_that_panics_is_a_fault() {
    let stage = stage(0);
    stage.backend.panics.store(true, Ordering::SeqCst);
    assert!(matches!(stage.fault().await, SandboxFault::Lost(_)));
}

#[tokio::test(start_paused = true)]
async fn sandbox_for_a_cancelled_request_goes_to_the_next() {
    let stage = stage(0);
    let given_up = tokio::time::timeout(Duration::ZERO, stage.pool.acquire()).await;
    drop(given_up);
    all_is_quiet().await;
    assert_eq!(stage.acquire().await.1, 1);
}

#[tokio::test(start_paused = true)]
async fn clone_is_a_handle_on_the_same_pool() {
    let mut stage = stage(1);
    let _runner = stage.started().await;
    let clone = stage.pool.clone();
    let acquired = clone.acquire().await.ok().unwrap();
    assert_eq!((acquired.hello.cpus, stage.pool.backend().name()), (1, "numbered"));
}

#[tokio::test(start_paused = true)]
async fn pool_ends_with_its_last_handle() {
    use tokio::io::AsyncReadExt;
    let mut stage = stage(1);
    let mut runner = stage.started().await;
    all_is_quiet().await;
    drop(stage);
    assert_eq!(runner.read(&mut [0]).await.unwrap(), 0);
}
