//! What a caller is told by a gRPC status: whatever is wrong before a run is accepted, and what ends a
//! call before its run: its own deadline, a shutdown, a store that fails, a run that was lost.

use crate::MAX_MESSAGE_BYTES;
use crate::service::MAX_WATCHES;
use crate::store::StoreFault;
use crate::watch::SLOW_LIMIT;
use profiler_core::error::{SandboxFault, Violation, Violations};
use std::collections::HashMap;
use std::time::Duration;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};

/// The domain of every `ErrorInfo`.
pub const DOMAIN: &str = "profiler.swiftsolve";
/// When a caller may try again after a full queue: about the time a short job takes.
const QUEUE_RETRY: Duration = Duration::from_secs(2);
/// When a caller may try again after a sandbox could not be started, or a shutdown.
const UNAVAILABLE_RETRY: Duration = Duration::from_secs(5);
/// Most bytes of field violations in one status: details travel base64 coded in trailers, of which
/// 8 KiB are sure to arrive.
const MAX_VIOLATION_BYTES: usize = 4 << 10;
/// What a field violation takes up beside its texts at most, in bytes: three tags and their lengths.
const VIOLATION_FRAME_BYTES: usize = 9;
/// Longest text of one field violation, in bytes.
const MAX_PROBLEM_BYTES: usize = 512;

/// Why a call ends with a status.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The request is no job.
    #[error("invalid request: {0}")]
    Invalid(#[from] Violations),
    /// The request is larger than any job.
    #[error("a message may have at most {MAX_MESSAGE_BYTES} bytes")]
    MessageTooLong,
    /// So many runs wait already, and more may not.
    #[error("the queue is full: {depth} of at most {most} runs wait{}", reserved(*depth < *most))]
    QueueFull {
        /// Runs that wait.
        depth: usize,
        /// The most that may.
        most: usize,
    },
    /// The request id belongs to another job.
    #[error("request_id {0:?} belongs to another job")]
    RequestIdTaken(String),
    /// No run could be started now.
    #[error("no sandbox can be started: {0}")]
    NoSandbox(SandboxFault),
    /// The server ends; the run was not accepted, or was interrupted.
    #[error("the server is shutting down")]
    ShuttingDown,
    /// No such run is under way.
    #[error("no run {0:?} is under way")]
    NotUnderWay(String),
    /// No such run is kept.
    #[error("no run {0:?} is retained")]
    UnknownRun(String),
    /// The run has not ended, so there is nothing to export.
    #[error("run {0:?} has not ended")]
    NotEnded(String),
    /// The run has not what the format is made of.
    #[error("{0}")]
    NotExportable(String),
    /// A document could not be made: a bug.
    #[error("the document could not be made: {0}")]
    ExportFailed(String),
    /// Runs cannot be kept now, so none is accepted, and those under way end.
    #[error("runs cannot be kept now")]
    StoreFailed,
    /// So many calls watch runs that no other may.
    #[error("{MAX_WATCHES} calls watch runs already")]
    TooManyWatches,
    /// The caller did not take the events for too long.
    #[error("the events were not read for {} s", SLOW_LIMIT.as_secs())]
    SlowWatcher,
    /// The caller's deadline passed.
    #[error("the deadline passed before the run ended")]
    Deadline,
    /// The run's task died without an ending: a bug.
    #[error("the run was lost")]
    LostRun,
}

fn reserved(has_room: bool) -> &'static str {
    if has_room { ", and what is left is kept for other callers or smaller jobs" } else { "" }
}

impl From<StoreFault> for Refusal {
    fn from(_: StoreFault) -> Self {
        Self::StoreFailed
    }
}

