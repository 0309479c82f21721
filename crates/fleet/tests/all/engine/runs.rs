//! A run from its submission to its deletion.

use crate::engine::scene::{PATIENCE, Scene, failed, report, run, size, take, word};
use futures::StreamExt;
use profiler_fleet::{Cancelled, Fenced, Settlement, Submitted};
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use tokio::time::timeout;

judged!(
    run_goes_from_a_gateway_to_a_worker_and_back,
    events_of_an_entry_are_read_in_order,
    request_id_has_one_run_at_all_gateways,
    waiting_run_is_cancelled_by_any_gateway,
    worker_hears_that_its_run_must_stop,
    request_id_of_a_run_that_has_ended_is_known,
    deleted_run_is_nowhere,
);

/// Length of a text in bytes. An entry has room for one such text, and not for two.
const LARGE: usize = 400 << 10;

async fn run_goes_from_a_gateway_to_a_worker_and_back(scene: Scene) {
    let elsewhere = scene.another_gateway().await;
    let mut followed = elsewhere.fleet().follow(0);
    let run_id = scene.accepted(run("one", "a caller. of *", "")).await;
    let worker = scene.worker("w").await;
    let mut taken = take(&worker).await;
    taken.log.append(size(100)).await.expect("stored");
    taken.log.append(report()).await.expect("stored");
    assert_eq!(taken.log.append(size(200)).await, Err(Fenced), "after the end");
    worker.settle(taken.receipt, taken.lease, Settlement::Done).await.expect("done");
    let story = ["accepted", "started 1", "size 100", "finished"];
    assert_eq!(scene.story(&run_id).await, story);
    let seen: Vec<_> =
        followed.by_ref().take(story.len()).map(|event| word(&event)).collect().await;
    assert_eq!(seen, story);
    // No worker gets the finished run again.
    let another = scene.worker("another").await;
    let second = scene.accepted(run("two", "b", "")).await;
    assert_eq!(take(&another).await.origin.run.expect("a row").run_id, second);
}

/// A gateway that stopped within an entry reads the entry again.
async fn events_of_an_entry_are_read_in_order(scene: Scene) {
    let run_id = scene.accepted(run("one", "a", "")).await;
    let mut taken = take(&scene.worker("w").await).await;
    let before = scene.log_length().await;
    let event = |kind| v1::Event { kind: Some(kind), ..v1::Event::default() };
    let large = |size: u64| {
        let stderr_tail = "x".repeat(LARGE);
        event(Kind::SizeMeasured(v1::SizeResult { size, stderr_tail, ..v1::SizeResult::default() }))
    };
    taken.log.append_all(vec![large(1), large(2)]).await.expect("stored");
    assert_eq!(scene.log_length().await - before, 2, "an entry has no room for both");
    let brief = vec![event(size(3)), event(size(4)), event(report())];
    taken.log.append_all(brief).await.expect("stored");
    assert_eq!(scene.log_length().await - before, 3);
    assert_eq!(taken.log.append(size(5)).await, Err(Fenced), "after the end");
    let story = ["accepted", "started 1", "size 1", "size 2", "size 3", "size 4", "finished"];
    assert_eq!(scene.story(&run_id).await, story);
    let fleet = scene.gateway.fleet();
    let seen: Vec<_> = fleet.follow(0).take(story.len()).collect().await;
    assert_eq!(seen.iter().map(word).collect::<Vec<_>>(), story);
    let again = fleet.follow(seen[5].position).take(3).map(|event| word(&event));
    assert_eq!(again.collect::<Vec<_>>().await, story[4..]);
    let last = seen.last().expect("a last event").position;
    assert_eq!(last, taken.log.standing().position);
}

