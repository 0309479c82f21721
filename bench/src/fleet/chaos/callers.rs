//! A steady stream of submissions through two gateways, some of them twice, some cancelled.

use crate::fleet::chaos::random::Random;
use crate::fleet::jobs::{self, run_id};
use crate::fleet::model::history::Answer;
use profiler_fleet::{Cancelled, Gateway, Origin, Submitted};
use profiler_proto::v1::ErrorCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};

/// Callers, each with a queue of its own.
const CALLERS: usize = 8;
/// Submissions under way.
const MAX_UNDER_WAY: usize = 200;
/// Between two submissions of all callers, in milliseconds.
const PAUSE_MS: (u64, u64) = (30, 130);
/// How long a caller waits before it asks again, as a client does.
const AGAIN: Duration = Duration::from_millis(300);
/// How often a caller asks.
const MAX_TRIES: u32 = 200;
/// How long after its acceptance a run is cancelled, in milliseconds.
const CANCEL_MS: (u64, u64) = (1, 4_000);
/// The pool of all workers.
pub(crate) const POOL: &str = "chaos";

/// What became of submissions.
#[derive(Default)]
pub(crate) struct Outcomes {
    pub(crate) answers: Mutex<Vec<Answer>>,
    /// Runs whose worker said that it stops them.
    pub(crate) stopping: Mutex<Vec<String>>,
    pub(crate) submitted_twice: AtomicU64,
    pub(crate) cancelled: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) failed: AtomicU64,
    ids: AtomicU64,
}

/// What each submission shares.
pub(crate) struct Callers {
    pub(crate) gateways: Vec<Gateway>,
    pub(crate) outcomes: Outcomes,
}

/// What a caller wants.
#[derive(Clone)]
struct Wish {
    caller: String,
    /// Empty if the caller gives none.
    request: String,
    cancels_after: Option<Duration>,
}

impl Callers {
    /// Submits until then, and waits until every submission was answered.
    pub(crate) async fn run(self: Arc<Self>, mut random: Random, until: Instant) {
        let room = Arc::new(Semaphore::new(MAX_UNDER_WAY));
        let mut number = 0_u64;
        while Instant::now() < until {
            sleep(random.millis(PAUSE_MS.0, PAUSE_MS.1)).await;
            number += 1;
            let wish = Wish {
                caller: format!("caller {}", random.below(CALLERS)),
                request: if random.percent(70) {
                    format!("request-{number}")
                } else {
                    String::new()
                },
                cancels_after: random.percent(12).then(|| random.millis(CANCEL_MS.0, CANCEL_MS.1)),
            };
            let first = random.below(self.gateways.len());
            let mut through = vec![first];
            if !wish.request.is_empty() && random.percent(30) {
                through.push((first + 1) % self.gateways.len());
                self.outcomes.submitted_twice.fetch_add(1, Ordering::Relaxed);
            }
            for gateway in through {
                let Ok(permit) = Arc::clone(&room).acquire_owned().await else { return };
                let (all, wish) = (Arc::clone(&self), wish.clone());
                let canceller = random.below(self.gateways.len());
                tokio::spawn(async move {
                    if let Some(origin) = all.submit(gateway, &wish).await
                        && let Some(after) = wish.cancels_after
                    {
                        sleep(after).await;
                        all.cancel(canceller, &origin).await;
                    }
                    drop(permit);
                });
            }
        }
        // Every permit is back when every submission has ended.
        let all = u32::try_from(MAX_UNDER_WAY).unwrap_or(u32::MAX);
        let _ = room.acquire_many(all).await;
    }

    /// Submits until there is an answer. Who gives no request ID asks once, because asking again
    /// would be another run.
    async fn submit(&self, gateway: usize, wish: &Wish) -> Option<Origin> {
        let Outcomes { answers, refused, failed, ids, .. } = &self.outcomes;
        for _ in 0..MAX_TRIES {
            let id = format!("run-{}", ids.fetch_add(1, Ordering::Relaxed));
            let new = jobs::run(&id, &wish.caller, &wish.request, POOL);
            match self.gateways[gateway].submit(new).await {
                Ok(Submitted::Run(origin) | Submitted::Ended(origin)) => {
                    let answer =
                        Answer { request: wish.request.clone(), run: run_id(&origin).to_owned() };
                    answers.lock().unwrap_or_else(PoisonError::into_inner).push(answer);
                    return Some(*origin);
                }
                Ok(Submitted::QueueFull) => drop(refused.fetch_add(1, Ordering::Relaxed)),
                Ok(Submitted::OtherJob) | Err(_) => drop(failed.fetch_add(1, Ordering::Relaxed)),
            }
            if wish.request.is_empty() {
                return None;
            }
            sleep(AGAIN).await;
        }
        None
    }

    async fn cancel(&self, gateway: usize, origin: &Origin) {
        let Outcomes { stopping, cancelled, failed, ids, .. } = &self.outcomes;
        let claim = format!("gateway-{}", ids.fetch_add(1, Ordering::Relaxed));
        let code = ErrorCode::Cancelled;
        let failure = || jobs::failed(&claim, code);
        let (run, sequence) = (run_id(origin), origin.job_sequence);
        match self.gateways[gateway].cancel(run, sequence, code, failure).await {
            Ok(Cancelled::Stopping) => {
                cancelled.fetch_add(1, Ordering::Relaxed);
                stopping.lock().unwrap_or_else(PoisonError::into_inner).push(run.to_owned());
            }
            Ok(Cancelled::Ended) => drop(cancelled.fetch_add(1, Ordering::Relaxed)),
            Ok(Cancelled::TooLate) => {}
            Err(_) => drop(failed.fetch_add(1, Ordering::Relaxed)),
        }
    }
}
