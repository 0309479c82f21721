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

/// The time that a server has to acknowledge an abandoned run.
const ABANDON_LIMIT: Duration = Duration::from_secs(1);

/// A run on a server. Dropping it cancels it, as long as the runtime lives.
pub(super) struct Run {
    watched: profiler_client::Run,
    client: Client,
    endpoint: String,
}

/// Sends the job to the server. When this returns, the server has accepted the run.
pub(super) async fn submit(
    endpoint: &str,
    request: JobRequest,
    progress: &Progress,
) -> Result<Run, Failure> {
    let job = job(request)?;
    let progress = progress.clone();
    let submitted = async {
        let client = Client::connect(endpoint).await?;
        let client = client.with_listener(move |notice| show_notice(&progress, notice));
        let watched = client.submit(job).await?;
        Ok(Run { watched, client, endpoint: endpoint.to_owned() })
    };
    submitted.await.map_err(|error| failure(endpoint, error))
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

impl Run {
    /// The next event. There is one until the last event has been taken.
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

    /// Asks the server to cancel the run, without waiting. If that fails, the run or the connection
    /// has just ended; the next event tells which.
    pub(super) fn cancel(&self) {
        let (client, id) = (self.client.clone(), self.watched.id().to_owned());
        tokio::spawn(async move { client.cancel(&id).await.ok() });
    }

    /// Cancels the run before this process ends. A server that cannot be reached cancels it later,
    /// when its client stays away.
    pub(super) async fn abandon(self) {
        let _ = timeout(ABANDON_LIMIT, self.watched.cancel()).await;
    }
}

/// Translates an error of the client to the terms of the command line.
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
            job_request::violations_by_argument(violations.collect())
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

/// An error with its causes. The transport's own text only says that there is an error.
fn reasons(error: &dyn std::error::Error) -> String {
    let chain = iter::successors(Some(error), |error| error.source());
    let texts: Vec<_> = chain.map(ToString::to_string).collect();
    texts.join(": ")
}

/// The job with its source. The server checks it, because its limits may differ.
fn job(request: JobRequest) -> Result<Job, Failure> {
    let problem = "is not UTF-8, which a server requires; leave out --endpoint to run it here";
    let code_cpp =
        String::from_utf8(request.source).map_err(|_| Failure::argument("FILE.cpp", problem))?;
    let code = CodeMessage { code_cpp, ..request.job.code.unwrap_or_default() };
    Ok(Job { code: Some(code), ..request.job })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Exit;

    #[test]
    fn source_is_sent_with_the_job() {
        let code = CodeMessage { task_id: "a".into(), ..CodeMessage::default() };
        let request = JobRequest {
            source: b"int main() {}".into(),
            job: Job { code: Some(code), debug: true, ..Job::default() },
            ..JobRequest::default()
        };
        let job = job(request).unwrap();
        let code = job.code.unwrap();
        assert_eq!((code.task_id.as_str(), code.code_cpp.as_str()), ("a", "int main() {}"));
        assert!(job.debug);
    }

    #[test]
    fn source_that_is_not_utf8_is_not_sent() {
        let request = JobRequest { source: vec![0xff], ..JobRequest::default() };
        let failure = job(request).unwrap_err().to_string();
        assert!(failure.starts_with("FILE.cpp: is not UTF-8"), "{failure}");
    }

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

    #[tokio::test]
    async fn endpoint_without_a_listener_is_named() {
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