async fn request_id_has_one_run_at_all_gateways(scene: Scene) {
    let elsewhere = scene.another_gateway().await;
    let submissions = (0..16).map(|number| {
        let gateway = if number % 2 == 0 { &scene.gateway } else { &elsewhere };
        gateway.submit(run(&format!("run-{number}"), "a", "the same"))
    });
    let submitted = futures::future::try_join_all(submissions).await.expect("submitted");
    let ids: Vec<_> = submitted
        .into_iter()
        .map(|submitted| match submitted {
            Submitted::Run(origin) => origin.run.expect("a row").run_id,
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(scene.story(&ids[0]).await, ["accepted"]);
    let mut other = run("other", "a", "the same");
    other.origin.digest = vec![8; 32];
    assert_eq!(scene.gateway.submit(other).await.expect("asked"), Submitted::OtherJob);
    let another_owner = scene.accepted(run("another", "b", "the same")).await;
    assert_eq!(another_owner, "another");
}

async fn waiting_run_is_cancelled_by_any_gateway(scene: Scene) {
    let run_id = scene.accepted(run("one", "a", "")).await;
    let code = v1::ErrorCode::Cancelled;
    let elsewhere = scene.another_gateway().await;
    let cancel = async || elsewhere.cancel(&run_id, 1, code, || failed(code)).await.expect("asked");
    assert_eq!(cancel().await, Cancelled::Ended);
    assert_eq!(cancel().await, Cancelled::TooLate);
    assert_eq!(scene.story(&run_id).await, ["accepted", "failed ERROR_CODE_CANCELLED"]);
}

async fn worker_hears_that_its_run_must_stop(scene: Scene) {
    let run_id = scene.accepted(run("one", "a", "")).await;
    let worker = scene.worker("w").await;
    let mut taken = take(&worker).await;
    let code = v1::ErrorCode::Deadline;
    let cancel = scene.gateway.cancel(&run_id, 1, code, || panic!("the worker has it"));
    let (cancelled, heard) = tokio::join!(cancel, taken.stop.asked(worker.fleet()));
    assert_eq!((cancelled.expect("asked"), heard), (Cancelled::Stopping, code));
}

/// A submission with the request ID of an ended run gets that run.
async fn request_id_of_a_run_that_has_ended_is_known(scene: Scene) {
    let run_id = scene.accepted(run("one", "a", "mine")).await;
    let worker = scene.worker("w").await;
    let mut taken = take(&worker).await;
    taken.log.append(report()).await.expect("stored");
    let again = scene.gateway.submit(run("two", "a", "mine")).await.expect("asked");
    let Submitted::Ended(origin) = again else { panic!("{again:?}") };
    assert_eq!(origin.run.expect("a row").run_id, run_id);
}

/// Every gateway forgets a deleted run, and so does the engine.
async fn deleted_run_is_nowhere(scene: Scene) {
    let elsewhere = scene.another_gateway().await;
    let mut followed = elsewhere.fleet().follow(0);
    let run_id = scene.accepted(run("one", "a", "mine")).await;
    let live = scene.gateway.delete(&run_id).await.expect_err("it is live");
    assert!(live.to_string().contains("delete a run"), "{live}");
    let worker = scene.worker("w").await;
    let mut taken = take(&worker).await;
    let message = "x".repeat(3 << 20);
    let error = v1::SandboxError { message, ..v1::SandboxError::default() };
    taken.log.append(Kind::Failed(error)).await.expect("stored");
    // Read the events before the deletion, which removes the large message.
    let told = followed.by_ref().take(3).collect::<Vec<_>>();
    assert_eq!(timeout(PATIENCE, told).await.expect("in time").len(), 3);
    worker.settle(taken.receipt, taken.lease, Settlement::Done).await.expect("done");
    scene.gateway.delete(&run_id).await.expect("deleted");
    scene.gateway.delete(&run_id).await.expect("a second time changes nothing");
    let told = timeout(PATIENCE, followed.next()).await.expect("in time").expect("a word");
    assert!(told.is_deletion && told.event.run_id == run_id, "{told:?}");
    assert!(scene.story(&run_id).await.is_empty());
    assert_eq!(scene.gateway.fleet().origin_of(&run_id).await.expect("read"), None);
    // Its request ID is free.
    assert_eq!(scene.accepted(run("two", "a", "mine")).await, "two");
}
