//! Messages from one role to another, a change of the workers' keys while a server runs, and large
//! bytes, which a worker cannot change.

use crate::rights::guarded::{Guarded, Role};
use crate::rights::{LARGE, PATIENCE, POOL, accepted, run, take};
use async_nats::HeaderMap;
use async_nats::client::RequestErrorKind;
use async_nats::header::NATS_ROLLUP;
use async_nats::jetstream;
use futures::{FutureExt, StreamExt};
use profiler_fleet::{Fleet, Gateway, Settlement, Worker};
use profiler_proto::v1;
use profiler_test_support::wait::until;
use prost::Message;
use tokio::time::timeout;

const BELLS: usize = 20;

async fn stops_and_bells(guarded: &Guarded) {
    // Once the streams exist, the servers have formed a cluster.
    guarded.prepare().await;
    let gateway = guarded.client(Role::Gateway).await;
    let word = gateway.request("sp1.ctl.nobody", "".into());
    let unheard = timeout(PATIENCE, word).await.expect("in time").expect_err("nobody listens");
    assert_eq!(unheard.kind(), RequestErrorKind::NoResponders);

    let bell = format!("sp1.bell.{POOL}");
    let mut workers = Vec::new();
    for _ in 0..3 {
        let worker = guarded.client(Role::Worker).await;
        let woken = worker.queue_subscribe(bell.clone(), POOL.into()).await.expect("sent");
        let called = worker.subscribe("sp1.rollcall").await.expect("sent");
        worker.flush().await.expect("flushed");
        workers.push((worker, woken, called));
    }
    for (_, _, called) in &mut workers {
        // Once a message arrives, the gateway's server knows the worker's subscriptions.
        loop {
            gateway.publish("sp1.rollcall", "".into()).await.expect("sent");
            gateway.flush().await.expect("flushed");
            if called.next().now_or_never().is_some() {
                break;
            }
            tokio::task::yield_now().await;
        }
    }
    for _ in 0..BELLS {
        gateway.publish(bell.clone(), "".into()).await.expect("sent");
    }
    gateway.publish("sp1.rollcall", "the end".into()).await.expect("sent");
    let mut heard = 0;
    for (_, woken, called) in &mut workers {
        let ended = async { while called.next().await.expect("a word").payload != "the end" {} };
        timeout(PATIENCE, ended).await.expect("in time");
        // The messages that have arrived can still be read, and then the stream ends.
        // `now_or_never` could miss some, because tokio answers "pending" to a task that has read
        // much in one turn.
        woken.unsubscribe().await.expect("sent");
        while woken.next().await.is_some() {
            heard += 1;
        }
    }
    assert_eq!(heard, BELLS, "each bell wakes one worker of a group");
    assert_eq!(guarded.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn bell_wakes_one_of_a_group_and_a_stop_that_nobody_hears_is_known() {
    let Some(guarded) = Guarded::start().await else { return };
    stops_and_bells(&guarded).await;
}

#[tokio::test]
async fn so_they_do_in_a_cluster() {
    let Some(guarded) = Guarded::cluster().await else { return };
    stops_and_bells(&guarded).await;
}

#[tokio::test]
async fn reload_takes_a_host_in_and_another_out() {
    let Some(guarded) = Guarded::start().await else { return };
    let gateway = Gateway::new(guarded.prepare().await);
    let first = Worker::new(guarded.join().await, "first".into(), POOL.into());
    let (key, credentials) = guarded.another_key();
    let line = format!("WORKERS = [\n  {{ nkey: {key}, permissions: $ROLE_WORKER }}");
    guarded.reload(|users| users.replace("WORKERS = [", &line)).await;
    let second = Fleet::join(&guarded.url(), &credentials).await.expect("joined");
    let second = Worker::new(second, "second".into(), POOL.into());
    for (worker, run_id) in [(&first, "one"), (&second, "two"), (&first, "three")] {
        accepted(&gateway, run(run_id, "")).await;
        let taken = take(worker).await;
        worker.settle(taken.receipt, taken.lease, Settlement::Done).await.expect("done");
    }
    let without = |users: &str| {
        let kept = users.lines().filter(|line| !line.contains("SWIFTPROF_WORKER_NKEY"));
        kept.collect::<Vec<_>>().join("\n")
    };
    guarded.reload(without).await;
    let is_out = async || (!first.fleet().is_connected()).then_some(());
    until("the first host is out", PATIENCE, is_out).await;
    accepted(&gateway, run("four", "")).await;
    take(&second).await;
}

#[tokio::test]
async fn worker_neither_replaces_nor_erases_large_bytes() {
    let Some(guarded) = Guarded::start().await else { return };
    let gateway = Gateway::new(guarded.prepare().await);
    let mut new = run("one", "");
    let code_cpp = "x".repeat(LARGE);
    let code = Some(v1::CodeMessage { code_cpp, ..v1::CodeMessage::default() });
    new.job = v1::Job { code, ..v1::Job::default() }.encode_to_vec();
    accepted(&gateway, new).await;
    let owner = jetstream::new(guarded.client(Role::Gateway).await);
    let stream = owner.get_stream("SP_BLOBS").await.expect("a stream");
    let mut pieces = stream.info_with_subjects(">").await.expect("read");
    let mut subjects = Vec::new();
    while let Some(piece) = pieces.next().await {
        subjects.push(piece.expect("read").0);
    }
    assert!(subjects.len() > 1, "{subjects:?}");

    let before = guarded.streams().await;
    let hostile = jetstream::new(guarded.client(Role::Worker).await);
    subjects.push("sp1.blob.new.0".into());
    for subject in &subjects {
        for rollup in ["sub", "all"] {
            let mut headers = HeaderMap::new();
            headers.insert(NATS_ROLLUP, rollup);
            let asked = hostile.publish_with_headers(subject.clone(), headers, "forged".into());
            let refused = asked.await.expect("sent").await;
            refused.expect_err("a message that replaces others");
        }
    }
    subjects.pop();
    for subject in subjects {
        let asked = hostile.publish(subject, "forged".into()).await.expect("sent");
        asked.await.expect_err("a second message of a piece");
    }
    assert_eq!(guarded.streams().await, before);
}
