//! Patience with an engine that is not there yet, or cannot answer yet.

use crate::error::FleetError;
use backon::{BackoffBuilder, ExponentialBuilder};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Pause before the second attempt, before jitter. Each further pause is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// Longest pause, before jitter. Jitter makes a pause up to twice as long, so that the processes of
/// a fleet do not all come at the same time.
const LAST_PAUSE: Duration = Duration::from_secs(4);

/// Repeats an attempt whose first failure was `error`, until one succeeds or fails for good.
/// `tell` hears of every failure that does not end it.
///
/// # Errors
/// If the settings or the credentials are wrong.
pub async fn wait_for_engine<T, F: Future<Output = Result<T, FleetError>>>(
    mut error: FleetError,
    mut tell: impl FnMut(&FleetError),
    mut attempt: impl FnMut() -> F,
) -> Result<T, FleetError> {
    if !error.is_final() {
        tracing::warn!(target: "Profiler", %error, "waiting for the engine");
    }
    let begin = Instant::now();
    let pauses = ExponentialBuilder::new()
        .with_min_delay(FIRST_PAUSE)
        .with_max_delay(LAST_PAUSE)
        .without_max_times()
        .with_jitter();
    let mut pauses = pauses.build();
    while !error.is_final() {
        tell(&error);
        sleep(pauses.next().unwrap_or(LAST_PAUSE)).await;
        match attempt().await {
            Ok(done) => {
                let sec = begin.elapsed().as_secs();
                tracing::info!(target: "Profiler", "the engine answers after {sec} s");
                return Ok(done);
            }
            Err(next) => error = next,
        }
    }
    Err(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn absent() -> FleetError {
        FleetError::new("connect to the engine", "connection refused")
    }

    /// Waits for an engine whose attempts end in turn as `ends` says.
    async fn waited(ends: &[Result<(), FleetError>]) -> (Result<(), FleetError>, u64) {
        let (mut ends, mut told) = (ends.iter().cloned(), 0_u64);
        let attempt = || std::future::ready(ends.next().unwrap_or(Ok(())));
        let waited = wait_for_engine(absent(), |_| told += 1, attempt).await;
        (waited, told)
    }

    #[tokio::test(start_paused = true)]
    async fn engine_is_waited_for_however_long_it_takes() {
        let begin = Instant::now();
        let (waited, told) = waited(&vec![Err(absent()); 1000]).await;
        assert!(waited.is_ok());
        assert_eq!(told, 1001);
        let longest = (LAST_PAUSE * 2).as_secs() * told;
        assert!((LAST_PAUSE.as_secs() * 900..longest).contains(&begin.elapsed().as_secs()));
    }

    #[tokio::test(start_paused = true)]
    async fn wrong_credentials_end_the_wait() {
        let wrong = FleetError::for_good("join", "authorization violation");
        let (waited, told) = waited(&[Err(absent()), Err(wrong)]).await;
        assert!(waited.is_err_and(|error| error.is_final()));
        assert_eq!(told, 2);
    }
}
