//! The runs that tools start, and the calls that wait for them.
//!
//! One task follows each live run, so a run goes on while no call waits for it. A call waits until
//! its run has ended, or until the time in which it must answer is over.

mod live;
mod turns;

pub(crate) use live::State;

use crate::failure::{Failure, RUN_ID};
use live::follow;
use profiler_client::Client;
use profiler_export::Ending;
use profiler_proto::v1;
use profiler_proto::v1::get_run_response::Ending as Ended;
use std::collections::HashMap;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

/// Default time limit of a call. Clients commonly give up after a minute.
pub const DEFAULT_ANSWER_LIMIT: Duration = Duration::from_secs(45);
/// Maximum number of calls of a session that are answered at the same time.
pub(crate) const MAX_CALLS: usize = 32;
/// Time limit for the service to accept a run.
const SUBMIT_LIMIT: Duration = Duration::from_secs(40);
/// Interval at which a client that asked for progress hears that the run is alive.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);
/// Time limit for the service to cancel the live runs of a session that ends.
const END_LIMIT: Duration = Duration::from_millis(500);

/// The service, and the runs that this session has started on it.
#[derive(Debug, Clone)]
pub struct Session {
    pub(crate) client: Client,
    answer_limit: Duration,
    calls: Arc<Semaphore>,
    /// Room for submissions, which can outlive their calls.
    submissions: Arc<Semaphore>,
    /// Permit of the one call whose specs are read or written, see [`Session::in_turn`].
    working: Arc<Semaphore>,
    live: Arc<Mutex<HashMap<String, Arc<watch::Sender<State>>>>>,
    /// Number of times that a job's run was ended by something other than its program.
    spoiled: Arc<Mutex<HashMap<String, u32>>>,
    /// Cancelled when the client has gone.
    pub(crate) ending: CancellationToken,
}

/// One call of a tool: the token that cancels it, and the receiver of its progress.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) cancelled: CancellationToken,
    /// `None` if the client did not ask for progress. Sentences that do not fit in the channel are
    /// lost.
    pub(crate) progress: Option<mpsc::Sender<String>>,
    /// Deadline of the call's answer.
    pub(crate) until: Instant,
}

impl Call {
    fn report(&self, said: &str) {
        if let Some(progress) = &self.progress {
            let _ = progress.try_send(said.to_owned());
        }
    }
}

/// Known state of a run when its call answers.
#[derive(Debug)]
pub(crate) enum Known {
    Ended(Box<Ending>),
    Live(Box<State>),
}

impl Session {
    /// A session with a service. A call answers within the limit, with a handle if its run still
    /// goes on.
    pub fn new(client: Client, answer_limit: Duration) -> Self {
        Self {
            client,
            answer_limit,
            calls: Arc::new(Semaphore::new(MAX_CALLS)),
            submissions: Arc::new(Semaphore::new(MAX_CALLS)),
            working: Arc::new(Semaphore::new(1)),
            live: Arc::default(),
            spoiled: Arc::default(),
            ending: CancellationToken::new(),
        }
    }

