//! The lease of a job: the engine gives the job to nobody else while it is told that work goes on.

use crate::connection::ANSWER_TIMEOUT;
use crate::error::FleetError;
use async_nats::jetstream::{AckKind, Message};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, interval, timeout};

/// How long a worker goes on without hearing that its lease was renewed. It must end before the
/// engine's wait does, and another worker begins.
pub const LEASE: Duration = Duration::from_secs(15);
/// How long the engine waits for a word of a worker before it gives the job to another.
pub(crate) const ACK_WAIT: Duration = Duration::from_secs(20);
/// How often a lease is renewed.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(5);

/// A worker's lease of a job. Dropping it without a word gives the job to another after a while.
pub struct Lease {
    message: Message,
    renewed: Mutex<Instant>,
}

impl Lease {
    pub(crate) fn new(message: Message) -> Self {
        Self { message, renewed: Mutex::new(Instant::now()) }
    }

    /// Renews the lease for as long as it is polled. Returns once it is lost.
    pub async fn lost(&self) {
        let mut renewal = interval(RENEWAL_INTERVAL);
        let mut renewed = self.renewed.lock().await;
        loop {
            renewal.tick().await;
            // A process that was stopped for a while must not renew what has passed.
            let left = LEASE.saturating_sub(renewed.elapsed());
            let asked = Instant::now();
            match timeout(left, self.message.double_ack_with(AckKind::Progress)).await {
                // From the question on, for the answer may have taken long.
                Ok(Ok(())) => *renewed = asked,
                Ok(Err(_)) => {}
                Err(_) => return,
            }
            if renewed.elapsed() >= LEASE {
                return;
            }
        }
    }

    /// The job is done: nobody gets it again.
    pub async fn done(self) -> Result<(), FleetError> {
        let acknowledged = timeout(ANSWER_TIMEOUT, self.message.double_ack()).await;
        let silent = |_| FleetError::new("acknowledge a job", "the engine did not answer");
        acknowledged.map_err(silent)?.map_err(FleetError::when("acknowledge a job"))
    }

    /// The job goes to another worker at once.
    pub async fn hand_back(self) -> Result<(), FleetError> {
        let handed = self.message.ack_with(AckKind::Nak(None)).await;
        handed.map_err(FleetError::when("hand a job back"))
    }
}
