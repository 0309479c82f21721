//! What a caller is told by a gRPC status: whatever is wrong before a run is accepted, and the three
//! endings that are not data: its own deadline, a shutdown, and a run that was lost.

use profiler_core::error::{ErrorCode, SandboxFault, Violation, Violations};
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
/// Longest text of one field violation, in bytes.
const MAX_PROBLEM_BYTES: usize = 512;

/// Why a call ends with a status.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The request is no job.
    #[error("invalid request: {0}")]
    Invalid(#[from] Violations),
    /// So many runs wait already, and more may not.
    #[error("the queue is full: {0} runs wait")]
    QueueFull(usize),
    /// No run could be started now.
    #[error("no sandbox can be started: {0}")]
    NoSandbox(SandboxFault),
    /// The server ends; the run was not accepted, or was interrupted.
    #[error("the server is shutting down")]
    ShuttingDown,
    /// No such run is under way.
    #[error("no run {0:?} is under way")]
    UnknownRun(String),
    /// The caller's deadline passed.
    #[error("the deadline passed before the run ended")]
    Deadline,
    /// The run's task died without an ending: a bug.
    #[error("the run was lost")]
    LostRun,
}

impl Refusal {
    /// The status that stands for a run's ending; `None` where the ending is data. A caller that
    /// cancelled gets what was measured until then.
    pub fn of_ending(code: ErrorCode) -> Option<Self> {
        match code {
            ErrorCode::Deadline => Some(Self::Deadline),
            ErrorCode::Interrupted => Some(Self::ShuttingDown),
            ErrorCode::Compile
            | ErrorCode::Memory
            | ErrorCode::Parse
            | ErrorCode::Internal
            | ErrorCode::Cancelled => None,
        }
    }
}

impl From<Refusal> for Status {
    fn from(refusal: Refusal) -> Self {
        let mut details = ErrorDetails::new();
        let (code, reason) = match &refusal {
            Refusal::Invalid(Violations(found)) => {
                details.set_bad_request(fields(found));
                (Code::InvalidArgument, "INVALID_REQUEST")
            }
            Refusal::QueueFull(_) => {
                details.set_retry_info(Some(QUEUE_RETRY));
                (Code::ResourceExhausted, "QUEUE_FULL")
            }
            Refusal::NoSandbox(_) => {
                details.set_retry_info(Some(UNAVAILABLE_RETRY));
                (Code::Unavailable, "NO_SANDBOX")
            }
            Refusal::ShuttingDown => {
                details.set_retry_info(Some(UNAVAILABLE_RETRY));
                (Code::Unavailable, "SHUTTING_DOWN")
            }
            Refusal::UnknownRun(_) => (Code::NotFound, "UNKNOWN_RUN"),
            Refusal::Deadline => (Code::DeadlineExceeded, "DEADLINE"),
            Refusal::LostRun => (Code::Internal, "LOST_RUN"),
        };
        details.set_error_info(reason, DOMAIN, HashMap::new());
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
        let bytes = violation.field.len() + problem.len();
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
        let status = Status::from(Refusal::QueueFull(1));
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
    fn what_does_not_fit_is_counted() {
        let status = Status::from(violations(1000));
        let fields = status.get_details_bad_request().unwrap().field_violations;
        let told = fields.len() - 1;
        let expected = format!("{} more fields are invalid", 1000 - told);
        assert_eq!(fields.last().unwrap().description, expected);
    }

    #[test]
    fn endings_that_are_data_are_no_status() {
        assert_eq!(Refusal::of_ending(ErrorCode::Cancelled), None);
    }
}
