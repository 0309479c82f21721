//! SIGTERM, and worse. [`Served::ended`] sees each time that no container and no control group of
//! the server's is left.

use profiler_client::{Error, Run};
use profiler_tests::jobs;
use profiler_tests::swiftprof::Served;
use profiler_tests::traces::Program;
use std::time::{Duration, Instant};

/// How long live runs may take to end after SIGTERM.
const DRAIN: Duration = Duration::from_secs(1);
/// What the server may need beyond that.
const MARGIN: Duration = Duration::from_secs(2);
/// A run under way that ends within any drain limit, but not at once.
const UNDER_WAY_MS: u32 = 100;

/// A server that has so little patience.
async fn impatient(backend: &str) -> Served {
    let seconds = DRAIN.as_secs().to_string();
    Served::start(backend, &[("PROFILER_DRAIN_SEC", &seconds)]).await
}

/// What the stream's status says in the end.
async fn status(mut run: Run) -> Error {
    loop {
        match run.next().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the status is OK"),
            Err(error) => return error,
        }
    }
}

pub(crate) async fn a_run_under_way_is_finished(backend: &'static str) {
    let served = Served::start(backend, &[]).await;
    let (job, name) = jobs::computing_ms(UNDER_WAY_MS);
    let run = served.client().await.submit(job).await.expect("accepted");
    Program::running(&name).await;
    served.terminate();
    let report = run.wait().await.expect("a report");
    assert_eq!(report.input_sizes, [1]);
    assert!(served.ended().await.success());
}

pub(crate) async fn a_run_that_does_not_end_is_interrupted(backend: &'static str) {
    let served = impatient(backend).await;
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

/// Before its first sandbox has started.
pub(crate) async fn a_server_asked_at_once_leaves_nothing(backend: &'static str) {
    let served = Served::start(backend, &[]).await;
    assert!(served.stop().await.success());
}

/// Nobody can tidy up after SIGKILL but the next server; no program goes on until then.
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
