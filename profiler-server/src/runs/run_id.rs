//! The IDs of runs (UUID version 7). A later run has a greater ID: listing and retention rely on
//! that.

use crate::store::{Store, Viewer};
use std::sync::Mutex;
use std::time::Duration;
use uuid::{ContextV7, Timestamp, Uuid};

/// The resolution of the time in an ID (RFC 9562, section 5.7).
const TIME_RESOLUTION: Duration = Duration::from_millis(1);

/// Gives increasing IDs, even while a clock that was set back catches up.
#[derive(Debug)]
pub(crate) struct RunIds(Mutex<ContextV7>);

impl RunIds {
    /// Makes a source of IDs that are greater than every stored ID.
    pub(crate) async fn after_those_of(store: &Store) -> Self {
        let newest = store.runs(&Viewer::Everyone, None, 1).await.unwrap_or_default().pop();
        Self::after(newest.as_ref().map(|run| run.run_id.as_str()))
    }

    /// Makes a source of IDs that are greater than `newest`, which an earlier server may have made
    /// with another clock.
    fn after(newest: Option<&str>) -> Self {
        let context = Mutex::new(ContextV7::new());
        let newest = newest.and_then(|run_id| Uuid::try_parse(run_id).ok()?.get_timestamp());
        if let Some((seconds, nanos)) = newest.map(|time| time.to_unix()) {
            let past = Duration::new(seconds, nanos).saturating_add(TIME_RESOLUTION);
            // The context remembers the greatest time that it has seen.
            let _ = Timestamp::from_unix(&context, past.as_secs(), past.subsec_nanos());
        }
        Self(context)
    }

    pub(crate) fn next(&self) -> String {
        Uuid::new_v7(Timestamp::now(&self.0)).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_rise() {
        let run_ids = RunIds::after(None);
        let given: Vec<_> = (0..1000).map(|_| run_ids.next()).collect();
        assert!(given.is_sorted_by(|before, after| before < after));
    }

    #[test]
    fn ids_rise_after_one_from_the_future() {
        let newest = "7fffffff-ffff-7fff-bfff-ffffffffffff";
        let run_ids = RunIds::after(Some(newest));
        let given = [run_ids.next(), run_ids.next()];
        assert!(newest < given[0].as_str() && given[0] < given[1], "{given:?}");
    }
}
