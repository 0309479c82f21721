//! Places for calls that watch runs. The callers share them.

use crate::rpc::status::CallError;
use profiler_turns::takes_too_much;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The places, and the number that each caller has taken. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Watches {
    most: usize,
    taken: Arc<Mutex<HashMap<String, usize>>>,
}

/// A place that a call has taken. Dropping it makes the place free.
#[derive(Debug)]
pub(crate) struct Place {
    caller: String,
    watches: Watches,
}

impl Watches {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, taken: Arc::default() }
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
