//! A gateway that does what callers ask, and stores what it reads.

use crate::seeds::history::History;
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use profiler_fleet::{Fleet, Followed, Gateway, Roster};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::sleep;

/// Something that a caller asks a gateway to do.
pub(crate) type Request = Box<dyn FnOnce(Gateway) -> BoxFuture<'static, ()> + Send>;

/// Pause before the engine is asked again.
const PAUSE: Duration = Duration::from_secs(1);

/// Does what callers ask, and stores what the gateway with this number reads.
pub(crate) async fn serve(
    fleet: Fleet,
    number: usize,
    history: History,
    mut requests: mpsc::Receiver<Request>,
) {
    while fleet.logs_state().await.is_err() {
        sleep(PAUSE).await;
    }
    let stored = history.get().stored.get(&number).cloned().unwrap_or_default();
    let position = stored.last().map_or(0, |last| last.position);
    // It was killed while it stored the events of an entry, and reads them again.
    let again = stored.into_iter().filter(|it| it.position == position);
    let again: Vec<_> = again.map(|it| (it.event.run_id, it.event.sequence)).collect();
    let is_new = |followed: &Followed| {
        let event = &followed.event;
        !again.contains(&(event.run_id.clone(), event.sequence))
    };
    let mut followed = fleet.follow(position);
    let gateway = Gateway::new(fleet);
    let mut doing = FuturesUnordered::new();
    let roster = Roster::default();
    while roster.listen(gateway.fleet()).await.is_err() {
        sleep(PAUSE).await;
    }
    let mut recalling = gateway.recall_forgotten_jobs().boxed();
    let mut telling = gateway.tell_pools(&roster).boxed();
    loop {
        tokio::select! {
            biased;
            Some(followed) = followed.next() => if is_new(&followed) {
                history.get().store(number, followed);
            },
            Some(request) = requests.recv() => doing.push(request(gateway.clone())),
            Some(()) = doing.next() => {}
            () = &mut recalling => {}
            () = &mut telling => {}
        }
    }
}
