//! A value whose changes wake everybody who waits, in the order in which they began to wait. A
//! channel of tokio wakes its receivers in random order, which no seed replays.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// A value that can be waited for. Clones are the same value.
#[derive(Clone)]
pub(super) struct Signal<T>(Arc<(Mutex<T>, Notify)>);

impl<T: Copy> Signal<T> {
    pub(super) fn new(value: T) -> Self {
        Self(Arc::new((Mutex::new(value), Notify::new())))
    }

    fn value(&self) -> MutexGuard<'_, T> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self) -> T {
        *self.value()
    }

    /// Changes the value, and wakes everybody even if it stays the same.
    pub(super) fn change(&self, change: impl FnOnce(&mut T)) {
        change(&mut self.value());
        self.0.1.notify_waiters();
    }

    /// Returns a future that completes at the first change after this call.
    pub(super) fn changed(&self) -> Notified<'_> {
        self.0.1.notified()
    }

    pub(super) async fn wait_for(&self, is_wanted: impl Fn(T) -> bool) {
        loop {
            let changed = self.changed();
            if is_wanted(self.get()) {
                return;
            }
            changed.await;
        }
    }
}
