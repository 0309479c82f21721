//! What can come instead of a report.

use crate::retry::expired;
use profiler_proto::v1;
use std::time::Duration;
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The endpoint is no `http://HOST:PORT` or `unix:PATH`.
    #[error("{endpoint:?} is no endpoint: {cause}")]
    Endpoint {
        /// What was given.
        endpoint: String,
        /// Why.
        cause: tonic::transport::Error,
    },
    /// No profiler answers there.
    #[error("connect to {endpoint}: {cause}")]
    Connect {
        /// Where.
        endpoint: String,
        /// Why.
        cause: tonic::transport::Error,
    },
    /// What the caller calls itself cannot be sent.
    #[error("{0:?} cannot name a caller: it needs printable ASCII")]
    Caller(String),
    /// Fields of the job are wrong; every one is named.
    #[error("invalid job: {message}")]
    Invalid {
        /// One text for all of them.
        message: String,
        /// One by one. Empty if the job could not even be decoded.
        violations: Vec<Violation>,
    },
    /// The profiler cannot take the job now.
    #[error("not now: {message}")]
    Unavailable {
        /// Why not.
        message: String,
        /// When it is worth trying again, where the profiler says so.
        retry_after: Option<Duration>,
    },
    /// The profiler falls silent, or breaks off.
    #[error("{0}")]
    Gone(String),
    /// The deadline passed.
    #[error("the deadline passed before the run ended")]
    Deadline,
    /// The run's stream broke and could not be taken up again while the profiler waits for its
    /// caller. What became of the run is what [`Client::run`](crate::Client::run) says.
    #[error("the profiler is lost: {0}")]
    Lost(Box<Error>),
    /// Events are missing, and so is what they said.
    #[error("the profiler sent event {found} behind event {after}")]
    Gap {
        /// The last event's number.
        after: u64,
        /// The number of what came then.
        found: u64,
    },
    /// The run ended early; what was measured until then is in it.
    #[error("{}: {}", .0.code, .0.message)]
    Sandbox(Box<v1::SandboxError>),
    /// The answer lacks what the contract promises.
    #[error("the profiler's answer has no {0}")]
    Incomplete(&'static str),
    /// Anything else that the profiler or the transport says.
    #[error("{}: {}", .0.code(), .0.message())]
    Status(Box<Status>),
}

/// A field that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Its path in the job.
    pub field: String,
    /// What is wrong, and what is allowed.
    pub problem: String,
}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        let details = status.get_error_details();
        let message = status.message().to_owned();
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
                Self::Invalid { message, violations }
            }
            Code::ResourceExhausted | Code::Unavailable => Self::Unavailable {
                message,
                retry_after: details.retry_info().and_then(|info| info.retry_delay),
            },
            _ => Self::Status(Box::new(status)),
        }
    }
}
