use super::*;
use crate::attachment::OnDisconnect;
use crate::backend::stuck;
use crate::runs::{Runs, Submission};
use futures::StreamExt;
use profiler_core::job::Draft;
use tokio::time::timeout;

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

/// Its place is 0 from the beginning and told again, as often happens to a run that is being accepted
/// while the one in front of it ends.
#[tokio::test(start_paused = true)]
async fn a_place_that_changes_before_the_first_event_does_not_go_before_it() {
    let (mut attached, _runs, store) = run().await;
    let run_id = attached.run_id.clone();
    let place = watch::Sender::new(1);
    let progress = watch::Sender::new(Progress::Stored(0));
    (attached.place, attached.progress) = (place.subscribe(), progress.subscribe());
    place.send_replace(0);
    let mut watched = Watch::new(attached, store.clone(), Deadline::default(), 0);
    assert!(timeout(HEARTBEAT / 2, watched.next()).await.is_err(), "nothing has happened yet");
    while store.run(&run_id).await.unwrap().unwrap().last_sequence == 0 {
        sleep(HEARTBEAT / 100).await;
    }
    progress.send_replace(Progress::Stored(1));
    let first = watched.next().await.unwrap().unwrap();
    assert!(matches!(first.kind, Some(Kind::Accepted(_))), "{first:?}");
    let second = watched.next().await.unwrap().unwrap();
    assert_eq!(second.kind, Some(Kind::Heartbeat(v1::Heartbeat { queue_position: 0 })));
}
