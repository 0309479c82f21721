//! Bytes of messages from their arrival until the queue counts them, and of answers to agents until
//! they are sent, shared by the callers.

use crate::rpc::status::CallError;
use profiler_turns::takes_too_much;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of these bytes. The messages of a caller that is alone can have three quarters of
/// them, so its largest message has room.
const MAX_BYTES: usize = 256 << 20;

/// The bytes of each caller. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Arriving(Arc<Mutex<HashMap<String, usize>>>);

/// The bytes of one call. They count until the last clone is dropped.
#[derive(Debug, Clone)]
pub(crate) struct Held(Arc<Mutex<Counted>>);

#[derive(Debug)]
struct Counted {
    all: Arriving,
    caller: String,
    bytes: usize,
}

impl Arriving {
    /// Returns the count of a call of `caller`, which begins at 0.
    pub(crate) fn of(&self, caller: &str) -> Held {
        let (all, caller) = (self.clone(), caller.to_owned());
        Held(Arc::new(Mutex::new(Counted { all, caller, bytes: 0 })))
    }
}

impl Held {
    /// Counts bytes that have arrived, or that an answer has.
    pub(crate) fn add(&self, bytes: usize) -> Result<(), CallError> {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = counted.all.clone();
        let mut all = all.0.lock().unwrap_or_else(PoisonError::into_inner);
        let free = MAX_BYTES.saturating_sub(all.values().sum());
        let own = all.get(&counted.caller).copied().unwrap_or(0);
        if bytes > free || takes_too_much(own, bytes, free) {
            return Err(CallError::TooManyBytes);
        }
        *all.entry(counted.caller.clone()).or_default() += bytes;
        counted.bytes += bytes;
        Ok(())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut all = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = all.get_mut(&self.caller) {
            *own -= self.bytes;
            if *own == 0 {
                all.remove(&self.caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::limits::MAX_MESSAGE_BYTES;

    /// A number of messages that together take all the room.
    const PIECES: usize = 64;

    #[test]
    fn messages_of_one_caller_leave_room_for_another() {
        let arriving = Arriving::default();
        let first = arriving.of("many");
        assert_eq!(first.add(MAX_MESSAGE_BYTES), Ok(()));
        let piece = MAX_BYTES / PIECES;
        let each = std::iter::repeat_with(|| arriving.of("many")).take(PIECES);
        let many: Vec<_> = each.take_while(|next| next.add(piece).is_ok()).collect();
        let own = MAX_MESSAGE_BYTES + many.len() * piece;
        assert!(own <= MAX_BYTES / 4 * 3, "{own}");
        assert_eq!(arriving.of("few").add(piece), Ok(()));
        drop((first, many));
        assert!(arriving.0.lock().unwrap().is_empty(), "nothing is counted");
    }
}
