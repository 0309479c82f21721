//! A connection to a profiler.

use crate::{Error, Run};
use profiler_proto::v1::profiler_service_client::ProfilerServiceClient;
use profiler_proto::v1::{self, CancelRunRequest, GetCapabilitiesRequest, ProfileStreamRequest};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request};

/// How long connecting may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a call other than a run may take.
const CALL_TIMEOUT: Duration = Duration::from_secs(10);
/// A connection on which nothing happens is probed this often, or a cut network goes unnoticed.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(20);
/// A profiler that does not answer a probe for so long is gone.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(10);
/// Largest message that is read: a report with all its samples and diagnostics stays far below.
const MAX_MESSAGE_BYTES: usize = 64 << 20;

/// A connection to a profiler. Clones share it.
#[derive(Debug, Clone)]
pub struct Client {
    stub: ProfilerServiceClient<Channel>,
    run_timeout: Option<Duration>,
}

impl Client {
    /// Connects to `http://HOST:PORT` or `unix:PATH`.
    pub async fn connect(endpoint: &str) -> Result<Self, Error> {
        let name = || endpoint.to_owned();
        let channel = Endpoint::from_shared(name())
            .map_err(|cause| Error::Endpoint { endpoint: name(), cause })?
            .connect_timeout(CONNECT_TIMEOUT)
            .http2_keep_alive_interval(KEEPALIVE_INTERVAL)
            .keep_alive_timeout(KEEPALIVE_TIMEOUT)
            .connect()
            .await
            .map_err(|cause| Error::Connect { endpoint: name(), cause })?;
        let stub = ProfilerServiceClient::new(channel).max_decoding_message_size(MAX_MESSAGE_BYTES);
        Ok(Self { stub, run_timeout: None })
    }

    /// Gives every run from now on so much time, its waiting in the queue included.
    #[must_use]
    pub fn with_run_timeout(mut self, timeout: Duration) -> Self {
        self.run_timeout = Some(timeout);
        self
    }

    /// Submits a job. The run is accepted when this returns, and ends when it is dropped.
    pub async fn submit(&self, job: v1::Job) -> Result<Run, Error> {
        let mut request = Request::new(ProfileStreamRequest { job: Some(job) });
        // The profiler ends the run at this time; a timer of our own ends the waiting, for tonic's
        // does not cover streams.
        let deadline = self.run_timeout.and_then(|timeout| {
            request.set_timeout(timeout);
            Instant::now().checked_add(timeout)
        });
        let mut stub = self.stub.clone();
        let accepted = async {
            let events = stub.profile_stream(request).await?.into_inner();
            Run::accepted(self.clone(), events, deadline).await
        };
        match deadline {
            Some(at) => match timeout_at(at, accepted).await {
                // tonic's timer until the headers come may be ahead of ours, and says CANCELLED.
                Ok(Err(Error::Status(status))) if status.code() == Code::Cancelled => {
                    Err(Error::Deadline)
                }
                Ok(accepted) => accepted,
                Err(_) => Err(Error::Deadline),
            },
            None => accepted.await,
        }
    }

    /// Ends a run, the program in the sandbox included. Its watcher gets what was measured.
    pub async fn cancel(&self, run_id: &str) -> Result<(), Error> {
        let run_id = run_id.to_owned();
        let request = brief(CancelRunRequest { run_id });
        self.stub.clone().cancel_run(request).await?;
        Ok(())
    }

    /// What the profiler can measure and enforce, and its limits.
    pub async fn capabilities(&self) -> Result<v1::GetCapabilitiesResponse, Error> {
        let request = brief(GetCapabilitiesRequest {});
        Ok(self.stub.clone().get_capabilities(request).await?.into_inner())
    }
}

fn brief<T>(message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.set_timeout(CALL_TIMEOUT);
    request
}
