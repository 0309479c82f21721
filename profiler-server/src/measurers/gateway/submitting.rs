//! Submissions that the engine has not answered yet.

use profiler_turns::takes_too_much;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Maximum number of submissions of one caller that are at the engine at the same time. It stores
/// some hundred in a second and has to answer each in time, and another caller must not wait for
/// thousands of them.
const MAX_AT_ENGINE: usize = 32;

/// Maximum size of all submissions together, in bytes. A single one can always be as large as a job
/// is allowed to be.
const MAX_BYTES: usize = 256 << 20;

/// The submissions of each caller.
#[derive(Debug, Default)]
pub(super) struct Submitting(HashMap<String, Own>);

/// The submissions of one caller.
#[derive(Debug)]
struct Own {
    count: usize,
    bytes: usize,
    at_engine: Arc<Semaphore>,
}

impl Submitting {
    /// Whether there is no room for a submission of `caller` that has `bytes`.
    pub(super) fn is_too_heavy(&self, caller: &str, bytes: usize) -> bool {
        let held: usize = self.0.values().map(|own| own.bytes).sum();
        let (own, free) = (self.0.get(caller), MAX_BYTES.saturating_sub(held));
        let own = own.map_or(0, |own| own.bytes);
        held > 0 && (bytes > free || takes_too_much(own, bytes, free))
    }

    /// Adds a submission. It may go to the engine with a permit of the returned semaphore.
    pub(super) fn add(&mut self, caller: &str, bytes: usize) -> Arc<Semaphore> {
        let new = || Own { count: 0, bytes: 0, at_engine: Arc::new(Semaphore::new(MAX_AT_ENGINE)) };
        let own = self.0.entry(caller.to_owned()).or_insert_with(new);
        own.count += 1;
        own.bytes = own.bytes.saturating_add(bytes);
        own.at_engine.clone()
    }

    /// Removes a submission that was answered.
    pub(super) fn remove(&mut self, caller: &str, bytes: usize) {
        let Some(own) = self.0.get_mut(caller) else { return };
        own.count -= 1;
        own.bytes = own.bytes.saturating_sub(bytes);
        if own.count == 0 {
            self.0.remove(caller);
        }
    }

    /// Returns the number of submissions of `caller`.
    pub(super) fn of(&self, caller: &str) -> usize {
        self.0.get(caller).map_or(0, |own| own.count)
    }

    /// Returns the number of all submissions.
    pub(super) fn len(&self) -> usize {
        self.0.values().map(|own| own.count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submissions_of_one_caller_leave_the_engine_to_another() {
        let mut submitting = Submitting::default();
        let many: Vec<_> = (0..=MAX_AT_ENGINE).map(|_| submitting.add("many", 1)).collect();
        let permits: Vec<_> = many.iter().map_while(|own| own.try_acquire().ok()).collect();
        assert_eq!(permits.len(), MAX_AT_ENGINE);
        assert!(submitting.add("few", 1).try_acquire().is_ok());
        assert_eq!((submitting.of("many"), submitting.len()), (MAX_AT_ENGINE + 1, many.len() + 1));
        for _ in &many {
            submitting.remove("many", 1);
        }
        assert_eq!((submitting.of("many"), submitting.len()), (0, 1));
    }

    #[test]
    fn bytes_of_one_caller_leave_room_for_another() {
        let (mut submitting, large) = (Submitting::default(), MAX_BYTES / 8);
        assert!(!submitting.is_too_heavy("many", 2 * MAX_BYTES), "it is alone");
        while !submitting.is_too_heavy("many", large) {
            submitting.add("many", large);
        }
        assert_eq!(submitting.of("many"), 6);
        assert!(!submitting.is_too_heavy("few", large));
        submitting.remove("many", large);
        assert!(!submitting.is_too_heavy("many", large));
    }
}
