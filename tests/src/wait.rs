//! The one way in which a test waits for something that sends it no event.

use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How often a condition is looked at: what is measured here is measured to this.
const EVERY: Duration = Duration::from_millis(1);

/// Looks until `condition` gives something, and gives that.
///
/// # Panics
/// If it gives nothing `within` that time.
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
