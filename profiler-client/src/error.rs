//! The errors of a call.

use crate::tls_fault::TlsFault;
use profiler_proto::{Word, v1};
use std::error::Error as _;
use std::iter;
use std::time::Duration;
use tonic::{Code, Status, TimeoutExpired};
use tonic_types::{ErrorInfo, StatusExt};

/// The reason why a call or a run failed. Its text includes the text of its
/// [`source`](std::error::Error::source).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The endpoint is not of the form `https://HOST:PORT`, `http://HOST:PORT` or `unix:PATH`.
    #[error("{endpoint:?} is not an endpoint: {cause}")]
    Endpoint {
        /// The given endpoint.
        endpoint: String,
        /// The reason.
        #[source]
        cause: tonic::transport::Error,
    },
    /// The endpoint's scheme is not supported.
    #[error("{0:?}: use https://HOST:PORT, http://HOST:PORT or unix:PATH")]
    Scheme(String),
    /// A part of the [`Credentials`](crate::Credentials) is wrong, or does not fit the endpoint.
    #[error("{field}: {problem}")]
    Credentials {
        /// The part: `ca`, `certificate`, `key` or `token`.
        field: &'static str,
        /// Description of the problem, and of what is allowed.
        problem: &'static str,
    },
    /// The token was not sent, because others could read it on its way to this endpoint.
    #[error("{0}: a token is sent only over https, to unix:PATH or to the loopback of this host")]
    PlaintextToken(String),
    /// The two ends do not agree on TLS.
    #[error("{fault}: {cause}")]
    Tls {
        /// Kind of fault.
        fault: TlsFault,
        /// Error message of the transport.
        cause: String,
    },
    /// No profiler answers at the endpoint.
    #[error("cannot connect to {endpoint}: {cause}")]
    Connect {
        /// The endpoint.
        endpoint: String,
        /// The cause.
        #[source]
        cause: tonic::transport::Error,
    },
    /// The caller's name cannot be sent.
    #[error("{0:?} cannot name a caller: a name must be printable ASCII")]
    Caller(String),
    /// Fields of the job are invalid. All of them are listed.
    #[error("invalid job: {message}")]
    Invalid {
        /// One text for all violations.
        message: String,
        /// The violations. Empty if the job could not be decoded.
        violations: Vec<Violation>,
        /// Value of [`info`](Error::info).
        info: Option<Box<ErrorInfo>>,
    },
    /// The profiler does not know the caller: the token or the certificate is missing or wrong.
    #[error("not authenticated: {message}")]
    Unauthenticated {
        /// The reason.
        message: String,
        /// Value of [`info`](Error::info).
        info: Option<Box<ErrorInfo>>,
    },
    /// The profiler knows the caller, but does not permit this call.
    #[error("not permitted: {message}")]
    PermissionDenied {
        /// The reason.
        message: String,
        /// Value of [`info`](Error::info).
        info: Option<Box<ErrorInfo>>,
    },
    /// The profiler cannot take the job now.
    #[error("unavailable: {message}")]
    Unavailable {
        /// The reason.
        message: String,
        /// Wait before the next attempt; `None` if the profiler gives no time.
        retry_after: Option<Duration>,
        /// Value of [`info`](Error::info).
        info: Option<Box<ErrorInfo>>,
    },
    /// The profiler does not answer, or the connection broke.
    #[error("{0}")]
    Gone(String),
    /// The deadline passed.
    #[error("the deadline passed before the run ended")]
    Deadline,
    /// The run's stream broke and could not be resumed within the grace period.
    /// [`Client::run`](crate::Client::run) returns the state of the run.
    #[error("the server is lost: {0}")]
    Lost(#[source] Box<Error>),
    /// Events are missing.
    #[error("the server sent event {found} after event {after}")]
    Gap {
        /// The sequence number of the last event.
        after: u64,
        /// The sequence number of the event that came instead of the next one.
        found: u64,
    },
    /// The run ended early. The error contains the partial report.
    #[error("{}: {}", .0.code().word(), .0.message)]
    Sandbox(Box<v1::SandboxError>),
    /// The answer lacks a field that the protocol requires.
    #[error("the server's answer has no {0}")]
    Incomplete(&'static str),
    /// Any other error of the profiler or the transport.
    #[error("{}: {}", .0.code(), .0.message())]
    Status(#[source] Box<Status>),
}

impl Error {
    /// Returns the profiler's machine-readable reason, such as `QUEUE_FULL`, with its domain and
    /// metadata. `None` if the profiler gave no reason, and for [`Deadline`](Self::Deadline).
    pub fn info(&self) -> Option<ErrorInfo> {
        match self {
            Self::Invalid { info, .. }
            | Self::Unauthenticated { info, .. }
            | Self::PermissionDenied { info, .. }
            | Self::Unavailable { info, .. } => info.as_deref().cloned(),
            Self::Lost(cause) => cause.info(),
            Self::Status(status) => status.get_details_error_info(),
            _ => None,
        }
    }
}

/// An invalid field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The path of the field in the job.
    pub field: String,
    /// Description of the problem, and of what is allowed.
    pub problem: String,
}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        let details = status.get_error_details();
        let message = status.message().to_owned();
        let info = details.error_info().cloned().map(Box::new);
        if let Some((fault, cause)) = status.source().and_then(TlsFault::find) {
            return Self::Tls { fault, cause };
        }
        match status.code() {
            _ if expired(&status) => Self::Deadline,
            Code::DeadlineExceeded => Self::Deadline,
            Code::InvalidArgument => {
                let fields = details.bad_request().map(|bad| bad.field_violations.as_slice());
                let violation = |field: &tonic_types::FieldViolation| Violation {
                    field: field.field.clone(),
                    problem: field.description.clone(),
                };
                let violations = fields.unwrap_or_default().iter().map(violation).collect();
                Self::Invalid { message, violations, info }
            }
            Code::ResourceExhausted | Code::Unavailable => Self::Unavailable {
                message,
                retry_after: details.retry_info().and_then(|retry| retry.retry_delay),
                info,
            },
            Code::Unauthenticated => Self::Unauthenticated { message, info },
            Code::PermissionDenied => Self::PermissionDenied { message, info },
            _ => Self::Status(Box::new(status)),
        }
    }
}

