//! Retention: the bounds on the ended runs that are kept. The oldest runs are deleted first.

use super::time;
use crate::config;
use rusqlite::Connection;
use std::time::{Duration, SystemTime};

const BYTES_PER_MB: u64 = 1 << 20;
const SECONDS_PER_DAY: u64 = 24 * 60 * 60;

/// Bounds on the ended runs that are kept. An absent bound deletes nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Retention {
    /// Maximum number of ended runs.
    pub runs: Option<u32>,
    /// Maximum total size of their events, in bytes.
    pub bytes: Option<u64>,
    /// Maximum time since a run ended.
    pub age: Option<Duration>,
}

/// A number of runs, and the total size of their events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extent {
    /// The number of runs.
    pub runs: u64,
    /// The total size of their events, in bytes.
    pub bytes: u64,
}

/// Query for the ended runs beyond a bound. Its parameters are the maximum number of runs (1), the
/// maximum bytes (2) and the earliest end (3).
const BEYOND: &str = "
    SELECT run_id, bytes FROM (
        SELECT run_id, bytes, ended_ns,
            row_number() OVER newest AS place,
            sum(bytes) OVER newest AS bytes_until
        FROM runs WHERE ended_ns IS NOT NULL WINDOW newest AS (ORDER BY run_id DESC)
    ) WHERE place > ?1 OR bytes_until > ?2 OR ended_ns < ?3";

impl Retention {
    /// Makes bounds from mebibytes and days.
    pub fn new(runs: Option<u32>, mb: Option<u64>, days: Option<u32>) -> Self {
        Self {
            runs,
            bytes: mb.map(|mb| mb.saturating_mul(BYTES_PER_MB)),
            age: days.map(|days| Duration::from_secs(u64::from(days) * SECONDS_PER_DAY)),
        }
    }

    /// Returns the bounds that leave room for one more run.
    pub(super) fn with_room(self) -> Self {
        Self { runs: self.runs.map(|runs| runs.saturating_sub(1)), ..self }
    }

    /// Measures the runs that would be deleted.
    pub(super) fn beyond(self, connection: &Connection) -> rusqlite::Result<Extent> {
        let count = format!("SELECT count(*), ifnull(sum(bytes), 0) FROM ({BEYOND})");
        connection.query_row(&count, self.bounds(), |row| {
            let unsigned = |at| row.get(at).map(i64::unsigned_abs);
            Ok(Extent { runs: unsigned(0)?, bytes: unsigned(1)? })
        })
    }

    /// Deletes at most `most` of the runs beyond the bounds, the oldest first. Returns the number
    /// of deleted runs.
    pub(super) fn apply(self, connection: &Connection, most: u32) -> rusqlite::Result<usize> {
        let delete = format!(
            "DELETE FROM runs WHERE run_id IN
                (SELECT run_id FROM ({BEYOND}) ORDER BY run_id LIMIT {most})"
        );
        connection.execute(&delete, self.bounds())
    }

    fn bounds(self) -> [i64; 3] {
        let most = |bound: Option<u64>| bound.and_then(|most| most.try_into().ok());
        let earliest = self.age.and_then(|age| SystemTime::now().checked_sub(age));
        [
            most(self.runs.map(u64::from)).unwrap_or(i64::MAX),
            most(self.bytes).unwrap_or(i64::MAX),
            earliest.map_or(i64::MIN, |time| time::to_ns(Some(time.into()))),
        ]
    }
}

impl From<&config::Retention> for Retention {
    fn from(setting: &config::Retention) -> Self {
        Self::new(Some(setting.runs), Some(setting.mb), setting.days)
    }
}
