//! A run ends with its caller, the program in the sandbox included. Each test prints how long that
//! took; the aim is 100 ms, and what fails a test is [`GONE_WITHIN`].

use profiler_client::v1::event::Kind;
use profiler_client::{Error, Run};
use profiler_tests::jobs;
use profiler_tests::swiftprof::{Served, file, swiftprof};
use profiler_tests::traces::{GONE_WITHIN, Program};
use std::time::{Duration, Instant};

/// Time for the compiler and the program to begin, on a machine with other things to do.
const DEADLINE: Duration = Duration::from_secs(8);
/// A deadline that falls into the compile.
const SHORT: Duration = Duration::from_millis(600);

/// An endless program under way, its run, and its server.
struct Endless {
    served: Served,
    run: Run,
    program: Program,
    sandboxes: Vec<String>,
}

async fn endless(backend: &str) -> Endless {
    let served = Served::start(backend, &[]).await;
    let (job, name) = jobs::endless();
    let run = served.client().await.submit(job).await.expect("accepted");
    let program = Program::running(&name).await;
    let sandboxes = served.sandboxes().await;
    Endless { served, run, program, sandboxes }
}

fn show(backend: &str, what: &str, asked: Instant, gone: Instant) {
    let took = gone.saturating_duration_since(asked);
    println!("{backend}: {what}: {} ms", took.as_millis());
    assert!(took < GONE_WITHIN, "{what} took {took:?}");
}

pub(crate) async fn cancel_ends_the_program(backend: &'static str) {
    let mut endless = endless(backend).await;
    let canceller = endless.served.client().await;
    let asked = Instant::now();
    canceller.cancel(endless.run.id()).await.expect("cancelled");
    show(backend, "CancelRun to the program's end", asked, endless.program.gone().await);
    let error = loop {
        match endless.run.next().await.expect("the status is OK") {
            Some(event) => match event.kind {
                Kind::Failed(error) => break error,
                other => drop(other),
            },
            None => panic!("no ending"),
        }
    };
    assert_eq!(error.code, "cancelled");
    endless.served.until_gone(&endless.sandboxes).await;
    assert!(endless.served.stop().await.success());
}

pub(crate) async fn a_client_that_dies_ends_the_program(backend: &'static str) {
    let served = Served::start(backend, &[]).await;
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("endless.cpp");
    let (job, name) = jobs::endless();
    let code = job.code.expect("a program").code_cpp;
    std::fs::write(&source, code).expect("a file");
    let source = source.display().to_string();
    let args = ["run", &source, "--endpoint", served.url(), "--timeout", "60s"];
    let mut client = swiftprof(&args).spawn().expect("a client");
    let program = Program::running(&name).await;
    let sandboxes = served.sandboxes().await;
    let asked = Instant::now();
    client.start_kill().expect("it lives");
    show(backend, "client's death to the program's end", asked, program.gone().await);
    client.wait().await.expect("it is dead");
    served.until_gone(&sandboxes).await;
    assert!(served.stop().await.success());
}

pub(crate) async fn a_dropped_stream_ends_the_program(backend: &'static str) {
    let endless = endless(backend).await;
    // The connection stays.
    let _client = endless.served.client().await;
    let asked = Instant::now();
    drop(endless.run);
    show(backend, "dropped stream to the program's end", asked, endless.program.gone().await);
    endless.served.until_gone(&endless.sandboxes).await;
    assert!(endless.served.stop().await.success());
}

pub(crate) async fn a_deadline_ends_the_program(backend: &'static str) {
    let served = Served::over_tcp(backend).await;
    let client = served.client().await.with_run_timeout(DEADLINE);
    let (job, name) = jobs::endless();
    let deadline = Instant::now() + DEADLINE;
    let run = client.submit(job).await.expect("accepted");
    let program = Program::running(&name).await;
    let sandboxes = served.sandboxes().await;
    let ended = run.wait().await;
    assert!(matches!(ended, Err(Error::Deadline)), "{ended:?}");
    show(backend, "deadline to the program's end", deadline, program.gone().await);
    served.until_gone(&sandboxes).await;
    assert!(served.stop().await.success());
}

pub(crate) async fn a_deadline_ends_the_compiler(backend: &'static str) {
    let served = Served::start(backend, &[]).await;
    served.until_warm().await;
    let sandboxes = served.sandboxes().await;
    let client = served.client().await.with_run_timeout(SHORT);
    let source = std::fs::read_to_string(file("tests/serve/slow_to_compile.cpp"));
    let job = jobs::job(&source.expect("a program"));
    let deadline = Instant::now() + SHORT;
    let run = client.submit(job).await.expect("accepted");
    let ended = run.wait().await;
    assert!(matches!(ended, Err(Error::Deadline)), "{ended:?}");
    served.until_gone(&sandboxes).await;
    show(backend, "deadline to the end of compiler and sandbox", deadline, Instant::now());
    assert!(served.stop().await.success());
}
