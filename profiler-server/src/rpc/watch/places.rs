//! Places for calls that watch runs, and room for what calls answer. The callers share both.

use crate::permits::{Permit, Permits};
use crate::rpc::limits::{MAX_OWN_UNSENT_MIB, MAX_UNSENT_MIB};
use crate::rpc::status::CallError;
use crate::runs::Refusal;
use profiler_turns::takes_too_much;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The places, and the number that each caller has taken. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Watches {
    most: usize,
    taken: Arc<Mutex<HashMap<String, usize>>>,
    rooms: Permits,
}

/// A place that a call has taken. Dropping it makes the place free.
#[derive(Debug)]
pub(crate) struct Place {
    caller: String,
    watches: Watches,
}

impl Watches {
    pub(crate) fn new(most: usize) -> Self {
        let rooms = Permits::new(MAX_UNSENT_MIB, MAX_OWN_UNSENT_MIB);
        Self { most, taken: Arc::default(), rooms }
    }

    /// Waits for room for an answer of a call of `caller`, in MiB.
    pub(crate) async fn room(&self, caller: &str, mib: u32) -> Result<Arc<Permit>, CallError> {
        // The permits are never closed.
        let room = self.rooms.take(caller, mib).await.map_err(|_| Refusal::ShuttingDown)?;
        Ok(Arc::new(room))
    }

    /// Takes a place for a call of `caller`, unless the others need it.
    pub(crate) fn take(&self, caller: &str) -> Result<Place, CallError> {
        let mut taken = self.lock();
        let free = self.most.saturating_sub(taken.values().sum());
        let own = taken.get(caller).copied().unwrap_or(0);
        if free == 0 || takes_too_much(own, 1, free) {
            return Err(CallError::TooManyWatches);
        }
        taken.insert(caller.to_owned(), own + 1);
        Ok(Place { caller: caller.to_owned(), watches: self.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    pub(crate) fn caller(&self) -> &str {
        &self.caller
    }

    /// Waits for room for an answer, in MiB.
    pub(super) async fn room(&self, mib: u32) -> Result<Arc<Permit>, CallError> {
        self.watches.room(&self.caller, mib).await
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.watches.lock();
        if let Some(own) = taken.get_mut(&self.caller) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caller_with_many_watches_leaves_places_for_another() {
        let watches = Watches::new(8);
        let many: Vec<_> = (0..8).map_while(|_| watches.take("a").ok()).collect();
        assert_eq!(many.len(), 6);
        let other = watches.take("b").unwrap();
        drop(many);
        assert!(watches.take("a").is_ok());
        drop(other);
        assert!(watches.lock().is_empty());
    }
}
