//! A steady stream of submissions through two gateways, some of them twice, some cancelled. A
//! caller that gets no answer comes to the other gateway with the same request ID.

use crate::gateway::host::Line;
use crate::gateway::requests::{Asked, Reply};
use crate::model::history::Answer;
use crate::trial::random::Random;
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
/// The pause before a caller asks again, as a client makes it.
const AGAIN: Duration = Duration::from_millis(300);
/// Maximum number of times that a caller asks.
const MAX_TRIES: usize = 200;
/// Between the acceptance of a run and its cancelling, in milliseconds.
const CANCEL_MS: (u64, u64) = (1, 4_000);

/// The outcomes of all submissions.
#[derive(Default)]
pub(crate) struct Outcomes {
    pub(crate) answers: Mutex<Vec<Answer>>,
    /// Runs whose worker said that it stops them.
    pub(crate) stopping: Mutex<Vec<String>>,
    pub(crate) submitted_twice: AtomicU64,
    pub(crate) cancelled: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) failed: AtomicU64,
    /// Submissions with a request ID that were never answered, although they were made again.
    pub(crate) given_up: AtomicU64,
    ids: AtomicU64,
}

/// State shared by all submissions.
pub(crate) struct Callers {
    pub(crate) gateways: Vec<Arc<Line>>,
    pub(crate) outcomes: Outcomes,
}

/// A wish of a caller.
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
                caller: format!("caller-{}", random.below(CALLERS)),
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
                    if let Some((run, job_sequence)) = all.submit(gateway, &wish).await
                        && let Some(after) = wish.cancels_after
                    {
                        sleep(after).await;
                        all.cancel(canceller, run, job_sequence).await;
                    }
                    drop(permit);
                });
            }
        }
        // Every permit is back when every submission has ended.
        let all = u32::try_from(MAX_UNDER_WAY).unwrap_or(u32::MAX);
        let _ = room.acquire_many(all).await;
    }

    /// Submits until there is an answer, and returns the run and the number of its job. Who gives
    /// no request ID asks once, because asking again would be another run.
    async fn submit(&self, first: usize, wish: &Wish) -> Option<(String, u64)> {
        let Outcomes { answers, refused, failed, given_up, ids, .. } = &self.outcomes;
        let Wish { caller, request, .. } = wish;
        for gateway in self.gateways.iter().cycle().skip(first).take(MAX_TRIES) {
            let run = format!("run-{}", ids.fetch_add(1, Ordering::Relaxed));
            let (caller, request) = (caller.clone(), request.clone());
            match gateway.ask(&Asked::Submit { run, caller, request: request.clone() }).await {
                Some(Reply::Run { run, job_sequence }) => {
                    let answer = Answer { request, run: run.clone() };
                    answers.lock().unwrap_or_else(PoisonError::into_inner).push(answer);
                    return Some((run, job_sequence));
                }
                Some(Reply::Full) => drop(refused.fetch_add(1, Ordering::Relaxed)),
                _ => drop(failed.fetch_add(1, Ordering::Relaxed)),
            }
            if wish.request.is_empty() {
                return None;
            }
            sleep(AGAIN).await;
        }
        given_up.fetch_add(1, Ordering::Relaxed);
        None
    }

    async fn cancel(&self, gateway: usize, run: String, job_sequence: u64) {
        let Outcomes { stopping, cancelled, failed, ids, .. } = &self.outcomes;
        let claim = format!("gateway-{}", ids.fetch_add(1, Ordering::Relaxed));
        let asked = Asked::Cancel { run: run.clone(), job_sequence, claim };
        match self.gateways[gateway].ask(&asked).await {
            Some(Reply::Stopping) => {
                cancelled.fetch_add(1, Ordering::Relaxed);
                stopping.lock().unwrap_or_else(PoisonError::into_inner).push(run);
            }
            Some(Reply::Ended) => drop(cancelled.fetch_add(1, Ordering::Relaxed)),
            Some(Reply::TooLate) => {}
            _ => drop(failed.fetch_add(1, Ordering::Relaxed)),
        }
    }
}
