//! Times in the database: nanoseconds since the Unix epoch.

use prost_types::Timestamp;
use std::time::SystemTime;

const NS_PER_S: i64 = 1_000_000_000;

/// Returns the time in nanoseconds; the current time for `None`.
pub(super) fn to_ns(time: Option<Timestamp>) -> i64 {
    let time = time.unwrap_or_else(|| SystemTime::now().into());
    time.seconds.saturating_mul(NS_PER_S).saturating_add(time.nanos.into())
}

pub(super) fn from_ns(ns: i64) -> Timestamp {
    let nanos = i32::try_from(ns.rem_euclid(NS_PER_S)).unwrap_or(0);
    Timestamp { seconds: ns.div_euclid(NS_PER_S), nanos }
}
