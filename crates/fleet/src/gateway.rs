//! Operations of a gateway on a run: it claims the request ID, queues the job, accepts the run, and
//! cancels it.

mod deletion;
mod forgotten;
mod moving;
mod probe;
pub(crate) mod retention;
mod telling;

use crate::connection::engine::{NewConsumer, Put, StreamName, Why};
use crate::connection::{ANSWER_TIMEOUT, Fleet};
use crate::error::FleetError;
use crate::log::{Fenced, RunLog, last_of, look};
use crate::messages::{Holds, Origin, QueuedJob, RequestClaim};
use crate::names;
use crate::worker::ACK_WAIT;
use crate::worker::ring;
use futures::{Stream, StreamExt};
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use prost::Message;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, timeout};
use uuid::Uuid;

/// Time after which the engine deletes the consumer of a caller that submits nothing. It is longer
/// than a job stays in the queue, because no worker is allowed to create the consumer again.
const IDLE_CONSUMER: Duration = Duration::from_secs(26 * 60 * 60);
/// Time for which a gateway assumes that a consumer that it created still exists: much shorter than
/// [`IDLE_CONSUMER`]. Creating an existing consumer again costs a synced write, or a vote of the
/// cluster.
const KNOWN_CONSUMER: Duration = Duration::from_secs(60);
/// Maximum number of attempts to write a claim if the engine does not answer.
const MAX_CLAIM_TRIES: u32 = 5;
/// Maximum number of requests to stop a run while it moves from one worker to another.
const MAX_CANCEL_TRIES: u32 = 5;
/// Timeout for a worker's answer that it is stopping the run.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

/// The operations of a gateway.
#[derive(Clone)]
pub struct Gateway {
    fleet: Fleet,
    /// Identifier that distinguishes this gateway from others.
    id: String,
    /// For each consumer, by name, the time at which this gateway last created it.
    made: Arc<Mutex<HashMap<String, Instant>>>,
}

/// A run to be accepted.
#[derive(Debug, Clone)]
pub struct NewRun {
    /// Origin of the run, with the pool already chosen.
    pub origin: Origin,
    /// Submitted job: an encoded [`v1::Job`].
    pub job: Vec<u8>,
    /// Encoded defaults for the fields that the job omits.
    pub defaults: Vec<u8>,
    /// Number of runs ahead of it in the queue.
    pub queue_position: u32,
}

/// Result of a submission.
#[derive(Debug, Clone, PartialEq)]
pub enum Submitted {
    /// The queued run. If the request ID was known, this is the earlier run with that ID.
    Run(Box<Origin>),
    /// The request ID belongs to this run, which has ended.
    Ended(Box<Origin>),
    /// The request ID belongs to a run of a different job.
    OtherJob,
    /// The caller's queue or the fleet's queue is full.
    QueueFull,
}

/// Result of the cancellation of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancelled {
    /// The run's worker is stopping it, and will write its last event.
    Stopping,
    /// The run had no worker, and this gateway wrote its last event.
    Ended,
    /// The run had ended already.
    TooLate,
}

impl Gateway {
    /// Creates a gateway with a new identifier.
    pub fn new(fleet: Fleet) -> Self {
        Self { fleet, id: Uuid::now_v7().to_string(), made: Arc::default() }
    }

