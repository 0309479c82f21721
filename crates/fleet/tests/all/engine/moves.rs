//! Moves of waiting runs to another pool.

use crate::engine::scene::{POOL, Scene, report, run, take};
use profiler_fleet::{Settlement, Worker};

judged!(
    run_that_moved_is_measured_in_its_new_pool,
    run_that_a_worker_has_begun_does_not_move,
    run_that_moves_twice_is_measured_once,
);

/// Another pool than [`POOL`].
const OTHER: &str = "b2e4758ef19427fe";

impl Scene {
    async fn worker_elsewhere(&self) -> Worker {
        Worker::new(self.join().await, "elsewhere".into(), OTHER.into())
    }
}

/// The worker of the new pool hands its attempt back, and the next attempt has the same job.
async fn run_that_moved_is_measured_in_its_new_pool(scene: Scene) {
    let run_id = scene.accepted(run("one", "a", "")).await;
    assert!(scene.gateway.move_run(&run_id, POOL, OTHER).await.expect("asked"));
    assert!(!scene.gateway.move_run(&run_id, POOL, OTHER).await.expect("asked"), "it has moved");
    let origin = scene.gateway.fleet().origin_of(&run_id).await.expect("read").expect("known");
    assert_eq!((origin.pool.as_str(), origin.job_sequence), (OTHER, 2));
    let queues = scene.gateway.fleet().queues().await.expect("read");
    assert_eq!(
        queues.iter().map(|queue| (queue.pool.as_str(), queue.jobs)).collect::<Vec<_>>(),
        [(OTHER, 1)]
    );
    let worker = scene.worker_elsewhere().await;
    let mut first = take(&worker).await;
    let settlement = first.log.hand_back().await;
    worker.settle(first.receipt, first.lease, settlement).await.expect("handed back");
    let mut second = take(&worker).await;
    second.log.append(report()).await.expect("stored");
    assert_eq!(scene.story(&run_id).await, ["accepted", "started 1", "restarted 2", "finished"]);
}

async fn run_that_a_worker_has_begun_does_not_move(scene: Scene) {
    let run_id = scene.accepted(run("one", "a", "")).await;
    let mut taken = take(&scene.worker("w").await).await;
    assert!(!scene.gateway.move_run(&run_id, POOL, OTHER).await.expect("asked"));
    taken.log.append(report()).await.expect("stored");
    assert!(!scene.gateway.move_run(&run_id, POOL, OTHER).await.expect("asked"));
    assert_eq!(scene.story(&run_id).await, ["accepted", "started 1", "finished"]);
}

/// Two gateways move each run, while a worker of its pool comes back. One of them has it.
async fn run_that_moves_twice_is_measured_once(scene: Scene) {
    let elsewhere = scene.another_gateway().await;
    let (here, there) = (scene.worker("w").await, scene.worker_elsewhere().await);
    for number in 0..10 {
        let run_id = scene.accepted(run(&format!("run-{number}"), "a", "")).await;
        let measured = async {
            let (worker, mut taken) = tokio::select! {
                taken = take(&here) => (&here, taken),
                taken = take(&there) => (&there, taken),
            };
            assert_eq!(taken.origin.run_id(), run_id);
            taken.log.append(report()).await.expect("stored");
            let settled = worker.settle(taken.receipt, taken.lease, Settlement::Done).await;
            settled.expect("done");
        };
        let (one, other, ()) = tokio::join!(
            scene.gateway.move_run(&run_id, POOL, OTHER),
            elsewhere.move_run(&run_id, POOL, OTHER),
            measured
        );
        one.expect("asked");
        other.expect("asked");
        assert_eq!(scene.story(&run_id).await, ["accepted", "started 1", "finished"]);
    }
}
