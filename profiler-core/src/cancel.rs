//! How a run is cancelled.

use crate::error::ErrorCode;
use tokio::sync::watch;

/// Cancels a run. Clones cancel the same run, and the first reason wins.
#[derive(Debug, Clone)]
pub struct Canceller(watch::Sender<Option<ErrorCode>>);

/// Where a run learns that it has been cancelled.
#[derive(Debug, Clone)]
pub struct CancelToken(watch::Receiver<Option<ErrorCode>>);

/// The two ends of a run's cancel signal.
pub fn cancel_signal() -> (Canceller, CancelToken) {
    let (to, from) = watch::channel(None);
    (Canceller(to), CancelToken(from))
}

impl Canceller {
    /// Ends the run with `code`, and the program in the sandbox with it.
    pub fn cancel(&self, code: ErrorCode) {
        self.0.send_if_modified(|reason| reason.is_none() && reason.replace(code).is_none());
    }
}

impl CancelToken {
    /// Returns once the run has been cancelled. Never returns if every [`Canceller`] was dropped.
    pub async fn cancelled(&mut self) -> ErrorCode {
        match self.0.wait_for(Option::is_some).await.map(|reason| *reason) {
            Ok(Some(code)) => code,
            _ => std::future::pending().await,
        }
    }
}
