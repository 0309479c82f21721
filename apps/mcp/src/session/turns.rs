//! Turns of work that takes a thread for long.

use super::Session;
use crate::failure::Failure;
use std::sync::{Arc, LazyLock};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Maximum number of calls that work at a time. Each takes one thread.
const MAX_WORKING: usize = 2;

/// Permits to work, for one call of each session at a time. They are given in the order of request,
/// so the sessions take turns.
static WORKING: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(MAX_WORKING)));

impl Session {
    /// Works on a blocking thread: reading or writing a spec can take seconds. The permits last
    /// until the thread is done, even if nobody waits for it any more.
    pub(crate) async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let ended = |error: &dyn ToString| Failure::Fault(error.to_string());
        let own = self.working.clone().acquire_owned().await.map_err(|error| ended(&error))?;
        let shared = WORKING.clone().acquire_owned().await.map_err(|error| ended(&error))?;
        let done = spawn_blocking(move || {
            let _until_the_end = (own, shared);
            work()
        });
        done.await.map_err(|error| ended(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::DEFAULT_ANSWER_LIMIT;
    use profiler_client::Client;
    use std::sync::mpsc;
    use tonic::transport::Endpoint;

    #[tokio::test]
    async fn calls_work_in_turns_and_beside_other_tasks() {
        let client = Client::over(Endpoint::from_static("http://nowhere").connect_lazy());
        let session = Session::new(client, DEFAULT_ANSWER_LIMIT);
        let own = session.working.clone().acquire_owned().await.unwrap();
        let others: Vec<_> =
            std::iter::from_fn(|| WORKING.clone().try_acquire_owned().ok()).collect();
        assert_eq!(others.len(), MAX_WORKING);
        let (sender, receiver) = mpsc::channel();
        let mut call = Box::pin(session.in_turn(move || receiver.recv()));
        assert!(futures::poll!(&mut call).is_pending(), "another call of the session works");
        drop(own);
        assert!(futures::poll!(&mut call).is_pending(), "other sessions work");
        drop(others);
        assert!(futures::poll!(&mut call).is_pending(), "another thread works");
        sender.send(7).unwrap();
        assert_eq!(call.await.unwrap(), Ok(7));
        assert_eq!(session.working.available_permits(), 1);
    }
}
