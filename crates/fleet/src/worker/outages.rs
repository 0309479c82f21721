//! Outages of the engine, as a worker sees them. A worker that cannot renew its lease in an outage
//! leaves its run, and the next attempt must not count it as lost.

use crate::connection::engine::{Engine, StreamName};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Shortest outage in which a lease can end.
pub(crate) const SHORTEST: Duration = Duration::from_secs(10);
/// Time after an outage in which every worker connects again, and entries that were sent in the
/// outage arrive. A free worker asks the engine once more within it.
const SETTLES: Duration = Duration::from_secs(6);

/// The outages that this worker has seen.
#[derive(Debug, Default)]
pub(crate) struct Outages(Mutex<Seen>);

#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    /// Time of the last answer of the engine.
    answered: Option<Instant>,
    /// Whether a question has failed since then.
    has_failed: bool,
    /// End of the last outage, and the position of the last entry of the logs then.
    ended: Option<(Instant, u64)>,
}

impl Outages {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes whether the engine has answered a question. A worker asks every 5 s, whether it
    /// measures or not.
    pub(crate) async fn note(&self, engine: &dyn Engine, has_answered: bool) {
        let (seen, answered) = (*self.seen(), Instant::now());
        let ended = match seen.ended {
            _ if !has_answered => {
                self.seen().has_failed = true;
                return;
            }
            _ if seen.is_over() => Some(answered),
            Some((at, _)) if at.elapsed() < SETTLES => Some(at),
            _ => None,
        };
        let mut now = Seen { answered: Some(answered), has_failed: false, ..seen };
        if let Some(at) = ended {
            // If this fails, the outage goes on until the next answer.
            let Ok(logs) = engine.state(StreamName::Logs).await else { return };
            now.ended = Some((at, logs.last));
        }
        *self.seen() = now;
    }

    /// Whether an outage has ended since an entry of the logs was stored. An attempt that writes
    /// another entry later is not excused, so a program that crashes hosts does so at most once or
    /// twice more for each outage.
    pub(crate) fn excuse(&self, position: u64) -> bool {
        let seen = self.seen();
        seen.is_over() || seen.ended.is_some_and(|(_, last)| position <= last)
    }
}

impl Seen {
    /// Whether an outage ends if the engine answers now.
    fn is_over(&self) -> bool {
        self.has_failed && self.answered.is_some_and(|at| at.elapsed() >= SHORTEST)
    }
}
