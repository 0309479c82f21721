//! How a run is stopped.

use crate::error::ErrorCode;
use tokio::sync::watch;

/// Stops a run. Clones stop the same run; the first reason counts.
#[derive(Debug, Clone)]
pub struct Stopper(watch::Sender<Option<ErrorCode>>);

/// Where a run learns that it has been stopped.
#[derive(Debug, Clone)]
pub struct Stopped(watch::Receiver<Option<ErrorCode>>);

/// The two ends of a run's stop signal.
pub fn stop_signal() -> (Stopper, Stopped) {
    let (to, from) = watch::channel(None);
    (Stopper(to), Stopped(from))
}

impl Stopper {
    /// Ends the run with `code`, the program in the sandbox included.
    pub fn stop(&self, code: ErrorCode) {
        self.0.send_if_modified(|reason| reason.is_none() && reason.replace(code).is_none());
    }
}

impl Stopped {
    /// Returns once the run has been stopped; never if every [`Stopper`] is gone.
    pub async fn stopped(&mut self) -> ErrorCode {
        match self.0.wait_for(Option::is_some).await.map(|reason| *reason) {
            Ok(Some(code)) => code,
            _ => std::future::pending().await,
        }
    }
}
