//! A connection to a server, and its errors in the terms of the command line.

use crate::exit::Failure;
use crate::job_request;
use crate::progress::Progress;
use profiler_client::{Client, Error, Notice};
use profiler_core::error::Violation;
use std::iter;
use tonic::Code;

/// A client and the address of its server.
#[derive(Clone)]
pub(crate) struct Connection {
    pub(crate) client: Client,
    endpoint: String,
}

/// Connects to a server. The progress shows retries.
pub(crate) async fn connect(endpoint: &str, progress: &Progress) -> Result<Connection, Failure> {
    let client = Client::connect(endpoint).await.map_err(|error| failure(endpoint, error))?;
    let progress = progress.clone();
    let client = client.with_listener(move |notice| show_notice(&progress, notice));
    Ok(Connection { client, endpoint: endpoint.to_owned() })
}

impl Connection {
    /// Translates an error of the client to the terms of the command line.
    pub(crate) fn failure(&self, error: Error) -> Failure {
        failure(&self.endpoint, error)
    }
}

/// Shows that the client retries or reconnects.
fn show_notice(progress: &Progress, notice: &Notice<'_>) {
    match notice {
        Notice::Retrying { cause, after } => {
            progress.show_step(&format!("{cause}; trying again in {:.1} s", after.as_secs_f64()));
        }
        Notice::Reconnecting { cause, .. } => {
            progress.show_step(&format!("reconnecting… ({cause})"));
        }
        _ => {}
    }
}

fn failure(endpoint: &str, error: Error) -> Failure {
    let endpoint = endpoint.to_owned();
    match error {
        Error::Endpoint { cause, .. } | Error::Connect { cause, .. } => {
            Failure::Unreachable { endpoint, cause: reasons(&cause) }
        }
        Error::Scheme(_) => Failure::argument("--endpoint", error.to_string()),
        Error::Invalid { violations, .. } if !violations.is_empty() => {
            let violations = violations
                .into_iter()
                .map(|bad| Violation { field: bad.field, problem: bad.problem });
            job_request::violations_by_argument(violations)
        }
        Error::Invalid { message, .. } => Failure::Refused(message),
        Error::Unavailable { message, .. } => Failure::Unavailable { endpoint, message },
        Error::Status(status)
            if matches!(status.code(), Code::NotFound | Code::FailedPrecondition) =>
        {
            Failure::argument("RUN", status.message())
        }
        Error::Caller(_)
        | Error::Gone(_)
        | Error::Lost(_)
        | Error::Gap { .. }
        | Error::Deadline
        | Error::Sandbox(_)
        | Error::Incomplete(_)
        | Error::Status(_) => Failure::broken("follow the run on the server")(error),
    }
}

/// An error with its causes. The transport's own text only says that there is an error, and some
/// causes repeat the text of theirs.
fn reasons(error: &dyn std::error::Error) -> String {
    let chain = iter::successors(Some(error), |error| error.source());
    chain.map(ToString::to_string).fold(String::new(), |said, cause| match said.rsplit_once(": ") {
        _ if said.is_empty() => cause,
        Some((before, last)) if cause.starts_with(last) => format!("{before}: {cause}"),
        _ => format!("{said}: {cause}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args;
    use crate::exit::Exit;

    #[test]
    fn fields_refused_by_the_server_name_their_arguments() {
        let refused = Error::Invalid {
            message: "invalid request".into(),
            violations: vec![profiler_client::Violation {
                field: "input_sizes[2]".into(),
                problem: "10 does not rise above 10".into(),
            }],
        };
        let failure = failure("http://h:1", refused);
        assert_eq!(failure.to_string(), "--sizes: 10 does not rise above 10");
        assert_eq!(failure.exit(), Exit::BadInput);
    }

    #[test]
    fn a_repeated_cause_is_said_once() {
        #[derive(Debug, thiserror::Error)]
        #[error("{0}")]
        struct Caused(&'static str, #[source] Option<Box<Caused>>);
        let caused = |text, by| Caused(text, Some(Box::new(by)));
        let inner = caused("tcp connect error", Caused("refused", None));
        let outer = caused("transport error", caused("tcp connect error", inner));
        assert_eq!(reasons(&outer), "transport error: tcp connect error: refused");
    }

    #[tokio::test]
    async fn endpoint_without_a_listener_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let endpoint = format!("unix:{}", folder.path().join("nobody").display());
        let failure = connect(&endpoint, &Progress::new(args::Progress::None)).await.err().unwrap();
        let text = failure.to_string();
        assert!(text.starts_with(&format!("--endpoint {endpoint}: ")), "{text}");
        assert!(text.contains("No such file"), "{text}");
        assert_eq!(failure.exit(), Exit::BadInput);
    }
}
