//! Presence of the workers, one of which is slower than the others until everything is whole.

use crate::engine::scene::POOL;
use crate::seeds::history::History;
use profiler_fleet::{DRIFTED, Fleet, Peers, Speed, Worker, WorkerState};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::sleep;

/// Durations of a calibration, in milliseconds.
const USUAL_MS: f64 = 10.0;
const SLOW_MS: f64 = 12.0;
/// Interval at which a worker compares itself with its pool.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// Pause after a failure.
const PAUSE: Duration = Duration::from_secs(1);

/// Reports a worker, and compares it with its pool, for as long as the future is polled.
pub(crate) async fn attend(fleet: Fleet, member: usize, history: History) {
    let (name, peers) = (format!("w{member}"), Peers::default());
    while peers.hear(&fleet, POOL).await.is_err() {
        sleep(PAUSE).await;
    }
    let worker = Worker::new(fleet, name.clone(), POOL.into());
    let state = WorkerState { worker: name, pool: POOL.into(), cores: 1, ..WorkerState::default() };
    let (state, said) = watch::channel(state);
    let saying = async {
        while worker.say(said.clone()).await.is_err() {
            sleep(PAUSE).await;
        }
    };
    let comparing = async {
        history.get().away.remove(&member);
        loop {
            let is_slow = history.get().slow == Some(member);
            let calibration_ms = if is_slow { SLOW_MS } else { USUAL_MS };
            state.send_if_modified(|state| {
                let changed = state.calibration_ms.total_cmp(&calibration_ms).is_ne();
                state.calibration_ms = calibration_ms;
                changed
            });
            let own = state.borrow().clone();
            match peers.compare(&own) {
                Speed::Differs(_) if own.draining.is_empty() => {
                    state.send_modify(|state| state.draining = DRIFTED.into());
                    history.get().leave(member);
                }
                Speed::OfPool if !own.draining.is_empty() => {
                    state.send_modify(|state| state.draining.clear());
                    history.get().come_back(member);
                }
                _ => {}
            }
            sleep(LOOK_INTERVAL).await;
        }
    };
    tokio::select! {
        biased;
        () = saying => {}
        () = comparing => {}
    }
}
