//! The Docker daemon ends, hangs, and comes back.

use crate::engine::Engine;
use crate::scene::{Health, error, works};
use nix::sys::signal::Signal;
use profiler_client::v1::{
    ErrorCode, ProfileStreamRequest, profiler_service_client::ProfilerServiceClient,
};
use profiler_test_support::wait::until;
use profiler_tests::jobs;
use profiler_tests::swiftprof::Served;
use profiler_tests::traces::Program;
use std::time::{Duration, Instant};
use tonic::Code;
use tonic::transport::Endpoint;
use tonic_health::pb::health_check_response::ServingStatus::{NotServing, Serving};
use tonic_types::StatusExt;

/// Maximum time in which the health status misses that the daemon has ended: the interval of the
/// check, and a margin for a machine that stands still for seconds.
const NOTICED_WITHIN: Duration = Duration::from_secs(8);
/// Maximum time in which the health status misses that the daemon hangs. A check fails after 3 s,
/// but the start of a sandbox under way fails only after 10 s.
const HANG_NOTICED_WITHIN: Duration = Duration::from_secs(18);
/// Maximum time from the daemon's end to the run's end.
const ENDED_WITHIN: Duration = Duration::from_secs(8);
/// Counted from the daemon's first answer; a sandbox must be started first.
const BACK_WITHIN: Duration = Duration::from_secs(20);

/// Cause of the daemon's end.
#[derive(Debug, Clone, Copy)]
enum End {
    Killed,
    Terminated,
}

impl End {
    fn signal(self) -> Signal {
        match self {
            Self::Killed => Signal::SIGKILL,
            Self::Terminated => Signal::SIGTERM,
        }
    }
}

async fn served_by(engine: &Engine) -> (Served, Health) {
    let served = Served::start("docker", &[("DOCKER_HOST", &engine.host())]).await;
    let mut health = Health::of(&served).await;
    served.until_warm().await;
    health.until(Serving, Instant::now(), NOTICED_WITHIN).await;
    (served, health)
}

/// Checks that a job is refused, and that the caller learns when to try again.
async fn is_refused(served: &Served) {
    let endpoint = Endpoint::from_shared(served.url().to_owned()).expect("an endpoint");
    let channel = endpoint.connect().await.expect("the server answers");
    let request = ProfileStreamRequest { job: Some(jobs::plain()) };
    let refused = ProfilerServiceClient::new(channel).profile_stream(request).await;
    let status = refused.map(drop).expect_err("refused");
    let reason = status.get_details_error_info().map(|info| info.reason);
    assert_eq!((status.code(), reason.as_deref()), (Code::Unavailable, Some("NO_SANDBOX")));
    assert!(status.get_details_retry_info().is_some_and(|info| info.retry_delay.is_some()));
}

/// Restarts only the daemon, and checks that the service recovers. The containers it `held` when it
/// ended are removed.
async fn comes_back(engine: &mut Engine, served: Served, mut health: Health, held: &[String]) {
    engine.wait();
    engine.restart().await;
    health.until(Serving, Instant::now(), BACK_WITHIN).await;
    works(&served).await;
    let gone = async || {
        let left = served.sandboxes().await;
        (!held.iter().any(|sandbox| left.contains(sandbox))).then_some(())
    };
    until("what the daemon held is removed", BACK_WITHIN, gone).await;
    assert!(served.stop().await.success());
}

/// All cases are one test, because a daemon that has the image takes 20 s to make.
pub(crate) async fn ends_hangs_and_comes_back() {
    for live_restore in [false, true] {
        for end in [End::Killed, End::Terminated] {
            println!("{end:?}, live restore {live_restore}");
            Box::pin(ends_while_idle(end, live_restore)).await;
            Box::pin(ends_during_a_run(end, live_restore)).await;
        }
    }
    println!("hangs");
    Box::pin(hangs()).await;
}

async fn ends_while_idle(end: End, live_restore: bool) {
    let mut engine = Engine::start(live_restore).await;
    let (served, mut health) = served_by(&engine).await;
    let held = served.sandboxes().await;
    let asked = Instant::now();
    engine.signal(end.signal());
    health.until(NotServing, asked, NOTICED_WITHIN).await;
    is_refused(&served).await;
    Box::pin(comes_back(&mut engine, served, health, &held)).await;
}

async fn ends_during_a_run(end: End, live_restore: bool) {
    let mut engine = Engine::start(live_restore).await;
    let (served, mut health) = served_by(&engine).await;
    let (job, name) = jobs::endless();
    let run = served.client().await.submit(job).await.expect("accepted");
    let program = Program::running(&name).await;
    let held = served.sandboxes().await;
    let asked = Instant::now();
    engine.signal(end.signal());
    assert_eq!(Box::pin(error(run, asked, ENDED_WITHIN)).await.code(), ErrorCode::Internal);
    health.until(NotServing, asked, NOTICED_WITHIN).await;
    is_refused(&served).await;
    Box::pin(comes_back(&mut engine, served, health, &held)).await;
    // What kept the container alive without a daemon also kept the program within its limits.
    program.gone().await;
}

/// The daemon stops answering, and continues later.
async fn hangs() {
    let engine = Engine::start(false).await;
    let (served, mut health) = served_by(&engine).await;
    let asked = Instant::now();
    engine.signal(Signal::SIGSTOP);
    health.until(NotServing, asked, HANG_NOTICED_WITHIN).await;
    is_refused(&served).await;
    let asked = Instant::now();
    engine.signal(Signal::SIGCONT);
    health.until(Serving, asked, BACK_WITHIN).await;
    works(&served).await;
    assert!(served.stop().await.success());
}
