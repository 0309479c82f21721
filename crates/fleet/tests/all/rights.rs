//! The configuration in `packaging/nats`. Each role has the rights that it needs, and a worker or a
//! viewer cannot harm the runs of others.

mod answers;
mod between;
mod guarded;
mod refused;

use futures::StreamExt;
use futures::future::try_join_all;
use guarded::{Guarded, Role};
use profiler_fleet::{
    Action, Cancelled, Credentials, Fenced, Fleet, Gateway, LogLimits, NewRun, Order, Origin,
    Peers, Roster, Settlement, Speed, Submitted, Taken, Worker, WorkerState,
};
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use profiler_test_support::wait::until;
use prost::Message;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

const POOL: &str = "a2e4758ef19427fe";
/// Time limit of each wait. A wait that succeeds is much shorter.
const PATIENCE: Duration = Duration::from_secs(30);
/// Length of a text that does not fit into one message, in bytes.
const LARGE: usize = 3 << 20;
/// Maximum number of waiting jobs of one caller.
const MAX_JOBS_PER_CALLER: u32 = 2048;
/// Number of submissions that wait for their answers at the same time.
const AT_A_TIME: usize = 16;

fn run(run_id: &str, request_id: &str) -> NewRun {
    let row = v1::Run {
        run_id: run_id.into(),
        caller: "a caller".into(),
        request_id: request_id.into(),
        ..v1::Run::default()
    };
    let (owner, pool) = ("a caller".into(), POOL.into());
    let origin = Origin { run: Some(row), owner, pool, ..Origin::default() };
    NewRun { origin, job: Vec::new(), defaults: Vec::new(), queue_position: 0 }
}

/// Submits a run, again if the engine does not answer in time, because each answer waits for the
/// disk.
async fn submitted(gateway: &Gateway, run: NewRun) -> Submitted {
    until("it is submitted", PATIENCE, async || gateway.submit(run.clone()).await.ok()).await
}

async fn accepted(gateway: &Gateway, run: NewRun) -> Origin {
    let submitted = submitted(gateway, run).await;
    let Submitted::Run(origin) = submitted else { panic!("{submitted:?}") };
    *origin
}

async fn take(worker: &Worker) -> Taken {
    let taken = async || worker.take(|_, _| failed(""), std::future::pending()).await.ok();
    let taken = until("the engine answers", PATIENCE, taken);
    timeout(PATIENCE, taken).await.expect("in time").expect("a job")
}

fn failed(message: &str) -> v1::SandboxError {
    let code = v1::ErrorCode::Interrupted.into();
    v1::SandboxError { code, message: message.into(), ..v1::SandboxError::default() }
}

fn large() -> String {
    "x".repeat(LARGE)
}

#[tokio::test]
async fn every_act_of_a_gateway_a_worker_and_a_viewer_passes() {
    let Some(guarded) = Guarded::start().await else { return };
    Box::pin(every_act(&guarded)).await;
}

#[tokio::test]
async fn every_act_passes_in_a_cluster() {
    let Some(guarded) = Guarded::cluster().await else { return };
    Box::pin(every_act(&guarded)).await;
}

