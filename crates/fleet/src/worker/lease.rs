//! The lease of a job: the engine gives the job to no other worker while the lease is renewed.
//!
//! There is one exception. The engine obeys every worker that ever had the job, so a hand-back that
//! arrives late takes the job from the next worker. A worker hands back only what the log notes.
//! From then on, each renewal also reads the log, and a worker that finds the run begun writes its
//! restart, and then waits until the lease of the worker before it has ended.

use super::outages::{Outages, SHORTEST};
use crate::connection::engine::{Engine, Word};
use crate::error::FleetError;
use crate::log::Authorship;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout};

/// Maximum time that a worker continues without confirmation that its lease was renewed. It must be
/// shorter than `ACK_WAIT`, after which the engine gives the job to another worker.
pub const LEASE: Duration = Duration::from_secs(15);
/// Time that the engine waits for a renewal before it gives the job to another worker.
pub(crate) const ACK_WAIT: Duration = Duration::from_secs(20);
const RENEWAL_INTERVAL: Duration = Duration::from_secs(5);
const _: () = assert!(LEASE.as_secs() - RENEWAL_INTERVAL.as_secs() == SHORTEST.as_secs());
/// Time after which no earlier lease is left that was renewed before a worker wrote to the log.
const TAKEOVER_WAIT: Duration = LEASE.saturating_add(Duration::from_secs(1));
/// Pause before the next attempt after a renewal that the engine did not answer.
const RETRY_PAUSE: Duration = Duration::from_millis(250);

/// A worker's lease of a job. If it is dropped, another worker gets the job once the lease expires.
pub struct Lease {
    engine: Arc<dyn Engine>,
    /// Address for acknowledgements.
    reply: Option<String>,
    renewed: Mutex<Instant>,
    outages: Arc<Outages>,
    /// Read with each renewal, if a late hand-back can give the job to another worker.
    authorship: Option<Authorship>,
}

impl Lease {
    /// Makes the lease of a job for which the engine was asked at this time.
    pub(crate) fn new(
        engine: Arc<dyn Engine>,
        reply: Option<String>,
        outages: Arc<Outages>,
        asked: Instant,
    ) -> Self {
        Self { engine, reply, renewed: Mutex::new(asked), outages, authorship: None }
    }

    /// Makes each renewal depend on the log too.
    pub(crate) fn compare_with(&mut self, authorship: Authorship) {
        self.authorship = Some(authorship);
    }

    /// Whether it ended without a renewal.
    pub(crate) async fn has_ended(&self) -> bool {
        self.renewed.lock().await.elapsed() >= LEASE
    }

    /// Waits until the worker that had the job before has stopped. Returns `false` if this lease is
    /// lost first.
    pub(crate) async fn outlives_the_one_before(&self) -> bool {
        timeout(TAKEOVER_WAIT, self.lost()).await.is_err()
    }

    /// Sends an acknowledgement of the job, and waits until the queue confirms it. A server that
    /// does not have the queue answers that nobody listens, which is an error.
    async fn tell(&self, word: Word) -> Result<(), FleetError> {
        let doing = "tell the queue of a job";
        let reply = self.reply.clone();
        let reply = reply.ok_or_else(|| FleetError::new(doing, "the job has no address"))?;
        self.engine.acknowledge(reply, word).await.map_err(FleetError::when(doing))
    }

    /// Asks the engine, and then the log, whether the job is still this worker's.
    async fn renew(&self) -> Result<bool, FleetError> {
        self.tell(Word::Progress).await?;
        match &self.authorship {
            Some(authorship) => authorship.is_last().await,
            None => Ok(true),
        }
    }

    /// Renews the lease for as long as the future is polled. Returns once the lease is lost.
    pub async fn lost(&self) {
        let mut renewed = self.renewed.lock().await;
        loop {
            // A process that was suspended for a while must not renew a lease that has ended.
            let left = LEASE.saturating_sub(renewed.elapsed());
            if left.is_zero() {
                return;
            }
            let asked = Instant::now();
            let told = timeout(left, self.renew()).await;
            let is_renewed = matches!(told, Ok(Ok(true)));
            if is_renewed {
                // The lease counts from the request, because the answer may have taken long.
                *renewed = asked;
            }
            let left = || LEASE.saturating_sub(renewed.elapsed());
            let noted = timeout(left(), self.outages.note(&*self.engine, is_renewed)).await;
            match told {
                Ok(Ok(true)) if noted.is_ok() => sleep(RENEWAL_INTERVAL.min(left())).await,
                Ok(Ok(true) | Err(_)) => sleep(RETRY_PAUSE.min(left())).await,
                Ok(Ok(false)) | Err(_) => return,
            }
        }
    }

    /// Ends the job: no worker gets it again.
    pub async fn done(self) -> Result<(), FleetError> {
        self.tell(Word::Done).await
    }

    /// Gives the job to another worker at once.
    pub async fn hand_back(self) -> Result<(), FleetError> {
        self.tell(Word::HandBack).await
    }
}
