//! Latency from a cancellation, a disconnect or a deadline to the end of a run and its program.
//! Each test prints it. The aim is 100 ms; a test fails at [`GONE_WITHIN`], in which a machine that
//! stands still does not count.

use profiler_client::v1::event::Kind;
use profiler_client::{Error, Run};
use profiler_proto::v1::profiler_service_client::ProfilerServiceClient;
use profiler_proto::v1::{ErrorCode, Job, ProfileStreamRequest, ProfileStreamResponse};
use profiler_test_support::wait::until;
use profiler_tests::jobs;
use profiler_tests::swiftprof::{Served, file};
use profiler_tests::traces::{COMPILER, GONE_WITHIN, Program, inside};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tonic::Streaming;
use tonic::transport::{Channel, Endpoint};

/// Several times as long as the compiler and the program take to start. Nothing else runs meanwhile.
const DEADLINE: Duration = Duration::from_secs(4);
/// A deadline during the compilation.
const SHORT: Duration = Duration::from_millis(600);

/// A running endless program, its run, and its server.
struct Endless {
    served: Served,
    run: Run,
    program: Program,
    sandbox: String,
}

async fn endless(backend: &str) -> Endless {
    let served = Served::start(backend, &[]).await;
    let (job, name) = jobs::endless();
    let run = served.client().await.submit(job).await.expect("accepted");
    let program = Program::running(&name).await;
    let sandbox = served.sandbox_of(&name).await;
    Endless { served, run, program, sandbox }
}

type Stub = ProfilerServiceClient<Channel>;

/// Submits a job over a connection of its own. The job ends with its caller.
async fn submit(url: String, job: Job) -> (Stub, Streaming<ProfileStreamResponse>) {
    let endpoint = Endpoint::from_shared(url).expect("an endpoint");
    let mut stub = Stub::new(endpoint.connect().await.expect("the server answers"));
    let request = ProfileStreamRequest { job: Some(job) };
    let events = stub.profile_stream(request).await.expect("accepted").into_inner();
    (stub, events)
}

fn show(backend: &str, what: &str, asked: Instant, gone: Instant) {
    let took = gone.saturating_duration_since(asked);
    println!("{backend}: {what}: {} ms", took.as_millis());
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
    assert_eq!(error.code(), ErrorCode::Cancelled);
    endless.served.until_gone(&[endless.sandbox]).await;
    assert!(endless.served.stop().await.success());
}

/// The kernel closes the connections of a killed process without any message.
pub(crate) async fn a_client_that_dies_ends_the_program(backend: &'static str) {
    let served = Served::start(backend, &[]).await;
    let (job, name) = jobs::endless();
    let life = Runtime::new().expect("a runtime starts");
    let submitted = life.spawn(submit(served.url().to_owned(), job));
    let events = submitted.await.expect("accepted");
    let program = Program::running(&name).await;
    let sandbox = served.sandbox_of(&name).await;
    let asked = Instant::now();
    life.shutdown_background();
    show(backend, "client's death to the program's end", asked, program.gone().await);
    drop(events);
    served.until_gone(&[sandbox]).await;
    assert!(served.stop().await.success());
}

pub(crate) async fn a_dropped_run_ends_the_program(backend: &'static str) {
    let endless = endless(backend).await;
    let asked = Instant::now();
    drop(endless.run);
    show(backend, "dropped run to the program's end", asked, endless.program.gone().await);
    endless.served.until_gone(&[endless.sandbox]).await;
    assert!(endless.served.stop().await.success());
}

pub(crate) async fn a_dropped_stream_ends_the_program(backend: &'static str) {
    let served = Served::start(backend, &[]).await;
    let (job, name) = jobs::endless();
    // The connection stays.
    let (_stub, events) = submit(served.url().to_owned(), job).await;
    let program = Program::running(&name).await;
    let sandbox = served.sandbox_of(&name).await;
    let asked = Instant::now();
    drop(events);
    show(backend, "dropped stream to the program's end", asked, program.gone().await);
    served.until_gone(&[sandbox]).await;
    assert!(served.stop().await.success());
}

pub(crate) async fn a_deadline_ends_the_program(backend: &'static str) {
    let served = Served::over_tcp(backend).await;
    let client = served.client().await.with_run_timeout(DEADLINE);
    let (job, name) = jobs::endless();
    let deadline = Instant::now() + DEADLINE;
    let run = client.submit(job).await.expect("accepted");
    let program = Program::running(&name).await;
    let sandbox = served.sandbox_of(&name).await;
    let ended = run.wait().await;
    assert!(matches!(ended, Err(Error::Deadline)), "{ended:?}");
    show(backend, "deadline to the program's end", deadline, program.gone().await);
    served.until_gone(&[sandbox]).await;
    assert!(served.stop().await.success());
}

pub(crate) async fn a_deadline_ends_the_compiler(backend: &'static str) {
    let served = Served::start(backend, &[]).await;
    served.until_warm().await;
    // The job takes them all: one to compile in, and one for its last size.
    let sandboxes = served.sandboxes().await;
    let client = served.client().await.with_run_timeout(SHORT);
    let source = std::fs::read_to_string(file("tests/serve/slow_to_compile.cpp"));
    let job = jobs::job(&source.expect("a program"));
    let deadline = Instant::now() + SHORT;
    let run = client.submit(job).await.expect("accepted");
    let ended = run.wait().await;
    assert!(matches!(ended, Err(Error::Deadline)), "{ended:?}");
    let compiles = || {
        let mut inside = sandboxes.iter().flat_map(|sandbox| inside(sandbox));
        inside.any(|(.., name)| name == COMPILER)
    };
    until("no compiler runs", GONE_WITHIN, async || (!compiles()).then_some(())).await;
    show(backend, "deadline to the compiler's end", deadline, Instant::now());
    served.until_gone(&sandboxes).await;
    assert!(served.stop().await.success());
}
