//! A reader of all logs that remembers what it was given.

use crate::jobs::entry;
use crate::model::history::{Act, Entry};
use futures::StreamExt;
use profiler_fleet::Fleet;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// Silence of a stream that was read to its end. Nobody writes any more then.
const SILENCE: Duration = Duration::from_secs(10);

/// A reader and what it was given.
pub(crate) struct Witness {
    book: Arc<Mutex<Book>>,
    following: JoinHandle<()>,
}

#[derive(Default)]
struct Book {
    seen: Vec<Entry>,
    /// Runs that have begun to be, and have not ended.
    open: BTreeSet<String>,
    known: BTreeSet<String>,
}

impl Witness {
    /// Follows from the beginning.
    pub(crate) fn follow(fleet: &Fleet) -> Self {
        let book = Arc::new(Mutex::new(Book::default()));
        let (mut events, written) = (fleet.follow(0), Arc::clone(&book));
        let following = tokio::spawn(async move {
            while let Some(followed) = events.next().await {
                let entry = entry(&followed);
                let mut book = written.lock().unwrap_or_else(PoisonError::into_inner);
                if book.known.insert(entry.run.clone()) {
                    book.open.insert(entry.run.clone());
                }
                if entry.act == Act::Ended {
                    book.open.remove(&entry.run);
                }
                book.seen.push(entry);
            }
        });
        Self { book, following }
    }

    /// Whether all these runs have ended, and all others that were seen.
    pub(crate) fn has_ended(&self, runs: &BTreeSet<String>) -> bool {
        let book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        book.open.is_empty() && runs.is_subset(&book.known)
    }

    /// The position of the last event that it was given.
    pub(crate) fn position(&self) -> u64 {
        let book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        book.seen.last().map_or(0, |entry| entry.position)
    }

    /// Everything, once nothing more comes.
    pub(crate) async fn read_all(&self) -> Vec<Entry> {
        let mut count = 0;
        loop {
            sleep(SILENCE).await;
            let book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
            if !book.seen.is_empty() && book.seen.len() == count {
                return book.seen.clone();
            }
            count = book.seen.len();
        }
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        self.following.abort();
    }
}
