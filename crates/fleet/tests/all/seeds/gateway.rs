//! A gateway that does what callers ask, and stores what it reads.

use crate::seeds::history::History;
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use profiler_fleet::{Fleet, Gateway};
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
    let position = history.get().stored.get(&number).and_then(|stored| stored.last().cloned());
    let mut followed = fleet.follow(position.map_or(0, |last| last.position));
    let gateway = Gateway::new(fleet);
    let mut doing = FuturesUnordered::new();
    let mut recalling = gateway.recall_forgotten_jobs().boxed();
    loop {
        tokio::select! {
            biased;
            Some(followed) = followed.next() => history.get().store(number, followed),
            Some(request) = requests.recv() => doing.push(request(gateway.clone())),
            Some(()) = doing.next() => {}
            () = &mut recalling => {}
        }
    }
}
