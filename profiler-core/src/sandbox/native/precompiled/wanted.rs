//! Lists of flags whose headers are to be made.

use runner_protocol::{DEFAULT_FLAGS, header_flags};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// Maximum number of lists. Further ones are forgotten until programs are compiled with them again.
const MAX_LISTS: usize = 16;
/// Time after which a list whose header could not be made can be wanted again.
const TRY_AGAIN: Duration = Duration::from_secs(600);

/// Lists of flags whose headers are to be made, oldest first. The first is that of the default
/// flags.
pub(super) struct Wanted {
    lists: Mutex<Vec<List>>,
    added: Notify,
}

struct List {
    flags: Vec<String>,
    /// The time since when the header is being made, or could not be made.
    tried: Option<Instant>,
}

impl Default for Wanted {
    fn default() -> Self {
        let default = header_flags(&DEFAULT_FLAGS).unwrap_or_default();
        let flags = default.into_iter().map(String::from).collect();
        Self { lists: Mutex::new(vec![List { flags, tried: None }]), added: Notify::new() }
    }
}

impl Wanted {
    /// Adds a list, unless it is known.
    pub(super) fn add(&self, flags: Vec<String>) {
        let mut lists = self.lists();
        lists.retain(|list| list.tried.is_none_or(|tried| tried.elapsed() < TRY_AGAIN));
        if lists.len() < MAX_LISTS && lists.iter().all(|list| list.flags != flags) {
            lists.push(List { flags, tried: None });
            self.added.notify_one();
        }
    }

    /// Returns the oldest list that was not tried, and marks it as tried.
    pub(super) fn next(&self) -> Option<Vec<String>> {
        let mut lists = self.lists();
        let list = lists.iter_mut().find(|list| list.tried.is_none())?;
        list.tried = Some(Instant::now());
        Some(list.flags.clone())
    }

    /// Removes a list whose header was made, so that it can be wanted again.
    pub(super) fn remove(&self, flags: &[String]) {
        self.lists().retain(|list| list.flags != flags);
    }

    /// Waits until a list is added. If one was added since the last call, returns at once.
    pub(super) async fn added(&self) {
        self.added.notified().await;
    }

    fn lists(&self) -> MutexGuard<'_, Vec<List>> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(number: usize) -> Vec<String> {
        vec![format!("-O{number}")]
    }

    #[tokio::test(start_paused = true)]
    async fn list_is_tried_again_later() {
        let wanted = Wanted::default();
        wanted.next().expect("that of the default flags");
        wanted.add(list(1));
        assert_eq!(wanted.next(), Some(list(1)));
        tokio::time::advance(TRY_AGAIN).await;
        wanted.add(list(1));
        assert_eq!(wanted.next(), Some(list(1)));
    }

    #[tokio::test]
    async fn list_is_tried_once_unless_its_header_is_made() {
        let wanted = Wanted::default();
        let default = wanted.next().expect("that of the default flags");
        assert!(default.contains(&DEFAULT_FLAGS[1].to_owned()), "{default:?}");
        for _ in 0..2 {
            wanted.add(list(1));
            wanted.added().await;
            wanted.add(list(1));
            assert_eq!((wanted.next(), wanted.next()), (Some(list(1)), None));
            wanted.add(list(1));
            assert_eq!(wanted.next(), None, "it was tried");
            wanted.remove(&list(1));
        }
    }

    #[test]
    fn lists_are_bounded() {
        let wanted = Wanted::default();
        for number in 0..2 * MAX_LISTS {
            wanted.add(list(number));
        }
        let count = std::iter::from_fn(|| wanted.next()).count();
        assert_eq!(count, MAX_LISTS);
    }
}
