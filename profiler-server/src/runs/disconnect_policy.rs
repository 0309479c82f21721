//! The disconnect policy: what happens to a run when its last call ends.

use profiler_core::cancel::Canceller;
use profiler_proto::v1::{ErrorCode, OnDisconnect};
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// Grace period: the time that a run waits for a call to attach again.
pub const GRACE: Duration = Duration::from_secs(30);
/// Time limit of a detached run, counted from its acceptance.
pub const DETACHED_LIMIT: Duration = Duration::from_secs(60 * 60);

/// Counts the calls that hold a run. Clones count for the same run.
#[derive(Debug, Clone)]
pub(crate) struct Holders(watch::Sender<Held>);

#[derive(Debug)]
struct Held {
    calls: usize,
    /// The error code of the run if it ends because of the call that left last.
    code: ErrorCode,
}

/// One call's hold on a run. Dropping it releases the run.
#[derive(Debug)]
pub(crate) struct Hold {
    holders: Holders,
    code: ErrorCode,
    /// Whether the call submitted the run.
    is_submitter: bool,
}

impl Holders {
    pub(crate) fn none() -> Self {
        Self(watch::Sender::new(Held { calls: 0, code: ErrorCode::Cancelled }))
    }

    pub(crate) fn hold_as_submitter(&self) -> Hold {
        self.hold(true)
    }

    pub(crate) fn hold_as_watcher(&self) -> Hold {
        self.hold(false)
    }

    /// Whether any call holds the run.
    #[cfg(feature = "fleet")]
    pub(crate) fn are_any(&self) -> bool {
        self.0.borrow().calls > 0
    }

    fn hold(&self, is_submitter: bool) -> Hold {
        self.0.send_modify(|held| held.calls += 1);
        Hold { holders: self.clone(), code: ErrorCode::Cancelled, is_submitter }
    }

    /// Cancels the run as `policy` says once no call holds it. A call must hold the run before this
    /// begins.
    pub(crate) async fn enforce(self, policy: OnDisconnect, canceller: Canceller) -> Infallible {
        let code = match policy {
            OnDisconnect::Detach => {
                sleep(DETACHED_LIMIT).await;
                ErrorCode::Deadline
            }
            OnDisconnect::Unspecified | OnDisconnect::Cancel => self.until_released().await,
            OnDisconnect::Grace => loop {
                let code = self.until_released().await;
                // A submitter whose deadline has passed does not come back.
                let is_final = code == ErrorCode::Deadline;
                if is_final || timeout(GRACE, self.until_held()).await.is_err() {
                    break code;
                }
            },
        };
        canceller.cancel(code);
        std::future::pending().await
    }

    /// Waits until no call holds the run, and returns the code of the call that left last.
    async fn until_released(&self) -> ErrorCode {
        let mut held = self.0.subscribe();
        let released = held.wait_for(|held| held.calls == 0).await.map(|held| held.code);
        // `self` is a sender of this channel, so the receiver never fails.
        released.unwrap_or(ErrorCode::Cancelled)
    }

    async fn until_held(&self) {
        let mut held = self.0.subscribe();
        let _ = held.wait_for(|held| held.calls > 0).await;
    }
}

impl Hold {
    /// Notes that the call ends because its deadline has passed. The deadline of a watcher does not
    /// count: the submitter may still come back.
    pub(crate) fn deadline_passed(&mut self) {
        if self.is_submitter {
            self.code = ErrorCode::Deadline;
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.holders.0.send_modify(|held| {
            held.calls -= 1;
            held.code = self.code;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_core::cancel::{CancelToken, cancel_signal};
    use tokio::time::Instant;

    /// A run with one hold whose policy is enforced.
    fn run(policy: OnDisconnect) -> (Holders, Hold, CancelToken) {
        let (canceller, token) = cancel_signal();
        let holders = Holders::none();
        let hold = holders.hold_as_submitter();
        tokio::spawn(holders.clone().enforce(policy, canceller));
        (holders, hold, token)
    }

    #[tokio::test(start_paused = true)]
    async fn run_ends_with_its_only_call() {
        let (_, hold, mut token) = run(OnDisconnect::Cancel);
        let begin = Instant::now();
        drop(hold);
        assert_eq!(token.cancelled().await, ErrorCode::Cancelled);
        assert_eq!(begin.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn run_ends_with_the_last_of_its_calls() {
        let (holders, first, mut token) = run(OnDisconnect::Cancel);
        let second = holders.hold_as_submitter();
        drop(first);
        assert!(timeout(DETACHED_LIMIT, token.cancelled()).await.is_err());
        drop(second);
        assert_eq!(token.cancelled().await, ErrorCode::Cancelled);
    }

    #[tokio::test(start_paused = true)]
    async fn passed_deadline_is_not_a_cancellation() {
        let (_, mut hold, mut token) = run(OnDisconnect::Cancel);
        hold.deadline_passed();
        drop(hold);
        assert_eq!(token.cancelled().await, ErrorCode::Deadline);
    }

    #[tokio::test(start_paused = true)]
    async fn grace_is_half_a_minute() {
        let (_, hold, mut token) = run(OnDisconnect::Grace);
        let begin = Instant::now();
        drop(hold);
        token.cancelled().await;
        assert_eq!(begin.elapsed(), GRACE);
    }

    #[tokio::test(start_paused = true)]
    async fn call_that_comes_back_in_time_keeps_the_run() {
        let (holders, hold, mut token) = run(OnDisconnect::Grace);
        drop(hold);
        assert!(timeout(GRACE / 2, token.cancelled()).await.is_err());
        let _again = holders.hold_as_submitter();
        assert!(timeout(DETACHED_LIMIT, token.cancelled()).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn run_past_its_deadline_gets_no_grace() {
        let (_, mut hold, mut token) = run(OnDisconnect::Grace);
        let begin = Instant::now();
        hold.deadline_passed();
        drop(hold);
        assert_eq!(token.cancelled().await, ErrorCode::Deadline);
        assert_eq!(begin.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn deadline_of_a_watcher_leaves_the_submitter_its_grace() {
        let (holders, hold, mut token) = run(OnDisconnect::Grace);
        let mut watching = holders.hold_as_watcher();
        drop(hold);
        let begin = Instant::now();
        watching.deadline_passed();
        drop(watching);
        assert_eq!(token.cancelled().await, ErrorCode::Cancelled);
        assert_eq!(begin.elapsed(), GRACE);
    }

    #[tokio::test(start_paused = true)]
    async fn detached_run_has_a_deadline_of_its_own() {
        let (_, hold, mut token) = run(OnDisconnect::Detach);
        let begin = Instant::now();
        drop(hold);
        assert_eq!(token.cancelled().await, ErrorCode::Deadline);
        assert_eq!(begin.elapsed(), DETACHED_LIMIT);
    }
}
