//! Operations of a worker: it takes a job, reports its state, and gets requests to stop a run.

mod bell;
mod lease;
mod outages;
mod queue;

pub(crate) use bell::ring;
pub(crate) use lease::ACK_WAIT;
pub use lease::{LEASE, Lease};

use crate::connection::Fleet;
use crate::connection::engine::Listening;
use crate::error::FleetError;
use crate::log::{Fenced, RunLog, Settlement};
use crate::messages::{Order, Origin, QueuedJob, WorkerState};
use crate::names::{self, ROLL_CALL, WORKERS};
use crate::roster::BEAT_INTERVAL;
use bell::Bell;
use futures::{FutureExt, Stream, StreamExt};
use outages::Outages;
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use prost::Message;
use queue::{Found, Queue};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, watch};
use tokio::time::{Instant, interval, sleep};

/// Maximum time that a worker without a job waits for the bell before it looks for jobs. The bell
/// is not rung for a job whose worker was lost.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);
/// Maximum number of workers that a run can lose. A program that crashes its host thus crashes at
/// most two hosts.
const MAX_LOST: u32 = 2;
/// Reason that is given for the restart of a run whose worker was lost.
const LOST: &str = "the worker that measured it was lost";
/// Reason that is given for the restart of a run whose lease ended in an outage of the engine.
const AWAY: &str = "the engine did not answer the worker that measured it";
/// Reason that is given for the restart of a run whose worker handed it back.
const HANDED_BACK: &str = "the worker that measured it was drained";

/// Reason that is given for the end of a run whose job is broken.
const UNREADABLE: &str = "the job of the run cannot be read";

/// The operations of a host's worker. All its cores share the turns of the callers.
pub struct Worker {
    fleet: Fleet,
    name: String,
    pool: String,
    queue: Mutex<Queue>,
    outages: Arc<Outages>,
}

/// Function that makes the last event of a run that lost too many workers, from its row and events.
pub type Interrupted = fn(Option<&v1::Run>, Vec<v1::Event>) -> v1::SandboxError;

/// A job that this worker has, until the lease is lost or another process writes to the log.
pub struct Taken {
    /// Origin of the job's run.
    pub origin: Origin,
    /// Submitted job.
    pub job: v1::Job,
    /// Encoded defaults of the gateway for the fields that the job omits.
    pub defaults: Vec<u8>,
    /// Log of the run's events.
    pub log: RunLog,
    /// Lease of the job.
    pub lease: Lease,
    /// Requests to stop the run.
    pub stop: StopRequests,
    /// Caller to charge for the job, and time at which the job began.
    pub receipt: Receipt,
}

/// Caller to charge for a job, and time at which the job began.
pub struct Receipt {
    lane: String,
    began: Instant,
}

/// Requests to stop a run.
pub struct StopRequests(Box<dyn Listening>);

impl StopRequests {
    /// Waits for a request to stop the run, answers it, and returns its reason.
    pub async fn asked(&mut self, fleet: &Fleet) -> v1::ErrorCode {
        let Some(message) = self.0.next().await else { return std::future::pending().await };
        if let Some(reply) = message.reply {
            // If the answer is lost, the gateway asks again.
            let _ = fleet.engine.publish(reply, bytes::Bytes::new()).await;
        }
        let code = message.payload.as_ref().try_into().map(i32::from_le_bytes).ok();
        let code = code.and_then(|code| v1::ErrorCode::try_from(code).ok());
        let code = code.filter(|code| *code != v1::ErrorCode::Unspecified);
        code.unwrap_or(v1::ErrorCode::Cancelled)
    }
}

impl Worker {
    /// Creates a worker called `name`, in `pool`.
    pub fn new(fleet: Fleet, name: String, pool: String) -> Self {
        let outages = Arc::<Outages>::default();
        let queue = Mutex::new(Queue::new(fleet.clone(), pool.clone(), Arc::clone(&outages)));
        Self { fleet, name, pool, queue, outages }
    }

    /// Returns the connection to the engine.
    pub fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    /// Waits for a job, and begins it; returns `None` if `until` completes first. `interrupted`
    /// makes the last event of a run that lost too many workers.
    pub async fn take(
        &self,
        interrupted: Interrupted,
        until: impl Future<Output = ()>,
    ) -> Result<Option<Taken>, FleetError> {
        let mut bell = Bell::listen(&self.fleet.engine, &self.pool).await?;
        let taken = self.take_at(&mut bell, interrupted, until).await;
        bell.leave();
        taken
    }

