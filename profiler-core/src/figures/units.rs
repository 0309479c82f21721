//! Units of figures, and bytes as text.

use std::fmt::Write;
use std::time::Duration;

pub(crate) const NS_PER_MS: f64 = 1e6;
pub(crate) const MS_PER_SECOND: f64 = 1e3;
const BYTES_PER_MIB: f64 = 1_048_576.0;

/// Nanoseconds as milliseconds.
pub(crate) fn ms(ns: u64) -> f64 {
    ns as f64 / NS_PER_MS
}

/// Bytes as MiB.
pub(crate) fn mib(bytes: u64) -> f64 {
    bytes as f64 / BYTES_PER_MIB
}

/// A duration in nanoseconds, as the runner counts time.
pub(crate) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
