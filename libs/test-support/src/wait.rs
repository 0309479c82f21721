//! The only way for a test to wait for something that sends no event.

use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Interval between checks of the condition. Times that are measured here have this resolution.
const EVERY: Duration = Duration::from_millis(1);
/// The longest time that one poll counts for. While the machine stalls, the awaited event cannot
/// happen either.
const POLL_COUNTS_FOR: Duration = Duration::from_millis(250);

/// Polls until `condition` returns a value, and returns that value.
///
/// # Panics
/// If there is no value after `within`. A poll counts for 250 ms at most.
pub async fn until<T>(
    what: &str,
    within: Duration,
    mut condition: impl AsyncFnMut() -> Option<T>,
) -> T {
    let mut waited = Duration::ZERO;
    loop {
        let polled = Instant::now();
        if let Some(found) = condition().await {
            return found;
        }
        assert!(waited < within, "not within {within:?}: {what}");
        sleep(EVERY).await;
        waited += polled.elapsed().min(POLL_COUNTS_FOR);
    }
}
