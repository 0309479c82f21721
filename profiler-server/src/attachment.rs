//! Who is attached to a run, and what becomes of it when nobody is.

use profiler_core::cancel::Canceller;
use profiler_core::error::ErrorCode;
use profiler_proto::v1;
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// How long a run waits for its caller to attach again.
pub const GRACE: Duration = Duration::from_secs(30);
/// How long a detached run may take from its acceptance on.
pub const DETACHED_LIMIT: Duration = Duration::from_secs(60 * 60);

/// What becomes of a run that nobody holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnDisconnect {
    /// It ends at once.
    Cancel,
    /// It ends if nobody attaches within [`GRACE`].
    Grace,
    /// It goes on, for at most [`DETACHED_LIMIT`].
    Detach,
}

impl From<v1::OnDisconnect> for OnDisconnect {
    fn from(wire: v1::OnDisconnect) -> Self {
        match wire {
            v1::OnDisconnect::Unspecified | v1::OnDisconnect::Cancel => Self::Cancel,
            v1::OnDisconnect::Grace => Self::Grace,
            v1::OnDisconnect::Detach => Self::Detach,
        }
    }
}

/// The calls that hold a run. Clones count for the same run.
#[derive(Debug, Clone)]
pub(crate) struct Holders(watch::Sender<Held>);

#[derive(Debug)]
struct Held {
    calls: usize,
    /// Why the last one left.
    left: ErrorCode,
}

/// One call's hold on a run; dropped with the call.
#[derive(Debug)]
pub(crate) struct Hold {
    holders: Holders,
    leaving: ErrorCode,
    /// Whether the call submitted the run.
    submits: bool,
}

impl Holders {
    pub(crate) fn none() -> Self {
        Self(watch::Sender::new(Held { calls: 0, left: ErrorCode::Cancelled }))
    }

    /// The hold of a call that submitted the run.
    pub(crate) fn hold(&self) -> Hold {
        self.held_by(true)
    }

    /// The hold of a call that watches the run, and may be anybody's.
    pub(crate) fn watch(&self) -> Hold {
        self.held_by(false)
    }

    fn held_by(&self, submits: bool) -> Hold {
        self.0.send_modify(|held| held.calls += 1);
        Hold { holders: self.clone(), leaving: ErrorCode::Cancelled, submits }
    }

    /// Stops the run once nobody holds it, as `policy` says. Whoever awaits this holds it once before.
    pub(crate) async fn watch_over(self, policy: OnDisconnect, stopper: Canceller) -> Infallible {
        let code = match policy {
            OnDisconnect::Detach => {
                sleep(DETACHED_LIMIT).await;
                ErrorCode::Deadline
            }
            OnDisconnect::Cancel => self.left().await,
            OnDisconnect::Grace => loop {
                let code = self.left().await;
                // Who has run out of time does not come back.
                let is_final = code == ErrorCode::Deadline;
                if is_final || timeout(GRACE, self.held_again()).await.is_err() {
                    break code;
                }
            },
        };
        stopper.cancel(code);
        std::future::pending().await
    }

    /// Waits until nobody holds the run, and says why the last one left.
    async fn left(&self) -> ErrorCode {
        let mut held = self.0.subscribe();
        let left = held.wait_for(|held| held.calls == 0).await.map(|held| held.left);
        // This is a sender of what is received.
        left.unwrap_or(ErrorCode::Cancelled)
    }

    async fn held_again(&self) {
        let mut held = self.0.subscribe();
        let _ = held.wait_for(|held| held.calls > 0).await;
    }
}

impl Hold {
    /// The call ends because its deadline has passed. That of a watcher says nothing of whoever
    /// submitted the run, and may come back.
    pub(crate) fn past_deadline(&mut self) {
        if self.submits {
            self.leaving = ErrorCode::Deadline;
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.holders.0.send_modify(|held| {
            held.calls -= 1;
            held.left = self.leaving;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_core::cancel::{CancelToken, cancel_signal};
    use tokio::time::Instant;

    /// A run that is held once and watched over.
    fn run(policy: OnDisconnect) -> (Holders, Hold, CancelToken) {
        let (stopper, stop) = cancel_signal();
        let holders = Holders::none();
        let hold = holders.hold();
        tokio::spawn(holders.clone().watch_over(policy, stopper));
        (holders, hold, stop)
    }

    #[tokio::test(start_paused = true)]
    async fn a_run_ends_with_its_only_call() {
        let (_, hold, mut stopped) = run(OnDisconnect::Cancel);
        let begin = Instant::now();
        drop(hold);
        assert_eq!(stopped.cancelled().await, ErrorCode::Cancelled);
        assert_eq!(begin.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_run_ends_with_the_last_of_its_calls() {
        let (holders, first, mut stopped) = run(OnDisconnect::Cancel);
        let second = holders.hold();
        drop(first);
        assert!(timeout(DETACHED_LIMIT, stopped.cancelled()).await.is_err());
        drop(second);
        assert_eq!(stopped.cancelled().await, ErrorCode::Cancelled);
    }

    #[tokio::test(start_paused = true)]
    async fn a_deadline_is_told_from_a_cancel() {
        let (_, mut hold, mut stopped) = run(OnDisconnect::Cancel);
        hold.past_deadline();
        drop(hold);
        assert_eq!(stopped.cancelled().await, ErrorCode::Deadline);
    }

    #[tokio::test(start_paused = true)]
    async fn grace_is_half_a_minute() {
        let (_, hold, mut stopped) = run(OnDisconnect::Grace);
        let begin = Instant::now();
        drop(hold);
        stopped.cancelled().await;
        assert_eq!(begin.elapsed(), GRACE);
    }

    #[tokio::test(start_paused = true)]
    async fn who_comes_back_in_time_keeps_the_run() {
        let (holders, hold, mut stopped) = run(OnDisconnect::Grace);
        drop(hold);
        assert!(timeout(GRACE / 2, stopped.cancelled()).await.is_err());
        let _again = holders.hold();
        assert!(timeout(DETACHED_LIMIT, stopped.cancelled()).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_run_out_of_time_is_not_waited_for() {
        let (_, mut hold, mut stopped) = run(OnDisconnect::Grace);
        let begin = Instant::now();
        hold.past_deadline();
        drop(hold);
        assert_eq!(stopped.cancelled().await, ErrorCode::Deadline);
        assert_eq!(begin.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn the_deadline_of_a_watcher_leaves_the_submitter_its_grace() {
        let (holders, hold, mut stopped) = run(OnDisconnect::Grace);
        let mut watching = holders.watch();
        drop(hold);
        let begin = Instant::now();
        watching.past_deadline();
        drop(watching);
        assert_eq!(stopped.cancelled().await, ErrorCode::Cancelled);
        assert_eq!(begin.elapsed(), GRACE);
    }

    #[tokio::test(start_paused = true)]
    async fn a_detached_run_has_a_deadline_of_its_own() {
        let (_, hold, mut stopped) = run(OnDisconnect::Detach);
        let begin = Instant::now();
        drop(hold);
        assert_eq!(stopped.cancelled().await, ErrorCode::Deadline);
        assert_eq!(begin.elapsed(), DETACHED_LIMIT);
    }
}
