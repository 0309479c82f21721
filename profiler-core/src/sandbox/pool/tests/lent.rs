//! Sandboxes that waited through an upgrade, and sandboxes whose job is dropped.

use super::*;

#[tokio::test(start_paused = true)]
async fn sandbox_of_before_an_upgrade_is_not_lent() {
    let mut stage = stage(1);
    let _waiting = stage.started().await;
    stage.backend.outdated.store(1, Ordering::SeqCst);
    assert_eq!(stage.acquire().await.1, 2);
}

/// Without waiting sandboxes, each one has been started for its job.
#[tokio::test(start_paused = true)]
async fn new_sandbox_is_current() {
    let stage = stage(0);
    stage.backend.outdated.store(1, Ordering::SeqCst);
    assert_eq!(stage.acquire().await.1, 1);
}

#[tokio::test(start_paused = true)]
async fn pool_is_closed_once_the_sandbox_of_a_dropped_job_is_gone() {
    let may_go = Arc::new(Notify::new());
    let backend = Numbered { may_go: Some(may_go.clone()), ..Numbered::default() };
    let pool = Pool::new(Arc::new(backend), 0);
    drop(pool.acquire().await.ok().unwrap());
    let closing = pool.close();
    tokio::pin!(closing);
    assert!(timeout(LONG, &mut closing).await.is_err(), "the sandbox is still there");
    may_go.notify_one();
    timeout(LONG, closing).await.expect("it is gone");
}
