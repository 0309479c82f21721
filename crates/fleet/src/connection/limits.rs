//! Limits of the streams.

use std::time::Duration;

/// Retention period of logs, claims and large bytes in streams that are made. It must be longer
/// than a run lives.
pub(crate) const RETENTION: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Maximum time that a job stays in the queue. The gateways end its run before that.
pub(crate) const MAX_JOB_AGE: Duration = Duration::from_secs(25 * 60 * 60);
/// Period within which the engine stores a message only once, even if it is sent again.
pub(crate) const DUPLICATE_WINDOW: Duration = Duration::from_secs(2 * 60);
/// Maximum number of jobs of one caller in one pool, including those being measured.
pub const MAX_JOBS_PER_CALLER: u32 = 2048;
/// Maximum number of jobs of all callers and pools together.
pub(crate) const MAX_JOBS: i64 = 10_000;
/// Maximum size of all jobs together, in bytes: twice the jobs of one caller, so that another
/// caller's jobs have room. Large jobs are split, and only their first part counts.
pub(crate) const MAX_JOB_BYTES: i64 = 2 << 30;
/// Maximum total size of all logs in streams that are made, in bytes.
pub(crate) const MAX_LOG_BYTES: i64 = 8 << 30;

/// Limits of the logs that an operator has set. An absent limit leaves that of existing streams,
/// which may be the operator's too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LogLimits {
    /// Time for which the engine keeps logs, claims and large bytes.
    pub age: Option<Duration>,
    /// Maximum total size of all logs, in bytes.
    pub bytes: Option<u64>,
}

impl LogLimits {
    pub(crate) fn max_bytes(self) -> Option<i64> {
        self.bytes.map(|bytes| i64::try_from(bytes).unwrap_or(i64::MAX))
    }
}