    /// Returns the connection to the engine.
    pub fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    /// Accepts a run. For a known request ID, it returns the first run with that ID, and finishes
    /// the submission of that run if its gateway crashed before doing so. Returns once the job is
    /// queued, and waits a short time until the first event is stored.
    pub async fn submit(&self, mut new: NewRun) -> Result<Submitted, FleetError> {
        let request_id = new.origin.run.as_ref().map(|run| run.request_id.clone());
        let mut claimed = None;
        if let Some(request_id) = request_id.filter(|request_id| !request_id.is_empty()) {
            match self.claim(&request_id, &new.origin).await? {
                Claim::Mine(position) => claimed = Some(position),
                Claim::Known(known) if known.digest != new.origin.digest => {
                    return Ok(Submitted::OtherJob);
                }
                Claim::Known(known) => return Ok(Submitted::Run(known)),
                Claim::Ended(known) => return Ok(Submitted::Ended(known)),
                Claim::Unfinished(position, known) => {
                    claimed = Some(position);
                    new.origin = *known;
                }
            }
        }
        let Some(job_sequence) = self.queue(&mut new).await? else {
            let _ = self.fleet.erase(&new.origin.job_blob, new.origin.job_pieces).await;
            if let Some(position) = claimed {
                // This lets a later submission claim the request ID. If the deletion fails, only a
                // submission of the same job can.
                let _ = self.fleet.remove(StreamName::Logs, position).await;
            }
            return Ok(Submitted::QueueFull);
        };
        new.origin.job_sequence = job_sequence;
        // The job is queued, so the run is accepted. If the engine does not answer now, the worker
        // writes the first event.
        if let Ok(mut log) = RunLog::open(&self.fleet, new.origin.run_id(), "").await {
            let accepted = log.accept(new.queue_position, new.origin.clone());
            let _ = timeout(ANSWER_TIMEOUT, accepted).await;
        }
        // If the ring fails, the workers find the job a little later.
        let lane = names::lane(new.origin.caller());
        let _ = ring(&*self.fleet.engine, &new.origin.pool, &lane).await;
        Ok(Submitted::Run(Box::new(new.origin)))
    }

    /// Claims a request ID for a run, or finds the run that owns it.
    async fn claim(&self, request_id: &str, origin: &Origin) -> Result<Claim, FleetError> {
        let subject = names::claim(&origin.owner, request_id);
        let doing = "claim a request ID";
        let mut failures = 0;
        while failures < MAX_CLAIM_TRIES {
            let (last, mut claimed) = (last_of(&self.fleet, &subject).await?, origin.clone());
            // A broken claim belongs to no run, so this one replaces it.
            if let Some((position, message)) = &last
                && let Some(known) =
                    RequestClaim::decode(message.clone()).ok().and_then(|claim| claim.origin)
            {
                if known.run_id() == origin.run_id() {
                    return Ok(Claim::Mine(*position));
                }
                if known.digest != origin.digest {
                    return Ok(Claim::Known(Box::new(known)));
                }
                let standing = look(&self.fleet, known.run_id()).await?;
                if standing.has_ended {
                    return Ok(Claim::Ended(Box::new(known)));
                }
                if standing.position > 0 {
                    return Ok(Claim::Known(Box::new(known)));
                }
                // The gateway that wrote the claim withdraws it if it finds the queue full. This
                // gateway writes the claim again, and the other one cannot withdraw that one.
                claimed = known;
            }
            let position = last.map_or(0, |(position, _)| position);
            let claim = RequestClaim { origin: Some(claimed.clone()) }.encode_to_vec();
            let put = Put { after: Some(position), ..Put::of(claim) };
            match self.fleet.engine.store(subject.clone(), put).await {
                Ok(stored) if position == 0 => return Ok(Claim::Mine(stored)),
                Ok(stored) => return Ok(Claim::Unfinished(stored, Box::new(claimed))),
                // Another gateway wrote a claim first.
                Err(error) if error.why == Why::Overtaken => {}
                Err(error) if error.why == Why::Full => {
                    return Err(FleetError::new(doing, "the logs are full of live runs"));
                }
                Err(error) => {
                    tracing::debug!(target: "Profiler", %error, "claiming again");
                    failures += 1;
                }
            }
        }
        Err(FleetError::new(doing, "the engine did not answer"))
    }

    /// Puts the job into the queue, and returns its number there; `None` if the queue is full.
    async fn queue(&self, new: &mut NewRun) -> Result<Option<u64>, FleetError> {
        let doing = "queue a job";
        let origin = &mut new.origin;
        let lane = names::lane(origin.caller());
        self.make_consumer(&origin.pool, &lane).await?;
        let subject = names::jobs(&origin.pool, &lane);
        let body = self.fleet.body(&new.job).await?;
        (origin.job_blob, origin.job_pieces) = (body.blob.clone(), body.pieces);
        let name = Some(origin.run_id().to_owned());
        let (origin, defaults) = (Some(origin.clone()), new.defaults.clone());
        let queued = QueuedJob { origin, job: Some(body), defaults }.encode_to_vec();
        match self.fleet.engine.store(subject, Put { name, ..Put::of(queued) }).await {
            Ok(stored) => Ok(Some(stored)),
            Err(error) if error.why == Why::Full => Ok(None),
            Err(error) => Err(FleetError::new(doing, error.to_string())),
        }
    }