/// Whether tonic's own timer ended the call. The status is then CANCELLED.
pub(crate) fn expired(status: &Status) -> bool {
    let mut causes = iter::successors(status.source(), |&cause| cause.source());
    causes.any(<dyn std::error::Error>::is::<TimeoutExpired>)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use tonic_types::ErrorDetails;

    fn chain(error: &Error) -> Vec<String> {
        let first: &dyn std::error::Error = error;
        iter::successors(Some(first), |&error| error.source()).map(ToString::to_string).collect()
    }

    #[test]
    fn wrapped_errors_are_sources() {
        let status = Status::not_found("no such run");
        let lost = Error::Lost(Box::new(status.clone().into()));
        let text = Error::from(status.clone()).to_string();
        let expected = [format!("the server is lost: {text}"), text, status.to_string()];
        assert_eq!(chain(&lost), expected);
    }

    #[test]
    fn lost_profilers_last_reason_is_kept() {
        let facts = HashMap::<String, String>::new();
        let details = ErrorDetails::with_error_info("SHUTTING_DOWN", "domain", facts);
        let status = Status::with_error_details(Code::Unavailable, "bye", details);
        let lost = Error::Lost(Box::new(status.into()));
        assert_eq!(lost.info().unwrap().reason, "SHUTTING_DOWN");
    }

    #[test]
    fn status_of_the_transport_has_no_reason() {
        assert!(Error::from(Status::unavailable("no route")).info().is_none());
    }
}
