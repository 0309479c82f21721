//! Shutdown by SIGTERM and SIGKILL. [`Served::ended`] checks each time that no container and no
//! cgroup of the server is left.

use profiler_client::{Error, Run};
use profiler_tests::jobs;
use profiler_tests::server::PATIENCE;
use profiler_tests::swiftprof::Served;
use profiler_tests::traces::Program;
use std::time::{Duration, Instant};
use tokio::net::UnixDatagram;
use tokio::time::timeout;

/// How long live runs may take to end after SIGTERM.
const DRAIN: Duration = Duration::from_secs(1);
/// How much longer the server may take.
const MARGIN: Duration = Duration::from_secs(2);
/// A running run that ends within any drain limit, but not at once.
const RUNNING_MS: u32 = 100;

/// A server with the drain limit [`DRAIN`].
async fn start_with_drain_limit(backend: &str) -> Served {
    let seconds = DRAIN.as_secs().to_string();
    Served::start(backend, &[("PROFILER_DRAIN_SEC", &seconds)]).await
}

/// The status that ends the stream.
async fn status(mut run: Run) -> Error {
    loop {
        match run.next().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the status is OK"),
            Err(error) => return error,
        }
    }
}

pub(crate) async fn a_running_run_is_finished(backend: &'static str) {
    let served = Served::start(backend, &[]).await;
    let (job, name) = jobs::computing_ms(RUNNING_MS);
    let run = served.client().await.submit(job).await.expect("accepted");
    Program::started(&name).await;
    served.terminate();
    let report = run.wait().await.expect("a report");
    assert_eq!(report.input_sizes, [1]);
    assert!(served.ended().await.success());
}

pub(crate) async fn a_run_that_does_not_end_is_interrupted(backend: &'static str) {
    let served = start_with_drain_limit(backend).await;
    let (job, name) = jobs::endless();
    let run = served.client().await.submit(job).await.expect("accepted");
    let program = Program::running(&name).await;
    let asked = Instant::now();
    served.terminate();
    let told = status(run).await;
    assert!(matches!(told, Error::Unavailable { .. }), "{told:?}");
    program.gone().await;
    assert!(served.ended().await.success());
    let took = asked.elapsed();
    println!("{backend}: SIGTERM to exit: {} ms, of which {DRAIN:?} drain", took.as_millis());
    assert!(took < DRAIN + MARGIN, "{took:?}");
}

pub(crate) async fn an_idle_server_leaves_nothing(backend: &'static str) {
    let served = Served::start(backend, &[]).await;
    served.until_warm().await;
    assert!(served.stop().await.success());
}

/// SIGTERM arrives before the first sandbox has started.
pub(crate) async fn a_server_asked_at_once_leaves_nothing(backend: &'static str) {
    let served = Served::start(backend, &[]).await;
    assert!(served.stop().await.success());
}

/// After SIGKILL only the next server can remove sandboxes, but no program runs until then.
pub(crate) async fn a_server_that_is_killed_leaves_no_program(backend: &'static str) {
    let served = Served::start(backend, &[]).await;
    let (job, name) = jobs::endless();
    let _run = served.client().await.submit(job).await.expect("accepted");
    let program = Program::running(&name).await;
    let orphans = served.kill().await;
    program.gone().await;
    let next = Served::start(backend, &[]).await;
    assert_eq!(orphans.left().await, Vec::<String>::new(), "not swept");
    assert!(next.stop().await.success());
}

/// A service of `Type=notify` is ready when callers can connect, and says that it ends.
pub(crate) async fn systemd_is_told(backend: &'static str) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notify").display().to_string();
    let socket = UnixDatagram::bind(&path).expect("a socket");
    let told = async || {
        let mut message = [0; 64];
        let length = timeout(PATIENCE, socket.recv(&mut message)).await.expect("in time");
        String::from_utf8_lossy(&message[..length.expect("a message")]).trim().to_owned()
    };
    let served = Served::start(backend, &[("NOTIFY_SOCKET", &path)]).await;
    assert_eq!(told().await, "READY=1");
    served.client().await.capabilities().await.expect("it serves");
    served.terminate();
    assert_eq!(told().await, "STOPPING=1");
    assert!(served.ended().await.success());
}
