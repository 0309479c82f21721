//! Callers that always have runs under way.

use crate::failure::Failure;
use profiler_chaos::jobs;
use profiler_fleet::{Gateway, Submitted};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::sleep;

/// The pause of a caller that was refused.
const REFUSED_PAUSE: Duration = Duration::from_millis(20);

/// Channels that tell a caller that one of its runs ended, by the caller's name, with which its run
/// IDs begin.
type Endings = HashMap<String, mpsc::UnboundedSender<()>>;

/// Starts callers like this one.
pub(crate) fn start_callers(
    like: &Caller,
    callers: usize,
    under_way: usize,
) -> (JoinSet<Result<(), Failure>>, Endings) {
    let (mut tasks, mut endings) = (JoinSet::new(), Endings::new());
    for number in 0..callers {
        let (ended, end) = mpsc::unbounded_channel();
        let caller = Caller { name: number.to_string(), ..like.clone() };
        endings.insert(caller.name.clone(), ended);
        tasks.spawn(caller.call(under_way, end));
    }
    (tasks, endings)
}

/// A caller that submits runs.
#[derive(Clone)]
pub(crate) struct Caller {
    gateway: Gateway,
    pool: &'static str,
    name: String,
    unanswered: Arc<AtomicU32>,
}

impl Caller {
    /// Submissions that the engine does not answer are counted in `unanswered`.
    pub(crate) fn new(gateway: Gateway, pool: &'static str, unanswered: Arc<AtomicU32>) -> Self {
        Self { gateway, pool, name: String::new(), unanswered }
    }

    /// Submits runs, so that there are always this many under way.
    async fn call(
        self,
        under_way: usize,
        mut ended: mpsc::UnboundedReceiver<()>,
    ) -> Result<(), Failure> {
        let room = Arc::new(Semaphore::new(under_way));
        let freed = Arc::clone(&room);
        tokio::spawn(async move {
            while let Some(()) = ended.recv().await {
                freed.add_permits(1);
            }
        });
        // The submissions are dropped with the caller.
        let mut submissions = JoinSet::new();
        for number in 0_u64.. {
            room.acquire().await?.forget();
            while submissions.try_join_next().is_some() {}
            submissions.spawn(self.clone().submit(number));
        }
        Ok(())
    }

    /// Submits until the run is accepted. The same run is never queued twice.
    async fn submit(self, number: u64) {
        let run = jobs::run(&format!("{}-{number}", self.name), &self.name, "", self.pool);
        loop {
            match self.gateway.submit(run.clone()).await {
                Ok(Submitted::QueueFull) => {}
                Ok(_) => return,
                Err(_) => drop(self.unanswered.fetch_add(1, Ordering::Relaxed)),
            }
            sleep(REFUSED_PAUSE).await;
        }
    }
}