    /// Creates the consumer of a caller's jobs, unless this gateway did so a short time ago.
    async fn make_consumer(&self, pool: &str, lane: &str) -> Result<(), FleetError> {
        let name = names::consumer(pool, lane);
        let is_known = {
            let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            made.retain(|_, at| at.elapsed() < KNOWN_CONSUMER);
            made.contains_key(&name)
        };
        if is_known {
            return Ok(());
        }
        let subject = names::jobs(pool, lane);
        let (ack_wait, idle) = (ACK_WAIT, IDLE_CONSUMER);
        let new = NewConsumer { name: name.clone(), subject, ack_wait, idle };
        let made = self.fleet.engine.make_consumer(new).await;
        made.map_err(FleetError::when("queue a job"))?;
        self.made.lock().unwrap_or_else(PoisonError::into_inner).insert(name, Instant::now());
        Ok(())
    }

    /// Cancels a run. If no worker has it, `failed` makes its last event.
    pub async fn cancel(
        &self,
        run_id: &str,
        job_sequence: u64,
        code: v1::ErrorCode,
        failed: impl Fn() -> v1::SandboxError,
    ) -> Result<Cancelled, FleetError> {
        let doing = "cancel a run";
        for _ in 0..MAX_CANCEL_TRIES {
            let word = (code as i32).to_le_bytes().to_vec();
            let asked = self.fleet.engine.request(names::control(run_id), word.into());
            match timeout(STOP_TIMEOUT, asked).await {
                Ok(Ok(())) => return Ok(Cancelled::Stopping),
                Ok(Err(error)) if error.why != Why::Nobody => {
                    return Err(FleetError::new(doing, error.to_string()));
                }
                // No worker measures the run, or its worker does not answer.
                _ => {}
            }
            let mut log = RunLog::open(&self.fleet, run_id, "").await?;
            if log.standing().has_ended {
                return Ok(Cancelled::TooLate);
            }
            if log.standing().position == 0 {
                return Err(FleetError::new(doing, "its first event is not stored yet"));
            }
            let ended = timeout(ANSWER_TIMEOUT, log.append(Kind::Failed(failed()))).await;
            match ended {
                Ok(Ok(())) => {
                    // If this fails, a worker that gets the job sees that the run has ended.
                    let _ = self.fleet.remove(StreamName::Jobs, job_sequence).await;
                    return Ok(Cancelled::Ended);
                }
                // A worker wrote to the log first.
                Ok(Err(Fenced)) => {}
                Err(_) => return Err(FleetError::new(doing, "the engine did not answer")),
            }
        }
        Err(FleetError::new(doing, "it goes from one worker to another"))
    }

    /// Tells the other gateways which runs the callers of this gateway keep alive by an open call,
    /// and which runs they have released for good.
    pub async fn hold(&self, runs: Vec<String>, released: Vec<String>) -> Result<(), FleetError> {
        let holds = Holds { gateway: self.id.clone(), runs, released }.encode_to_vec();
        let told = self.fleet.engine.publish(names::HOLDS.into(), holds.into()).await;
        told.map_err(FleetError::when("tell who holds runs"))
    }

    /// Yields the reports of other gateways on the runs that their callers hold.
    pub async fn held_elsewhere(
        &self,
    ) -> Result<impl Stream<Item = Holds> + Send + Unpin + use<>, FleetError> {
        let heard = self.fleet.engine.listen(names::HOLDS.into(), None).await;
        let heard = heard.map_err(FleetError::when("listen for gateways"))?;
        let own = self.id.clone();
        let held = heard.filter_map(move |message| {
            let holds = Holds::decode(message.payload).ok();
            std::future::ready(holds.filter(|holds| holds.gateway != own))
        });
        Ok(held.boxed())
    }
}

/// Owner of a request ID.
enum Claim {
    /// This submission, whose claim is at this position.
    Mine(u64),
    /// Another submission, whose job differs or whose run has not ended.
    Known(Box<Origin>),
    /// Another submission, whose run has ended.
    Ended(Box<Origin>),
    /// Another submission, whose run has no log yet. This submission finishes it, with the claim at
    /// this position.
    Unfinished(u64, Box<Origin>),
}
