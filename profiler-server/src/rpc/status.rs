//! The gRPC status of a call that cannot be answered.
//!
//! A call ends with a status if its run is not accepted. It also ends with one before its run does:
//! at its deadline, at a shutdown, when the store fails, and when the run is lost.

use super::limits::{
    ARRIVAL_LIMIT, MAX_MESSAGE_BYTES, MAX_WAITING_INFERENCES, MAX_WATCHES, SLOW_WATCHER_LIMIT,
};
use crate::identity::{Denied, Scope};
use crate::runs::{Refusal, Taken};
use crate::store::StoreFault;
use profiler_core::error::{MORE_VIOLATIONS, Violation, Violations};
use std::collections::HashMap;
use std::time::Duration;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};

/// The domain of every `ErrorInfo`.
pub const DOMAIN: &str = "profiler.swiftsolve";
/// Delay before a caller may try again after a full queue: about the duration of a short job.
const QUEUE_RETRY: Duration = Duration::from_secs(2);
/// Delay before a caller may try again after a failed sandbox or store, or a shutdown.
const UNAVAILABLE_RETRY: Duration = Duration::from_secs(5);
/// Maximum bytes of field violations in one status. Details travel in trailers, encoded as base64,
/// and only 8 KiB of trailers are sure to arrive.
const MAX_VIOLATION_BYTES: usize = 4 << 10;
/// Maximum number of bytes of a field violation in addition to its texts: three tags and their
/// lengths.
const VIOLATION_FRAME_BYTES: usize = 9;
/// Maximum bytes of one text in a status.
const MAX_TEXT_BYTES: usize = 512;

/// Error that ends a call with a status.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CallError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("invalid request: {0}")]
    Invalid(#[from] Violations),
    #[error(transparent)]
    Denied(#[from] Denied),
    #[error("the caller lacks the scope {0}")]
    MissingScope(Scope),
    /// The message is larger than any job.
    #[error("a message must have at most {MAX_MESSAGE_BYTES} bytes")]
    MessageTooLong,
    #[error("the message did not arrive within {} s", ARRIVAL_LIMIT.as_secs())]
    SlowMessage,
    /// The run has not ended, so there is nothing to export.
    #[error("run {0:?} has not ended")]
    NotEnded(String),
    /// The run has not ended, so it cannot be deleted.
    #[error("run {0:?} is live: cancel it first")]
    StillLive(String),
    /// The run lacks what the format needs.
    #[error("{0}")]
    NotExportable(String),
    /// A document could not be made: a bug.
    #[error("the document could not be written: {0}")]
    ExportFailed(String),
    /// A spec could not be inferred: a bug.
    #[error("the inference failed: {0}")]
    InferenceFailed(String),
    #[error("too many calls watch runs: all callers share {MAX_WATCHES}; try again later")]
    TooManyWatches,
    #[error(
        "too many inferences wait: all callers share {MAX_WAITING_INFERENCES}; try again later"
    )]
    TooManyInferences,
    #[error("the caller's messages take too much memory; try again later")]
    TooManyBytes,
    #[error("the caller read no events for {} s", SLOW_WATCHER_LIMIT.as_secs())]
    SlowWatcher,
    #[error("the deadline passed before the run ended")]
    Deadline,
    /// The task of the run ended without a last event: a bug.
    #[error("the run was lost")]
    LostRun,
}

impl CallError {
    /// Makes an error that names one invalid field.
    pub(crate) fn invalid(field: &str, problem: String) -> Self {
        Self::Invalid(Violation { field: field.into(), problem }.into())
    }
}

impl From<StoreFault> for CallError {
    fn from(fault: StoreFault) -> Self {
        Self::Refused(fault.into())
    }
}

/// Returns the delay before a caller that has used up a quota may try again. There is no delay for
/// kept runs, because the caller has to delete some.
fn retry_after(taken: &Taken) -> Option<Duration> {
    match taken {
        Taken::LiveRuns(_) | Taken::QueuedRuns(_) => Some(QUEUE_RETRY),
        Taken::Hour { after, .. } => Some(*after),
        Taken::Kept(_) => None,
    }
}

