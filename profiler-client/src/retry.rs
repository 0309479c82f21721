//! Retries of calls: the failures that allow a retry, the waits, and the deadline.

use crate::error::{Error, expired};
use crate::tls_fault::TlsFault;
use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use std::error::Error as _;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// Wait before the second attempt, before jitter. Each further wait is twice as long.
const FIRST_DELAY: Duration = Duration::from_millis(100);
/// Longest wait, before jitter. Jitter makes a wait up to twice as long, so that clients that lost
/// the same profiler do not all return at the same time.
const LAST_DELAY: Duration = Duration::from_secs(2);

/// The failure of one attempt.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) error: Error,
    /// Minimum wait before the next attempt; `None` if a retry cannot help.
    pub(crate) again: Option<Duration>,
    /// Whether the connection failed, rather than the call.
    pub(crate) is_of_transport: bool,
    /// Whether the profiler is there, but has no room.
    pub(crate) is_full: bool,
}

/// The end of the attempts at a call.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Until {
    /// This time.
    At(Instant),
    /// This long after the first attempt, and after each answer that the profiler has no room.
    Queued(Duration),
}

impl Failure {
    /// Makes the failure for a profiler or a connection that is gone.
    pub(crate) fn gone(message: String) -> Self {
        let (error, again) = (Error::Gone(message), Some(Duration::ZERO));
        Self { error, again, is_of_transport: false, is_full: false }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { error, again: None, is_of_transport: false, is_full: false }
    }
}

impl From<Status> for Failure {
    fn from(status: Status) -> Self {
        let delay = status.get_details_retry_info().and_then(|info| info.retry_delay);
        let faulty = status.source().and_then(TlsFault::find).is_some();
        let again = match status.code() {
            _ if faulty || expired(&status) => None,
            _ if lost(&status) => Some(Duration::ZERO),
            Code::Unavailable | Code::Aborted => Some(delay.unwrap_or_default()),
            // Without a retry time, the status is about a limit that a retry would exceed again,
            // such as the maximum size of a message.
            Code::ResourceExhausted => delay,
            _ => None,
        };
        let is_of_transport = lost(&status) && again.is_some();
        let is_full = status.code() == Code::ResourceExhausted;
        Self { error: status.into(), again, is_of_transport, is_full }
    }
}

/// Whether the status is from the transport. A status from the profiler has no source error.
pub(crate) fn lost(status: &Status) -> bool {
    status.source().is_some()
}

/// The attempts at one call.
#[derive(Debug)]
pub(crate) struct Attempts {
    until: Instant,
    delays: ExponentialBackoff,
}

impl Attempts {
    pub(crate) fn until(until: Instant) -> Self {
        let delays = ExponentialBuilder::new()
            .with_min_delay(FIRST_DELAY)
            .with_max_delay(LAST_DELAY)
            .without_max_times()
            .with_jitter();
        Self { until, delays: delays.build() }
    }

    /// The wait before the attempt that follows this failure; `None` if there is no further
    /// attempt.
    pub(crate) fn after(&mut self, failure: &Failure) -> Option<Duration> {
        let delay = failure.again?.saturating_add(self.delays.next()?);
        let next = Instant::now().checked_add(delay)?;
        (next < self.until).then_some(delay)
    }
}

/// Makes attempts until one succeeds, a failure is final, or the deadline passes.
pub(crate) async fn retried<T, F: Future<Output = Result<T, Failure>>>(
    end: Until,
    tell: impl Fn(&Error, Duration),
    attempt: impl Fn() -> F,
) -> Result<T, Error> {
    let mut attempts = Attempts::until(match end {
        Until::At(at) => at,
        Until::Queued(patience) => Instant::now() + patience,
    });
    loop {
        let failure = match timeout_at(attempts.until, attempt()).await {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(failure)) => failure,
            Err(_) => return Err(Failure::gone("the server did not answer in time".into()).error),
        };
        if let Until::Queued(patience) = end
            && failure.is_full
        {
            attempts.until = Instant::now() + patience;
        }
        let Some(delay) = attempts.after(&failure) else { return Err(failure.error) };
        tell(&failure.error, delay);
        sleep(delay).await;
    }
}
