//! Notices of an outage: one line when the engine is lost, and one when it is back.

use async_nats::Event;
use std::fmt::{self, Display, Formatter};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The beginning of the outage; `None` while the engine answers.
#[derive(Debug, Clone, Default)]
pub(super) struct Outage(Arc<Mutex<Option<Instant>>>);

/// A change of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Lost,
    Back(Duration),
}

impl Outage {
    /// Logs the change that an event of the connection means, if it means one.
    pub(super) fn hear(&self, event: &Event) {
        match self.change(event) {
            Some(lost @ Change::Lost) => tracing::warn!(target: "Profiler", "{lost}"),
            Some(back @ Change::Back(_)) => tracing::info!(target: "Profiler", "{back}"),
            None => {}
        }
    }

    fn change(&self, event: &Event) -> Option<Change> {
        let mut begin = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Disconnected if begin.is_none() => {
                *begin = Some(Instant::now());
                Some(Change::Lost)
            }
            Event::Connected => begin.take().map(|at| Change::Back(at.elapsed())),
            _ => None,
        }
    }
}

impl Display for Change {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost => f.write_str("the engine is lost; connecting again until it is back"),
            Self::Back(after) => write!(f, "the engine is back after {:.1} s", after.as_secs_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn outage_has_one_begin_and_one_end() {
        let outage = Outage::default();
        assert_eq!(outage.change(&Event::Connected), None, "the first connection");
        assert_eq!(outage.change(&Event::Disconnected), Some(Change::Lost));
        assert_eq!(outage.change(&Event::Disconnected), None);
        tokio::time::advance(Duration::from_secs(85)).await;
        let back = outage.change(&Event::Connected).expect("it is back");
        assert_eq!(back.to_string(), "the engine is back after 85.0 s");
        assert_eq!(outage.change(&Event::Connected), None);
    }
}
