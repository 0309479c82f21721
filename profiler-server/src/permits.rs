//! Permits that the callers share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

/// Permits, of which each caller has a part. They are given in the order of request, so the callers
/// take turns. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Permits {
    all: Arc<Semaphore>,
    most: u32,
    /// Maximum number of permits of a caller.
    most_own: u32,
    /// The permits of each caller that has some or waits for some.
    own: Arc<Mutex<HashMap<String, Weak<Semaphore>>>>,
}

/// One permit or several. Dropping them lets the next caller go on.
#[derive(Debug)]
pub(crate) struct Permit {
    _own: OwnedSemaphorePermit,
    _shared: OwnedSemaphorePermit,
}

impl Permits {
    pub(crate) fn new(most: u32, most_own: u32) -> Self {
        let all = Arc::new(Semaphore::new(most as usize));
        Self { all, most, most_own, own: Arc::default() }
    }

    /// Waits for `count` permits of `caller`, at most all that a caller can have.
    pub(crate) async fn take(&self, caller: &str, count: u32) -> Result<Permit, AcquireError> {
        let own = self.own(caller).acquire_many_owned(count).await?;
        Ok(Permit { _own: own, _shared: self.all.clone().acquire_many_owned(count).await? })
    }

    /// Waits until nobody has a permit. Until the result is dropped, nobody gets one.
    pub(crate) async fn take_all(&self) -> Result<OwnedSemaphorePermit, AcquireError> {
        self.all.clone().acquire_many_owned(self.most).await
    }

    fn own(&self, caller: &str) -> Arc<Semaphore> {
        // The map is intact, even if a panic happened while the lock was held.
        let mut all = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, own| own.strong_count() > 0);
        all.get(caller).and_then(Weak::upgrade).unwrap_or_else(|| {
            let own = Arc::new(Semaphore::new(self.most_own as usize));
            all.insert(caller.to_owned(), Arc::downgrade(&own));
            own
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    #[tokio::test]
    async fn caller_that_waits_for_many_permits_leaves_one_for_another() {
        let permits = Permits::new(2, 1);
        let first = permits.take("many", 1).await.unwrap();
        let mut second = Box::pin(permits.take("many", 1));
        assert!((&mut second).now_or_never().is_none(), "the first is not back");
        let few = permits.take("few", 1).now_or_never().expect("there is a permit").unwrap();
        let mut third = Box::pin(permits.take("third", 1));
        assert!((&mut third).now_or_never().is_none(), "both are taken");
        drop(first);
        assert!((&mut second).now_or_never().is_none(), "it is the turn of another caller");
        let third = third.await.unwrap();
        drop((few, third));
        assert!(second.now_or_never().is_some());
    }

    #[tokio::test]
    async fn nobody_gets_a_permit_while_all_are_taken() {
        let permits = Permits::new(2, 1);
        let one = permits.take("one", 1).await.unwrap();
        let mut all = Box::pin(permits.take_all());
        assert!((&mut all).now_or_never().is_none());
        assert!(permits.take("two", 1).now_or_never().is_none());
        drop(one);
        let all = all.await.unwrap();
        assert!(permits.take("two", 1).now_or_never().is_none());
        drop(all);
        assert!(permits.take("two", 1).now_or_never().is_some());
        assert_eq!(permits.own.lock().unwrap().len(), 1, "callers without a permit are forgotten");
    }
}