async fn every_act(guarded: &Guarded) {
    let gateway = Gateway::new(guarded.prepare().await);
    let elsewhere = Gateway::new(guarded.prepare().await);
    let worker = Worker::new(guarded.join().await, "w".into(), POOL.into());

    // Jobs and events are large.
    Box::pin(runs_of_every_kind(&gateway, &elsewhere, &worker)).await;
    Box::pin(stopping(&elsewhere, &gateway, &worker)).await;
    a_full_queue(&gateway).await;
    presence(&worker, gateway.fleet()).await;
    let viewer = guarded.view().await;
    presence(&worker, &viewer).await;
    description(&gateway, &worker).await;
    orders(gateway.fleet(), &worker).await;
    assert!(viewer.oldest_job().await.expect("read").is_some());
    let queues = viewer.queues().await.expect("read");
    assert!(queues.iter().any(|queue| queue.pool == POOL && queue.jobs > 0), "{queues:?}");

    let mut held = elsewhere.held_elsewhere().await.expect("heard");
    let told = async {
        // The first messages can be sent before the subscription is active.
        loop {
            gateway.hold(vec!["one".into()], Vec::new()).await.expect("told");
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        held = held.next() => assert!(held.is_some_and(|held| held.runs.iter().any(|run| run == "one"))),
        () = told => {}
    }
    assert_eq!(guarded.refusals(), Vec::<String>::new());
}

/// Takes two runs from submission to end, through both gateways: one with a large job and a large
/// event, and one that is handed back and then loses its worker.
async fn runs_of_every_kind(gateway: &Gateway, elsewhere: &Gateway, worker: &Worker) {
    let mut followed = elsewhere.fleet().follow(0);
    let mut large_run = run("one", "the same");
    let code_cpp = large();
    let code = Some(v1::CodeMessage { code_cpp, ..v1::CodeMessage::default() });
    large_run.job = v1::Job { code, ..v1::Job::default() }.encode_to_vec();
    accepted(gateway, large_run).await;
    let known = accepted(elsewhere, run("again", "the same")).await;
    assert_eq!(known.run.map(|run| run.run_id).as_deref(), Some("one"));
    let mut other = run("other", "the same");
    other.origin.digest = vec![1];
    assert_eq!(submitted(elsewhere, other).await, Submitted::OtherJob);
    let mut taken = take(worker).await;
    assert_eq!(taken.job.code.as_ref().map(|code| code.code_cpp.len()), Some(LARGE));
    taken.log.append(Kind::Failed(failed(&large()))).await.expect("stored");
    worker.settle(taken.receipt, taken.lease, Settlement::Done).await.expect("done");
    let seen: Vec<_> = followed.by_ref().take(3).collect().await;
    let Some(Kind::Failed(error)) = &seen[2].event.kind else { panic!("{:?}", seen[2]) };
    assert_eq!(error.message.len(), LARGE);
    assert_eq!(gateway.fleet().events_of("one").await.expect("read").len(), 3);
    elsewhere.delete("one").await.expect("deleted");
    assert!(gateway.fleet().events_of("one").await.expect("read").is_empty());

    accepted(gateway, run("two", "")).await;
    let mut lost = take(worker).await;
    lost.lease.hand_back().await.expect("handed back");
    let mut drained = take(worker).await;
    let settlement = drained.log.hand_back().await;
    worker.settle(drained.receipt, drained.lease, settlement).await.expect("handed back");
    let mut taken = take(worker).await;
    assert_eq!(taken.log.standing().handed_back, 1);
    let report = Kind::Finished(v1::ProfileReport::default());
    assert_eq!(lost.log.append(report.clone()).await, Err(Fenced));
    // `lost` renews the lease at once, and does not return.
    let renewed = timeout(Duration::from_millis(200), taken.lease.lost()).await;
    assert!(renewed.is_err(), "the lease is lost");
    taken.log.append(report).await.expect("stored");
    worker.settle(taken.receipt, taken.lease, Settlement::Done).await.expect("done");
}

async fn stopping(gateway: &Gateway, elsewhere: &Gateway, worker: &Worker) {
    let code = v1::ErrorCode::Cancelled;
    let waiting = accepted(gateway, run("three", "")).await;
    let ended = elsewhere.cancel("three", waiting.job_sequence, code, || failed("")).await;
    assert_eq!(ended.expect("asked"), Cancelled::Ended);
    let live = accepted(gateway, run("four", "")).await;
    let mut taken = take(worker).await;
    let cancel = elsewhere.cancel("four", live.job_sequence, code, || panic!("a worker has it"));
    let (cancelled, heard) = tokio::join!(cancel, taken.stop.asked(worker.fleet()));
    assert_eq!((cancelled.expect("asked"), heard), (Cancelled::Stopping, code));
    taken.log.append(Kind::Failed(failed(""))).await.expect("stored");
    worker.settle(taken.receipt, taken.lease, Settlement::Done).await.expect("done");
    accepted(gateway, run("five", "")).await;
    let moved = async || elsewhere.move_run("five", POOL, "another").await.ok();
    until("it moves", PATIENCE, moved).await;
    let origin = gateway.fleet().origin_of("five").await.expect("read").expect("known");
    assert_eq!(origin.pool, "another");
}

/// Fills the queue. If a job finds no room, the gateway withdraws its claim of the request ID.
async fn a_full_queue(gateway: &Gateway) {
    let waiting = futures::stream::iter(0..MAX_JOBS_PER_CALLER)
        .map(|number| accepted(gateway, run(&format!("waits-{number}"), "")));
    waiting.buffer_unordered(AT_A_TIME).for_each(async |_| {}).await;
    let beyond = run("beyond", "mine");
    assert_eq!(submitted(gateway, beyond).await, Submitted::QueueFull);
    assert!(gateway.fleet().events_of("beyond").await.expect("read").is_empty());
}

async fn presence(worker: &Worker, fleet: &Fleet) {
    let state = WorkerState { worker: "w".into(), pool: POOL.into(), ..WorkerState::default() };
    let (_changes, state) = watch::channel(state);
    let roster = Roster::default();
    roster.listen(fleet).await.expect("listening");
    let seen = until("the worker is seen", PATIENCE, async || roster.workers().pop());
    tokio::select! {
        seen = seen => assert_eq!(seen.state.worker, "w"),
        said = worker.say(state) => panic!("{said:?}"),
    }
}

/// A gateway describes the pool to its workers.
async fn description(gateway: &Gateway, worker: &Worker) {
    let (roster, peers) = (Roster::default(), Peers::default());
    peers.hear(worker.fleet(), POOL).await.expect("listening");
    roster.listen(gateway.fleet()).await.expect("listening");
    let state = |number: u32| WorkerState {
        worker: format!("w{number}"),
        pool: POOL.into(),
        calibration_ms: 10.0,
        ..WorkerState::default()
    };
    let (_changes, states): (Vec<_>, Vec<_>) =
        (0..3).map(|number| watch::channel(state(number))).unzip();
    let known = async || (peers.compare(&state(0)) == Speed::OfPool).then_some(());
    tokio::select! {
        () = until("the pool is described", PATIENCE, known) => {}
        () = gateway.tell_pools(&roster) => {}
        said = try_join_all(states.into_iter().map(|state| worker.say(state))) => panic!("{said:?}"),
    }
}

/// The first orders can be sent before the subscription is active.
async fn orders(operator: &Fleet, worker: &Worker) {
    let order = Order { action: Action::Pause.into(), pool: POOL.into(), ..Order::default() };
    let mut orders = worker.orders().await.expect("heard");
    let given = async {
        loop {
            operator.order(&order).await.expect("sent");
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        heard = orders.next() => assert_eq!(heard.as_ref(), Some(&order)),
        () = given => {}
    }
}

/// After the restart, the gateway makes its reader of all logs again, under another name.
#[tokio::test]
async fn gateway_and_a_worker_go_on_after_the_engine_was_killed() {
    let Some(mut guarded) = Guarded::start().await else { return };
    let gateway = Gateway::new(guarded.prepare().await);
    let worker = Worker::new(guarded.join().await, "w".into(), POOL.into());
    let mut followed = gateway.fleet().follow(0);
    accepted(&gateway, run("one", "")).await;
    let mut next = async || followed.next().await.expect("it goes on").event.run_id;
    assert_eq!(timeout(PATIENCE, next()).await.expect("in time"), "one");
    let mut taken = take(&worker).await;
    assert_eq!(timeout(PATIENCE, next()).await.expect("in time"), "one");
    guarded.restart().await;
    let again = async || gateway.submit(run("two", "")).await.ok();
    until("the gateway is back", PATIENCE, again).await;
    assert_eq!(timeout(PATIENCE, next()).await.expect("in time"), "two");
    taken.log.append(Kind::Failed(failed(""))).await.expect("stored");
    // The first message after a restart may be lost. The engine then hands the job out again, and
    // the worker skips it, because its log has ended.
    let _ = worker.settle(taken.receipt, taken.lease, Settlement::Done).await;
    let next_job = take(&worker).await;
    assert_eq!(next_job.origin.run.expect("a row").run_id, "two");
    assert_eq!(guarded.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn worker_makes_no_jobs_and_changes_no_streams() {
    let Some(guarded) = Guarded::start().await else { return };
    let gateway = Gateway::new(guarded.prepare().await);
    accepted(&gateway, run("one", "mine")).await;
    let before = guarded.streams().await;
    guarded.are_refused(Role::Worker, &refused::of_a_worker(POOL)).await;
    assert_eq!(guarded.streams().await, before);
}

#[tokio::test]
async fn viewer_reads_no_program_and_no_report() {
    let Some(guarded) = Guarded::start().await else { return };
    let gateway = Gateway::new(guarded.prepare().await);
    accepted(&gateway, run("one", "mine")).await;
    let before = guarded.streams().await;
    guarded.are_refused(Role::Viewer, &refused::of_a_viewer(POOL)).await;
    assert_eq!(guarded.streams().await, before);
}

#[tokio::test]
async fn joining_without_a_key_is_refused() {
    let Some(guarded) = Guarded::start().await else { return };
    guarded.prepare().await;
    let nobody = Fleet::join(&guarded.url(), &guarded.credentials(None)).await;
    let refusal = nobody.err().expect("a refusal");
    assert!(refusal.to_string().contains("authorization violation"), "{refusal}");
    assert!(refusal.is_final());
}

/// The engine does not answer what a role may not ask. Its complaint says that waiting is no use.
#[tokio::test]
async fn wrong_credentials_are_named_and_final() {
    let Some(guarded) = Guarded::start().await else { return };
    guarded.prepare().await;
    let (viewer, url) = (guarded.credentials(Some(Role::Viewer)), guarded.url());
    let as_worker = Fleet::join(&url, &viewer).await.err().expect("a refusal");
    let as_gateway =
        Fleet::prepare(&url, &viewer, LogLimits::default()).await.err().expect("a refusal");
    for (refusal, role) in [(as_worker, "worker"), (as_gateway, "gateway")] {
        let joining = format!("join as a {role} with this key (--fleet-nkey)");
        assert!(refusal.is_final() && refusal.to_string().contains(&joining), "{refusal}");
    }
    let distrusting = Credentials { ca: None, ..guarded.credentials(Some(Role::Worker)) };
    let refusal = Fleet::join(&url, &distrusting).await.err().expect("a refusal");
    assert!(refusal.is_final() && refusal.to_string().contains("--fleet-ca"), "{refusal}");
}
