use super::*;
use crate::attachment::OnDisconnect;
use crate::backend::stuck;
use crate::runs::{Runs, Submission};
use futures::StreamExt;
use profiler_core::job::Draft;

/// A run that waits for its sandbox for ever, and the store it is kept in.
async fn run() -> (Attached, Runs, Store) {
    let store = Store::in_memory().unwrap();
    let runs = Runs::new(stuck(), store.clone(), 1, 1);
    let draft =
        Draft { task_id: "hello".into(), source: b"int main() {}".into(), ..Draft::default() };
    let submission = Submission {
        job: draft.try_into().unwrap(),
        digest: [0; 32],
        request_id: String::new(),
        on_disconnect: OnDisconnect::Cancel,
        caller: "test".into(),
    };
    (runs.submit(submission).await.unwrap(), runs, store)
}

#[tokio::test(start_paused = true)]
async fn who_does_not_read_is_cut_off_and_its_run_ends() {
    let (attached, _runs, store) = run().await;
    let mut progress = attached.progress.clone();
    let run_id = attached.run_id.clone();
    let events = Watch::new(attached, store.clone(), Deadline::default(), 0).stream();
    assert!(progress.wait_for(|now| matches!(now, Progress::Ended(_))).await.is_ok());
    assert_eq!(store.run(&run_id).await.unwrap().unwrap().error_code, "cancelled");
    let last = events.collect::<Vec<_>>().await.pop().unwrap();
    assert_eq!(last, Err(Refusal::SlowWatcher));
}

#[tokio::test(start_paused = true)]
async fn who_reads_slowly_is_not_cut_off() {
    let (attached, _runs, store) = run().await;
    let mut events = Box::pin(Watch::new(attached, store, Deadline::default(), 0).stream());
    for _ in 0..10 {
        assert!(events.next().await.unwrap().is_ok());
        sleep(SLOW_LIMIT * 9 / 10).await;
    }
}
