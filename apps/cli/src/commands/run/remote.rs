//! A run on a server.

use crate::commands::check::quoted;
use crate::exit::Failure;
use crate::job_request::JobRequest;
use crate::progress::Progress;
use crate::server::{Connection, Server};
use profiler_proto::v1::{CodeMessage, Event, Job};
use std::time::Duration;
use tokio::time::timeout;

/// Time that a server has to acknowledge an abandoned run.
const ABANDON_LIMIT: Duration = Duration::from_secs(1);

/// A run on a server. Dropping it cancels it, as long as the runtime lives.
pub(super) struct Run {
    watched: profiler_client::Run,
    server: Connection,
}

/// Sends the job to a server. When this returns, the server has accepted the run.
pub(super) async fn submit(
    server: &Server,
    request: JobRequest,
    progress: &Progress,
) -> Result<Run, Failure> {
    let job = job(request)?;
    let server = server.connect(progress).await?;
    let watched = server.client.submit(job).await.map_err(|error| server.failure(error))?;
    Ok(Run { watched, server })
}

impl Run {
    /// Returns the command that cancels the run.
    pub(super) fn cancel_command(&self) -> String {
        let endpoint = quoted(&self.server.endpoint);
        format!("swiftprof runs cancel {} --endpoint {endpoint}", self.watched.id())
    }

    pub(super) async fn next(&mut self) -> Result<Event, Failure> {
        self.server.next_event(&mut self.watched).await
    }

    /// Asks the server to cancel the run, without waiting. If the request fails, the run or the
    /// connection has just ended; the next event tells which.
    pub(super) fn cancel(&self) {
        let (client, id) = (self.server.client.clone(), self.watched.id().to_owned());
        tokio::spawn(async move { client.cancel(&id).await.ok() });
    }

    /// Cancels the run before this process ends. A server that cannot be reached cancels it later,
    /// when its client stays away.
    pub(super) async fn abandon(self) {
        let _ = timeout(ABANDON_LIMIT, self.watched.cancel()).await;
    }
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
}
