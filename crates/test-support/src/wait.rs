//! The one way in which a test waits for something that sends it no event.

use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How often the condition is checked. Times that are measured here have this resolution.
const EVERY: Duration = Duration::from_millis(1);

/// Polls until `condition` returns a value, and returns that value.
///
/// # Panics
/// If there is no value `within` that time.
pub async fn until<T>(
    what: &str,
    within: Duration,
    mut condition: impl AsyncFnMut() -> Option<T>,
) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = condition().await {
            return found;
        }
        assert!(begun.elapsed() < within, "not within {within:?}: {what}");
        sleep(EVERY).await;
    }
}