    async fn take_at(
        &self,
        bell: &mut Bell,
        interrupted: Interrupted,
        until: impl Future<Output = ()>,
    ) -> Result<Option<Taken>, FleetError> {
        let mut until = std::pin::pin!(until);
        let mut rung: Option<String> = None;
        loop {
            if (&mut until).now_or_never().is_some() {
                if let Some(lane) = rung {
                    // If the ring fails, another worker finds the job a little later.
                    let _ = ring(&*self.fleet.engine, &self.pool, &lane).await;
                }
                return Ok(None);
            }
            let found = match rung.take() {
                Some(lane) => self.queue.lock().await.rung(lane).await,
                None => None,
            };
            let found = match found {
                Some(found) => Some(found),
                None => self.queue.lock().await.next().await?,
            };
            let Some(found) = found else {
                tokio::select! {
                    biased;
                    lane = bell.rung() => rung = lane,
                    () = sleep(LOOK_INTERVAL) => {}
                    () = &mut until => return Ok(None),
                }
                continue;
            };
            // Boxed, because a job and an event are large.
            if let Some(taken) = Box::pin(self.begin(found, interrupted)).await? {
                return Ok(Some(taken));
            }
        }
    }

    /// Leaves a job, and charges its caller.
    pub async fn settle(
        &self,
        receipt: Receipt,
        lease: Lease,
        settlement: Settlement,
    ) -> Result<(), FleetError> {
        // Read the time before waiting for the lock: that wait is not charged to the caller.
        let took = receipt.began.elapsed();
        self.queue.lock().await.ended(&receipt.lane, took);
        match settlement {
            Settlement::Done => lease.done().await,
            Settlement::HandedBack => {
                lease.hand_back().await?;
                ring(&*self.fleet.engine, &self.pool, &receipt.lane).await
            }
            Settlement::Lost => Ok(()),
        }
    }

    /// Begins the run of a job, unless the run has ended, or lost too many workers.
    async fn begin(
        &self,
        found: Found,
        interrupted: Interrupted,
    ) -> Result<Option<Taken>, FleetError> {
        let (began, lane) = (Instant::now(), found.lane.clone());
        let taken = Box::pin(self.begin_in_log(found, began, interrupted)).await;
        if !matches!(taken, Ok(Some(_))) {
            let took = began.elapsed();
            self.queue.lock().await.ended(&lane, took);
        }
        taken
    }

    async fn begin_in_log(
        &self,
        Found { job, lane, asked }: Found,
        began: Instant,
        interrupted: Interrupted,
    ) -> Result<Option<Taken>, FleetError> {
        let doing = "read a job";
        let (receipt, job_sequence) = (Receipt { lane, began }, job.position);
        let (engine, outages) = (Arc::clone(&self.fleet.engine), Arc::clone(&self.outages));
        let mut lease = Lease::new(engine, job.reply, outages, asked);
        let queued = QueuedJob::decode(job.payload).unwrap_or_default();
        let (origin, defaults) = (queued.origin.unwrap_or_default(), queued.defaults);
        let run_id = origin.run_id().to_owned();
        if run_id.is_empty() {
            // No worker can read it.
            self.fleet.skip_broken("a job", job_sequence, &"it names no run");
            lease.done().await?;
            return Ok(None);
        }
        let open = async || RunLog::open(&self.fleet, &run_id, &self.name).await;
        let mut log = open().await?.for_job(job_sequence);
        // The subscription comes before the event that the run has started, so that no request to
        // stop it is lost.
        let stop = self.fleet.engine.listen(names::control(&run_id), None).await;
        let stop = StopRequests(stop.map_err(FleetError::when(doing))?);
        if log.standing().position == 0 {
            // The gateway has not written the first event yet, or was lost.
            let accepted: Result<(), Fenced> =
                log.accept(0, Origin { job_sequence, ..origin.clone() }).await;
            if accepted.is_err() {
                log = open().await?.for_job(job_sequence);
            }
        }
        let may_be_measured = log.is_left() && log.standing().handed_back > 0;
        let kind = self.next_event(&mut log, &origin, job_sequence, interrupted).await?;
        let Some(kind) = kind else {
            lease.done().await?;
            return Ok(None);
        };
        // Not read earlier, because the job's bytes are gone if the run has ended and was deleted.
        let bytes = self.fleet.bytes(queued.job.unwrap_or_default()).await?;
        let (job, kind) = match v1::Job::decode(bytes.as_slice()) {
            Ok(job) => (job, kind),
            Err(error) => {
                self.fleet.skip_broken("the job of a run", job_sequence, &error);
                let error = v1::SandboxError {
                    code: v1::ErrorCode::Internal.into(),
                    message: UNREADABLE.into(),
                    ..interrupted(origin.run.as_ref(), Vec::new())
                };
                (v1::Job::default(), Kind::Failed(error))
            }
        };
        let ends = matches!(kind, Kind::Failed(_));
        // A process that was suspended must not stop the worker that has the job now.
        if lease.has_ended().await {
            return Ok(None);
        }
        match log.append(kind).await {
            Ok(()) if ends => return lease.done().await.map(|()| None),
            Ok(()) => {}
            // Another process wrote to the log. If that process is lost, the engine gives out the
            // job again.
            Err(Fenced) => return Ok(None),
        }
        if log.standing().handed_back > 0 {
            lease.compare_with(log.authorship());
        }
        if may_be_measured && !lease.outlives_the_one_before().await {
            return Ok(None);
        }
        Ok(Some(Taken { origin, job, defaults, log, lease, stop, receipt }))
    }

