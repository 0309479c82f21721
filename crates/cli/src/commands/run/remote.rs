//! A run on a server.

use crate::exit::Failure;
use crate::job_request::{self, JobRequest};
use crate::progress::Progress;
use profiler_client::{Client, Error, Notice};
use profiler_core::error::Violation;
use profiler_proto::v1::{CodeMessage, Event, Job};
use std::iter;
use std::time::Duration;
use tokio::time::timeout;

/// How long a server is given to take note that a run is abandoned.
const ABANDON_LIMIT: Duration = Duration::from_secs(1);

/// A run on a server. Dropping it ends it, within a runtime that goes on.
pub(super) struct Run {
    watched: profiler_client::Run,
    client: Client,
    endpoint: String,
}

/// Sends what is asked for to the server. The run has been accepted when this returns.
pub(super) async fn submit(
    endpoint: &str,
    asked: JobRequest,
    progress: &Progress,
) -> Result<Run, Failure> {
    let job = job(asked)?;
    let progress = progress.clone();
    let submitted = async {
        let client = Client::connect(endpoint).await?;
        let client = client.with_listener(move |notice| mention(&progress, notice));
        let watched = client.submit(job).await?;
        Ok(Run { watched, client, endpoint: endpoint.to_owned() })
    };
    submitted.await.map_err(|error| failure(endpoint, error))
}

/// Says what the client does by itself.
fn mention(progress: &Progress, notice: &Notice<'_>) {
    match notice {
        Notice::Retrying { cause, after } => {
            progress.mention(&format!("{cause}; trying again in {:.1} s", after.as_secs_f64()));
        }
        Notice::Reconnecting { cause, .. } => progress.mention(&format!("reconnecting… ({cause})")),
        _ => {}
    }
}

impl Run {
    /// The next event; there is always one before the last has been taken.
    pub(super) async fn next(&mut self) -> Result<Event, Failure> {
        let event = self.watched.next().await;
        let event = event.and_then(|event| event.ok_or(Error::Incomplete("last event")));
        let event = event.map_err(|error| failure(&self.endpoint, error))?;
        Ok(Event {
            run_id: self.watched.id().into(),
            sequence: event.sequence,
            time: Some(event.time.into()),
            kind: Some(event.kind),
        })
    }

    /// Asks the server to end the run, meanwhile. If that fails, the run has just ended, or the
    /// connection has: the next event says which.
    pub(super) fn cancel(&self) {
        let (client, id) = (self.client.clone(), self.watched.id().to_owned());
        tokio::spawn(async move { client.cancel(&id).await.ok() });
    }

    /// Ends the run before this process does. A server that cannot be reached ends it when it has
    /// waited long enough.
    pub(super) async fn abandon(self) {
        let _ = timeout(ABANDON_LIMIT, self.watched.cancel()).await;
    }
}

/// What the server or the way to it has against the job, in the terms of the command line.
fn failure(endpoint: &str, error: Error) -> Failure {
    let endpoint = endpoint.to_owned();
    match error {
        Error::Endpoint { cause, .. } | Error::Connect { cause, .. } => {
            Failure::Unreachable { endpoint, cause: reasons(&cause) }
        }
        Error::Invalid { violations, .. } if !violations.is_empty() => {
            let violations = violations
                .into_iter()
                .map(|bad| Violation { field: bad.field, problem: bad.problem });
            job_request::named_by_argument(violations.collect())
        }
        Error::Invalid { message, .. } => Failure::Refused(message),
        Error::Unavailable { message, .. } => Failure::Unavailable { endpoint, message },
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

/// An error and what caused it: the transport's own text says nothing but that it is one.
fn reasons(error: &dyn std::error::Error) -> String {
    let chain = iter::successors(Some(error), |error| error.source());
    let texts: Vec<_> = chain.map(ToString::to_string).collect();
    texts.join(": ")
}

/// What is asked for, whole. It is the server's to check: its limits may differ.
fn job(asked: JobRequest) -> Result<Job, Failure> {
    let problem = "is not UTF-8, as a server needs it: leave out --endpoint to run it here";
    let code_cpp =
        String::from_utf8(asked.source).map_err(|_| Failure::argument("FILE.cpp", problem))?;
    let code = CodeMessage { code_cpp, ..asked.job.code.unwrap_or_default() };
    Ok(Job { code: Some(code), ..asked.job })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Exit;

    #[test]
    fn source_goes_out_with_all_else_that_is_asked_for() {
        let code = CodeMessage { task_id: "a".into(), ..CodeMessage::default() };
        let asked = JobRequest {
            source: b"int main() {}".into(),
            job: Job { code: Some(code), debug: true, ..Job::default() },
            ..JobRequest::default()
        };
        let job = job(asked).unwrap();
        let code = job.code.unwrap();
        assert_eq!((code.task_id.as_str(), code.code_cpp.as_str()), ("a", "int main() {}"));
        assert!(job.debug);
    }

    #[test]
    fn source_that_is_not_utf8_stays_here() {
        let asked = JobRequest { source: vec![0xff], ..JobRequest::default() };
        let failure = job(asked).unwrap_err().to_string();
        assert!(failure.starts_with("FILE.cpp: is not UTF-8"), "{failure}");
    }

    #[test]
    fn server_refusing_fields_names_the_arguments() {
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

    #[tokio::test]
    async fn endpoint_where_nothing_listens_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let endpoint = format!("unix:{}", folder.path().join("nobody").display());
        let failure =
            submit(&endpoint, JobRequest::default(), &Progress::None).await.err().unwrap();
        let text = failure.to_string();
        assert!(text.starts_with(&format!("--endpoint {endpoint}: ")), "{text}");
        assert!(text.contains("No such file"), "{text}");
        assert_eq!(failure.exit(), Exit::BadInput);
    }
}