impl From<CallError> for Status {
    fn from(error: CallError) -> Self {
        let (mut details, mut facts) = (ErrorDetails::new(), HashMap::new());
        let (code, reason) = match &error {
            CallError::Refused(refusal) => {
                (refused(refusal, &mut details, &mut facts), refusal.reason())
            }
            CallError::Invalid(found) => {
                details.set_bad_request(field_violations(found));
                (Code::InvalidArgument, "INVALID_REQUEST")
            }
            CallError::Denied(denied) => denial(*denied),
            CallError::MissingScope(scope) => {
                facts.insert("scope".into(), scope.to_string());
                (Code::PermissionDenied, "MISSING_SCOPE")
            }
            CallError::MessageTooLong => (Code::ResourceExhausted, "MESSAGE_TOO_LONG"),
            CallError::SlowMessage => (Code::ResourceExhausted, "SLOW_MESSAGE"),
            CallError::TooManyWatches => {
                details.set_retry_info(Some(QUEUE_RETRY));
                (Code::ResourceExhausted, "TOO_MANY_WATCHES")
            }
            CallError::TooManyBytes | CallError::TooManyInferences => {
                details.set_retry_info(Some(QUEUE_RETRY));
                (Code::ResourceExhausted, "QUEUE_FULL")
            }
            CallError::NotEnded(_) => (Code::FailedPrecondition, "NOT_ENDED"),
            CallError::StillLive(_) => (Code::FailedPrecondition, "STILL_LIVE"),
            CallError::NotExportable(_) => (Code::FailedPrecondition, "NOT_EXPORTABLE"),
            CallError::ExportFailed(_) => (Code::Internal, "EXPORT_FAILED"),
            CallError::InferenceFailed(_) => (Code::Internal, "INFERENCE_FAILED"),
            CallError::SlowWatcher => (Code::Aborted, "SLOW_WATCHER"),
            CallError::Deadline => (Code::DeadlineExceeded, "DEADLINE"),
            CallError::LostRun => (Code::Internal, "LOST_RUN"),
        };
        details.set_error_info(reason, DOMAIN, facts);
        let message = truncated(&error.to_string(), MAX_TEXT_BYTES);
        Status::with_error_details(code, message, details)
    }
}

/// Returns the code of a refused call, and adds to the details and facts of its status.
fn refused(
    refusal: &Refusal,
    details: &mut ErrorDetails,
    facts: &mut HashMap<String, String>,
) -> Code {
    match refusal {
        Refusal::QueueFull { waiting, most } => {
            details.set_retry_info(Some(QUEUE_RETRY));
            facts.insert("queue_depth".into(), waiting.to_string());
            facts.insert("max_queued".into(), most.to_string());
            Code::ResourceExhausted
        }
        #[cfg(feature = "fleet")]
        Refusal::FleetFull => {
            details.set_retry_info(Some(QUEUE_RETRY));
            Code::ResourceExhausted
        }
        Refusal::Quota(taken) => {
            details.set_retry_info(retry_after(taken));
            Code::ResourceExhausted
        }
        Refusal::RequestIdTaken(_) => Code::AlreadyExists,
        Refusal::NoSandbox(_) | Refusal::ShuttingDown | Refusal::StoreFailed => {
            details.set_retry_info(Some(UNAVAILABLE_RETRY));
            Code::Unavailable
        }
        Refusal::NotLive(_) | Refusal::UnknownRun(_) => Code::NotFound,
    }
}

/// Returns the status of a caller that is not identified, and its reason.
fn denial(denied: Denied) -> (Code, &'static str) {
    match denied {
        Denied::Nobody(_) => (Code::Unauthenticated, "NO_CREDENTIALS"),
        Denied::WrongToken => (Code::Unauthenticated, "WRONG_TOKEN"),
        Denied::ExpiredToken => (Code::Unauthenticated, "EXPIRED_TOKEN"),
        Denied::ExpiredCertificate => (Code::Unauthenticated, "EXPIRED_CERTIFICATE"),
        Denied::NamelessCertificate => (Code::Unauthenticated, "NAMELESS_CERTIFICATE"),
    }
}