    /// Makes the event with which the run of a job begins here, or ends. Returns `None` if the run
    /// has ended, or another job of it counts.
    async fn next_event(
        &self,
        log: &mut RunLog,
        origin: &Origin,
        job_sequence: u64,
        interrupted: Interrupted,
    ) -> Result<Option<Kind>, FleetError> {
        let run_id = origin.run_id();
        // The log has been read, so the engine answers.
        self.outages.note(&*self.fleet.engine, true).await;
        let is_excused = log.is_left() && self.outages.excuse(log.standing().position);
        if is_excused {
            log.excuse();
        }
        let standing = log.standing();
        let next = standing.attempt + 1;
        let (worker, pool) = (self.name.clone(), self.pool.clone());
        // A run whose gateway was lost, or that moved to another pool, may be queued twice. The log
        // names the job that counts. A worker of an earlier version names none; its job is that of
        // the run's origin.
        let counts = match standing.job_sequence {
            0 if standing.attempt == 0 => 0,
            0 => self.fleet.origin_of(run_id).await?.unwrap_or_default().job_sequence,
            known => known,
        };
        let is_second_job = counts != 0 && counts != job_sequence;
        Ok(if standing.has_ended || is_second_job {
            None
        } else if standing.attempt.saturating_sub(standing.handed_back) >= MAX_LOST {
            let known = self.fleet.events_of(run_id).await?;
            let known = known.into_iter().map(|followed| followed.event).collect();
            Some(Kind::Failed(interrupted(origin.run.as_ref(), known)))
        } else if next > 1 {
            let reason = if standing.was_handed_back {
                HANDED_BACK
            } else if is_excused {
                AWAY
            } else {
                LOST
            };
            let reason = reason.into();
            Some(Kind::Restarted(v1::Restarted { attempt: next, reason, worker, pool }))
        } else {
            Some(Kind::Started(v1::Started { attempt: next, worker, pool }))
        })
    }

    /// Yields the orders of operators to all workers.
    pub async fn orders(
        &self,
    ) -> Result<impl Stream<Item = Order> + Send + Unpin + use<>, FleetError> {
        let heard = self.fleet.engine.listen(names::orders(), None).await;
        let heard = heard.map_err(FleetError::when("listen for orders"))?;
        let orders =
            heard.filter_map(|message| std::future::ready(Order::decode(message.payload).ok()));
        Ok(orders.boxed())
    }

    /// Reports the state of this worker at an interval, after changes and on request, for as long
    /// as the future is polled.
    pub async fn say(&self, mut state: watch::Receiver<WorkerState>) -> Result<(), FleetError> {
        let doing = "say that a worker is there";
        let called = self.fleet.engine.listen(ROLL_CALL.into(), None).await;
        let mut called = called.map_err(FleetError::when(doing))?;
        let mut beat = interval(BEAT_INTERVAL);
        loop {
            let said = state.borrow_and_update().encode_to_vec();
            let told = self.fleet.engine.publish(WORKERS.into(), said.into()).await;
            told.map_err(FleetError::when(doing))?;
            tokio::select! {
                biased;
                _ = beat.tick() => {}
                _ = called.next() => {}
                changed = state.changed() => if changed.is_err() { return Ok(()) },
            }
        }
    }
}
