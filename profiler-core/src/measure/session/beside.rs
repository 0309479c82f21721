//! Long work of the host, done beside its other tasks.

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

/// Does work that can take long, such as writing an input of 16 MiB. Other threads meanwhile go on
/// with the tasks of this one; a runtime without other threads waits.
pub(crate) fn beside<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => block_in_place(work),
        _ => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    /// Longest time that the other task may take.
    const PATIENCE: Duration = Duration::from_secs(5);

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn other_tasks_go_on_meanwhile() {
        let (sender, receiver) = mpsc::channel();
        let long = tokio::spawn(async move {
            tokio::spawn(async move { sender.send(()) });
            beside(|| receiver.recv_timeout(PATIENCE))
        });
        assert!(long.await.unwrap().is_ok(), "the only thread did not change hands");
    }

    #[tokio::test]
    async fn runtime_with_one_thread_does_the_work_too() {
        assert_eq!(beside(|| 7), 7);
    }
}