    /// Takes one of [`MAX_CALLS`] places until the permit is dropped; `None` if all places are
    /// taken.
    pub(crate) fn admit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.calls).try_acquire_owned().ok()
    }

    /// Whether a call is answered, or a run is live.
    pub(crate) fn is_busy(&self) -> bool {
        self.calls.available_permits() < MAX_CALLS || !lock(&self.live).is_empty()
    }

    /// Returns the deadline of a call that begins now.
    pub(crate) fn until(&self) -> Instant {
        Instant::now() + self.answer_limit
    }

    /// Starts a job, or finds the run that an equal job already has. `key` identifies the job.
    /// Returns the run's id.
    pub(crate) async fn start(
        &self,
        key: &str,
        job: v1::Job,
        call: &Call,
    ) -> Result<String, Failure> {
        let spoiled = lock(&self.spoiled).get(key).copied().unwrap_or_default();
        let job = v1::Job { request_id: format!("{key}-{spoiled}"), ..job };
        let client = self.client.clone();
        let no_room =
            || Failure::Fault("the service has no room for this run; call again later".into());
        let place = Arc::clone(&self.submissions).try_acquire_owned().map_err(|_| no_room())?;
        // In a task of its own: if this call stops waiting, the submission still completes, and
        // dropping its result cancels the run.
        let submitted = tokio::spawn(async move {
            let submitted = timeout(SUBMIT_LIMIT, client.submit(job)).await;
            drop(place);
            submitted
        });
        let run = tokio::select! {
            submitted = submitted => match submitted {
                Ok(Ok(run)) => run.map_err(Failure::of_job)?,
                Ok(Err(_)) => return Err(no_room()),
                Err(panicked) => return Err(Failure::Fault(panicked.to_string())),
            },
            () = call.cancelled.cancelled() => return Err(cancelled()),
            () = self.ending.cancelled() => return Err(cancelled()),
        };
        let run_id = run.id().to_owned();
        let mut live = lock(&self.live);
        if live.contains_key(&run_id) {
            // Another call has started it, and the task of that call follows it.
            run.detach();
            return Ok(run_id);
        }
        let state = Arc::new(watch::Sender::new(State::default()));
        live.insert(run_id.clone(), state.clone());
        drop(live);
        let (session, key, id) = (self.clone(), key.to_owned(), run_id.clone());
        tokio::spawn(async move {
            if follow(run, &state).await {
                *lock(&session.spoiled).entry(key).or_default() += 1;
            }
            lock(&session.live).remove(&id);
        });
        Ok(run_id)
    }

    /// Waits for a run of this session or another one. `owned` says whether cancelling the call
    /// cancels the run.
    pub(crate) async fn wait(
        &self,
        run_id: &str,
        call: &Call,
        owned: bool,
    ) -> Result<Known, Failure> {
        let followed = lock(&self.live).get(run_id).map(|state| state.subscribe());
        let Some(mut state) = followed else { return self.wait_for_foreign(run_id, call).await };
        let waited = self.wait_for(&mut state, call).await;
        let known = state.borrow().clone();
        drop(state);
        match waited {
            Err(failure) => {
                if owned {
                    self.cancel_if_alone(run_id).await;
                }
                Err(failure)
            }
            Ok(()) => self.known(run_id, known).await,
        }
    }

    /// Waits until the run ends or the call has to return.
    async fn wait_for(
        &self,
        state: &mut watch::Receiver<State>,
        call: &Call,
    ) -> Result<(), Failure> {
        loop {
            let said = {
                let now = state.borrow_and_update();
                if now.ending.is_some() {
                    return Ok(());
                }
                if let Some(fault) = &now.fault {
                    return Err(Failure::Fault(fault.clone()));
                }
                now.sentence()
            };
            call.report(&said);
            tokio::select! {
                changed = state.changed() => if changed.is_err() { return Ok(()) },
                () = sleep_until(call.until) => return Ok(()),
                () = sleep(PROGRESS_INTERVAL) => {}
                () = call.cancelled.cancelled() => return Err(cancelled()),
                () = self.ending.cancelled() => return Err(cancelled()),
            }
        }
    }

    /// Waits for a run that this session has not started, or that has ended.
    async fn wait_for_foreign(&self, run_id: &str, call: &Call) -> Result<Known, Failure> {
        if let ended @ Known::Ended(_) = self.look_up(run_id).await? {
            return Ok(ended);
        }
        let attached = self.client.attach(run_id, 0).await;
        let run = attached.map_err(|error| Failure::of_run(RUN_ID, error))?;
        let state = watch::Sender::new(State::default());
        let mut watched = state.subscribe();
        let waited = tokio::select! {
            waited = self.wait_for(&mut watched, call) => waited,
            () = async { follow(run, &state).await; pending::<()>().await } => Ok(()),
        };
        waited?;
        let known = watched.borrow().clone();
        self.known(run_id, known).await
    }

    /// Returns the ending that the events told, or else the state of the run at the service. The
    /// task that follows the run may not have read the last events yet.
    async fn known(&self, run_id: &str, told: State) -> Result<Known, Failure> {
        if let Some(ending) = told.ending {
            return Ok(Known::Ended(ending));
        }
        Ok(match self.look_up(run_id).await? {
            Known::Live(found) => Known::Live(Box::new(State { run: found.run, ..told })),
            ended @ Known::Ended(_) => ended,
        })
    }

    /// Asks the service for the state of a run.
    pub(crate) async fn look_up(&self, run_id: &str) -> Result<Known, Failure> {
        let found = self.client.run(run_id).await;
        let found = found.map_err(|error| Failure::of_run(RUN_ID, error))?;
        Ok(match found.ending {
            Some(Ended::Report(report)) => Known::Ended(Box::new(Ending::Report(Box::new(report)))),
            Some(Ended::Error(error)) => Known::Ended(Box::new(Ending::Error(Box::new(error)))),
            None => Known::Live(Box::new(State { run: found.run, ..State::default() })),
        })
    }

    /// Cancels a run for which no other call waits.
    async fn cancel_if_alone(&self, run_id: &str) {
        let others = lock(&self.live).get(run_id).map_or(0, |state| state.receiver_count());
        if others == 0 {
            // If the service cannot be reached, it ends the run when its client stays away.
            let _ = timeout(END_LIMIT, self.client.cancel(run_id)).await;
        }
    }

    /// Ends all calls and cancels all live runs.
    pub async fn end(&self) {
        self.ending.cancel();
        let mut cancelling: JoinSet<()> = lock(&self.live)
            .keys()
            .cloned()
            .map(|id| {
                let client = self.client.clone();
                async move { drop(client.cancel(&id).await) }
            })
            .collect();
        let _ = timeout(END_LIMIT, async { while cancelling.join_next().await.is_some() {} }).await;
    }
}

/// Builds the failure of a cancelled call. Nobody reads its answer.
fn cancelled() -> Failure {
    Failure::Fault("the call was cancelled".into())
}

/// Locks a map. It is intact, even if a panic happened while the lock was held.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
