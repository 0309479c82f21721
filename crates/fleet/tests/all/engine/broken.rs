//! Messages that nobody can read.

use crate::engine::scene::{PATIENCE, POOL, Scene, digest, report, run, size, take, word};
use futures::StreamExt;
use profiler_fleet::Settlement;
use std::iter::repeat_n;
use tokio::time::timeout;

judged!(broken_entry_of_a_log_is_skipped, broken_job_is_skipped, broken_claim_is_replaced,);

/// The bytes of no message.
const BROKEN: &[u8] = b"\xff\xff\xff";

/// Its run goes on, and gateways read what follows.
async fn broken_entry_of_a_log_is_skipped(scene: Scene) {
    let mut followed = scene.gateway.fleet().follow(0);
    let run_id = scene.accepted(run("one", "a", "")).await;
    let worker = scene.worker("w").await;
    let mut taken = take(&worker).await;
    for payload in [BROKEN, b""] {
        scene.put("sp1.ev.one", payload).await;
        taken.log.append(size(100)).await.expect("it is not fenced");
    }
    scene.put("sp1.ev.one", BROKEN).await;
    // Its worker is lost, and the next one finds the broken entry.
    taken.lease.hand_back().await.expect("handed back");
    let mut next = take(&worker).await;
    next.log.append(report()).await.expect("stored");
    let story = ["accepted", "started 1", "size 100", "size 100", "restarted 2", "finished"];
    assert_eq!(scene.story(&run_id).await, story);
    let read = followed.by_ref().take(story.len()).map(|event| word(&event)).collect::<Vec<_>>();
    assert_eq!(timeout(PATIENCE, read).await.expect("in time"), story);
    assert_eq!(scene.gateway.fleet().broken_messages(), 3, "each is counted once");
}

/// No worker gets it again.
async fn broken_job_is_skipped(scene: Scene) {
    let worker = scene.worker("w").await;
    // The first run makes the queue of its caller.
    for run_id in ["one", "two"] {
        let run_id = scene.accepted(run(run_id, "a", "")).await;
        let taken = take(&worker).await;
        assert_eq!(taken.origin.run_id(), run_id);
        worker.settle(taken.receipt, taken.lease, Settlement::Done).await.expect("done");
        scene.put(&format!("sp1.job.{POOL}.{}", &digest(&["a"])[..16]), BROKEN).await;
    }
    scene.accepted(run("three", "a", "")).await;
    assert_eq!(take(&worker).await.origin.run_id(), "three");
    assert_eq!(worker.fleet().broken_messages(), 2);
    let queues = scene.gateway.fleet().queues().await.expect("read");
    assert_eq!(queues.iter().map(|queue| queue.jobs).sum::<u64>(), 1, "{queues:?}");
}

async fn broken_claim_is_replaced(scene: Scene) {
    scene.put(&format!("sp1.req.{}", digest(&["a", "request"])), BROKEN).await;
    let submitted = repeat_n(run("one", "a", "request"), 2);
    for new in submitted {
        assert_eq!(scene.accepted(new).await, "one");
    }
    assert_eq!(scene.accepted(run("two", "a", "request")).await, "one", "it has a run");
}