impl From<Refusal> for Status {
    fn from(refusal: Refusal) -> Self {
        let (mut details, mut facts) = (ErrorDetails::new(), HashMap::new());
        let (code, reason) = match &refusal {
            Refusal::Invalid(Violations(found)) => {
                details.set_bad_request(fields(found));
                (Code::InvalidArgument, "INVALID_REQUEST")
            }
            Refusal::MessageTooLong => (Code::ResourceExhausted, "MESSAGE_TOO_LONG"),
            Refusal::QueueFull { depth, most } => {
                details.set_retry_info(Some(QUEUE_RETRY));
                facts.insert("queue_depth".into(), depth.to_string());
                facts.insert("max_queued".into(), most.to_string());
                (Code::ResourceExhausted, "QUEUE_FULL")
            }
            Refusal::TooManyWatches => {
                details.set_retry_info(Some(QUEUE_RETRY));
                (Code::ResourceExhausted, "TOO_MANY_WATCHES")
            }
            Refusal::RequestIdTaken(_) => (Code::AlreadyExists, "REQUEST_ID_TAKEN"),
            Refusal::NoSandbox(_) => {
                details.set_retry_info(Some(UNAVAILABLE_RETRY));
                (Code::Unavailable, "NO_SANDBOX")
            }
            Refusal::ShuttingDown => {
                details.set_retry_info(Some(UNAVAILABLE_RETRY));
                (Code::Unavailable, "SHUTTING_DOWN")
            }
            Refusal::StoreFailed => {
                details.set_retry_info(Some(UNAVAILABLE_RETRY));
                (Code::Unavailable, "STORE_FAILED")
            }
            Refusal::NotUnderWay(_) => (Code::NotFound, "NOT_UNDER_WAY"),
            Refusal::UnknownRun(_) => (Code::NotFound, "UNKNOWN_RUN"),
            Refusal::NotEnded(_) => (Code::FailedPrecondition, "NOT_ENDED"),
            Refusal::NotExportable(_) => (Code::FailedPrecondition, "NOT_EXPORTABLE"),
            Refusal::ExportFailed(_) => (Code::Internal, "EXPORT_FAILED"),
            Refusal::SlowWatcher => (Code::Aborted, "SLOW_WATCHER"),
            Refusal::Deadline => (Code::DeadlineExceeded, "DEADLINE"),
            Refusal::LostRun => (Code::Internal, "LOST_RUN"),
        };
        details.set_error_info(reason, DOMAIN, facts);
        let message = clipped(&refusal.to_string(), MAX_PROBLEM_BYTES);
        Status::with_error_details(code, message, details)
    }
}

/// As many violations as fit, and how many did not.
fn fields(found: &[Violation]) -> Vec<FieldViolation> {
    let mut left = MAX_VIOLATION_BYTES;
    let mut fields = Vec::new();
    for violation in found {
        let problem = clipped(&violation.problem, MAX_PROBLEM_BYTES);
        let bytes = violation.field.len() + problem.len() + VIOLATION_FRAME_BYTES;
        if bytes > left {
            let rest = found.len() - fields.len();
            fields.push(FieldViolation::new("", format!("{rest} more fields are invalid")));
            break;
        }
        left -= bytes;
        fields.push(FieldViolation::new(violation.field.as_str(), problem));
    }
    fields
}

/// The beginning of a text, at most `bytes` long.
fn clipped(text: &str, bytes: usize) -> String {
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    text[..ends.take_while(|&end| end <= bytes).last().unwrap_or(0)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What C-core suggests for all of a call's metadata.
    const TRAILER_BYTES: usize = 8 << 10;

    fn violations(count: usize) -> Refusal {
        let violation = Violation {
            field: "code.compiler_flags[0]".into(),
            problem: "é".repeat(MAX_PROBLEM_BYTES),
        };
        Refusal::Invalid(Violations(vec![violation; count]))
    }

    #[test]
    fn a_full_queue_tells_when_to_try_again() {
        let status = Status::from(Refusal::QueueFull { depth: 1, most: 2 });
        let delay = status.get_details_retry_info().and_then(|info| info.retry_delay);
        assert_eq!(delay, Some(QUEUE_RETRY));
    }

    #[test]
    fn every_refusal_has_a_reason() {
        let status = Status::from(Refusal::LostRun);
        assert_eq!(status.get_details_error_info().unwrap().reason, "LOST_RUN");
    }

    #[test]
    fn many_violations_fit_into_the_trailers() {
        let status = Status::from(violations(1000));
        let coded = status.details().len() * 4 / 3 + status.message().len() * 3;
        assert!(coded < TRAILER_BYTES, "{coded} bytes");
    }

    #[test]
    fn many_short_violations_fit_into_the_trailers() {
        let violation = Violation { field: "input_sizes[9]".into(), problem: "must rise".into() };
        let status = Status::from(Refusal::Invalid(Violations(vec![violation; 1000])));
        let coded = status.details().len() * 4 / 3 + status.message().len() * 3;
        assert!(coded < TRAILER_BYTES, "{coded} bytes");
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let status = Status::from(violations(1000));
        let fields = status.get_details_bad_request().unwrap().field_violations;
        let told = fields.len() - 1;
        let expected = format!("{} more fields are invalid", 1000 - told);
        assert_eq!(fields.last().unwrap().description, expected);
    }

    #[test]
    fn a_full_queue_says_how_many_wait() {
        let status = Status::from(Refusal::QueueFull { depth: 1, most: 2 });
        let facts = status.get_details_error_info().unwrap().metadata;
        assert_eq!(facts.get("queue_depth").map(String::as_str), Some("1"));
    }
}
