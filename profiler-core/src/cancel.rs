//! Cancellation of a run.

mod termination;

pub use termination::{StopSignal, Termination};

use profiler_proto::v1::ErrorCode;
use std::borrow::Cow;
use tokio::sync::watch;

/// Message of a run that was cancelled without a more specific one.
const ENDED_EARLY: &str = "the run was ended early";

/// The code and the message of a cancelled run.
type Reason = (ErrorCode, Cow<'static, str>);

/// Cancels a run. Clones cancel the same run, and the first reason wins.
#[derive(Debug, Clone)]
pub struct Canceller(watch::Sender<Option<Reason>>);

/// Receiver of a run's cancellation.
#[derive(Debug, Clone)]
pub struct CancelToken(watch::Receiver<Option<Reason>>);

/// Makes the two ends of a run's cancel signal.
pub fn cancel_signal() -> (Canceller, CancelToken) {
    let (to, from) = watch::channel(None);
    (Canceller(to), CancelToken(from))
}

impl Canceller {
    /// Ends the run with `code`, and the program in the sandbox with it.
    pub fn cancel(&self, code: ErrorCode) {
        self.cancel_because(code, ENDED_EARLY);
    }

    /// Ends the run like [`Self::cancel`], with a message for the caller.
    pub fn cancel_because(&self, code: ErrorCode, message: impl Into<Cow<'static, str>>) {
        let new = (code, message.into());
        self.0.send_if_modified(|reason| reason.is_none() && reason.replace(new).is_none());
    }
}

impl CancelToken {
    /// Returns once the run has been cancelled. Never returns if every [`Canceller`] was dropped.
    pub async fn cancelled(&mut self) -> ErrorCode {
        match self.0.wait_for(Option::is_some).await.map(|reason| reason.clone()) {
            Ok(Some((code, _))) => code,
            _ => std::future::pending().await,
        }
    }

    /// The message of a run that has been cancelled.
    pub(crate) fn message(&self) -> String {
        self.0.borrow().as_ref().map_or(ENDED_EARLY, |(_, message)| message).to_owned()
    }
}