/// Returns the violations that fit into a status. If there are more, the last one says so.
fn field_violations(found: &[Violation]) -> Vec<FieldViolation> {
    let mut left = MAX_VIOLATION_BYTES;
    let mut fields = Vec::new();
    for violation in found {
        let problem = truncated(&violation.problem, MAX_TEXT_BYTES);
        let bytes = violation.field.len() + problem.len() + VIOLATION_FRAME_BYTES;
        if bytes > left {
            fields.push(FieldViolation::new("", MORE_VIOLATIONS));
            break;
        }
        left -= bytes;
        fields.push(FieldViolation::new(violation.field.as_str(), problem));
    }
    fields
}

/// Returns the beginning of a text, at most `bytes` long, cut between characters.
fn truncated(text: &str, bytes: usize) -> String {
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    text[..ends.take_while(|&end| end <= bytes).last().unwrap_or(0)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_core::limits::MAX_VIOLATIONS;

    /// Limit that C-core suggests for all of a call's metadata.
    const TRAILER_BYTES: usize = 8 << 10;

    fn violations(count: usize) -> CallError {
        let violation = Violation {
            field: "code.compiler_flags[0]".into(),
            problem: "é".repeat(MAX_TEXT_BYTES),
        };
        let mut found = Violations::default();
        found.extend(vec![violation; count]);
        CallError::Invalid(found)
    }

    #[test]
    fn full_queue_says_when_to_try_again() {
        let status = Status::from(CallError::Refused(Refusal::QueueFull { waiting: 1, most: 2 }));
        let delay = status.get_details_retry_info().and_then(|info| info.retry_delay);
        assert_eq!(delay, Some(QUEUE_RETRY));
    }

    #[test]
    fn every_status_has_a_reason() {
        let status = Status::from(CallError::LostRun);
        assert_eq!(status.get_details_error_info().unwrap().reason, "LOST_RUN");
    }

    #[test]
    fn clients_page_explains_every_reason() {
        let page = include_str!("../../../docs/clients.md");
        let code = include_str!("status.rs").split("mod tests").next().unwrap();
        let pairs = code.split("(Code::").skip(1).map(|rest| rest.split_once(')').unwrap().0);
        let mut found = 0;
        for (status, reason) in pairs.filter_map(|pair| pair.split_once(", \"")) {
            let upper = |at: usize, c: char| at > 0 && c.is_uppercase();
            let words = status.char_indices().flat_map(|(at, c)| {
                upper(at, c).then_some('_').into_iter().chain([c.to_ascii_uppercase()])
            });
            let row =
                format!("| `{}` | {} |", reason.trim_end_matches('"'), words.collect::<String>());
            assert!(page.contains(&row), "{row}");
            found += 1;
        }
        assert!(found > 10, "{found} reasons");
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
        let mut found = Violations::default();
        found.extend(vec![violation; 1000]);
        let status = Status::from(CallError::Invalid(found));
        let coded = status.details().len() * 4 / 3 + status.message().len() * 3;
        assert!(coded < TRAILER_BYTES, "{coded} bytes");
    }

    #[test]
    fn violations_that_do_not_fit_are_mentioned() {
        let status = Status::from(violations(MAX_VIOLATIONS));
        let fields = status.get_details_bad_request().unwrap().field_violations;
        assert!(fields.len() < MAX_VIOLATIONS, "{}", fields.len());
        assert_eq!(fields.last().unwrap().description, MORE_VIOLATIONS);
    }

    #[test]
    fn full_queue_says_how_many_wait() {
        let status = Status::from(CallError::Refused(Refusal::QueueFull { waiting: 1, most: 2 }));
        let facts = status.get_details_error_info().unwrap().metadata;
        assert_eq!(facts.get("queue_depth").map(String::as_str), Some("1"));
    }
}
