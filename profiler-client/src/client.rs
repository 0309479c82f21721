//! A connection to a profiler.

use crate::notice::Listener;
use crate::retry::{Failure, retried};
use crate::watch::{Stream, Watch};
use crate::{Error, Notice, Run};
use profiler_proto::v1::profiler_service_client::ProfilerServiceClient;
use profiler_proto::v1::{
    self, CancelRunRequest, ExportRunRequest, GetCapabilitiesRequest, GetRunRequest,
    ListRunsRequest, OnDisconnect, ProfileStreamRequest, WatchRunRequest,
};
use std::time::Duration;
use tokio::time::Instant;
use tonic::metadata::AsciiMetadataValue;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status};
use uuid::Uuid;

/// How long connecting may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a call other than a run may take, all its attempts together.
const CALL_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a job is submitted again and again before it is given up: some turns of a full queue,
/// or a restart of the profiler.
const SUBMIT_TIMEOUT: Duration = Duration::from_secs(60);
/// A connection on which nothing happens is probed this often, or a cut network goes unnoticed.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(20);
/// A profiler that does not answer a probe for so long is gone.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(10);
/// Largest message that is read: a report with all its samples and diagnostics stays far below.
const MAX_MESSAGE_BYTES: usize = 64 << 20;
/// Where a submission says whose it is.
const CALLER: &str = "x-caller";

type Stub = ProfilerServiceClient<Channel>;

/// A connection to a profiler. Clones share it.
#[derive(Debug, Clone)]
pub struct Client {
    endpoint: Endpoint,
    stub: Stub,
    run_timeout: Option<Duration>,
    caller: Option<AsciiMetadataValue>,
    listener: Listener,
}

impl Client {
    /// Connects to `http://HOST:PORT` or `unix:PATH`. Once there has been a connection, it is made
    /// again when it is lost; the first is tried once.
    pub async fn connect(endpoint: &str) -> Result<Self, Error> {
        let name = || endpoint.to_owned();
        let endpoint = Endpoint::from_shared(name())
            .map_err(|cause| Error::Endpoint { endpoint: name(), cause })?
            .connect_timeout(CONNECT_TIMEOUT)
            .http2_keep_alive_interval(KEEPALIVE_INTERVAL)
            .keep_alive_timeout(KEEPALIVE_TIMEOUT);
        let connected = endpoint.connect().await;
        let channel = connected.map_err(|cause| Error::Connect { endpoint: name(), cause })?;
        let (stub, listener) = (stub(channel), Listener::default());
        Ok(Self { endpoint, stub, run_timeout: None, caller: None, listener })
    }

    /// Gives every run from now on so much time, its waiting in the queue included.
    #[must_use]
    pub fn with_run_timeout(mut self, timeout: Duration) -> Self {
        self.run_timeout = Some(timeout);
        self
    }

    /// Says whose the submissions are from now on. Callers take turns; without a name it is the
    /// address that counts.
    pub fn with_caller(mut self, name: &str) -> Result<Self, Error> {
        // What is not ASCII could be sent, and no profiler could read it.
        let caller = if name.is_ascii() { name.parse().ok() } else { None };
        self.caller = Some(caller.ok_or_else(|| Error::Caller(name.to_owned()))?);
        Ok(self)
    }

    /// Tells of what the client does by itself from now on.
    #[must_use]
    pub fn with_listener(mut self, listener: impl Fn(&Notice<'_>) + Send + Sync + 'static) -> Self {
        self.listener = Listener::new(listener);
        self
    }

    /// Submits a job. The run is accepted when this returns, and ends when it is dropped.
    ///
    /// A job without a `request_id` gets one, so that submitting it again after a connection was
    /// lost is the same run; one that does not say what happens `on_disconnect` asks for
    /// [`Grace`](OnDisconnect::Grace). A profiler that cannot take the job now is asked again for a
    /// minute, or as long as the run's timeout allows. Who drops this before it returns may leave a
    /// run behind, which its profiler ends as `on_disconnect` says.
    pub async fn submit(&self, job: v1::Job) -> Result<Run, Error> {
        let job = resumable(job);
        // A run that goes on by itself is not its caller's to end by going away.
        let owned = job.on_disconnect != i32::from(OnDisconnect::Detach);
        let deadline = self.deadline();
        let watch = self.begin(deadline, || self.accepted(&job, deadline)).await?;
        Ok(Run::new(watch, owned))
    }

    /// Watches a run again, or for the first time, from behind the event with this number.
    pub async fn attach(&self, run_id: &str, after_sequence: u64) -> Result<Run, Error> {
        let deadline = self.deadline();
        let watch = || async move {
            let stream = self.watch(run_id, after_sequence).await?;
            Ok(Watch::new(self.clone(), run_id.to_owned(), after_sequence, stream, deadline))
        };
        Ok(Run::new(self.begin(deadline, watch).await?, false))
    }

    /// Ends a run, the program in the sandbox included. Its watcher gets what was measured.
    pub async fn cancel(&self, run_id: &str) -> Result<(), Error> {
        let request = CancelRunRequest { run_id: run_id.to_owned() };
        self.call(request, |mut stub, request| async move { stub.cancel_run(request).await })
            .await
            .map(drop)
    }

    /// What is known of a run, and its ending if it has ended.
    pub async fn run(&self, run_id: &str) -> Result<v1::GetRunResponse, Error> {
        let request = GetRunRequest { run_id: run_id.to_owned() };
        self.call(request, |mut stub, request| async move { stub.get_run(request).await }).await
    }

    /// An ended run as a document; an error of code `FailedPrecondition` says what the run lacks
    /// for it.
    pub async fn export(
        &self,
        run_id: &str,
        format: v1::ExportFormat,
    ) -> Result<v1::ExportRunResponse, Error> {
        let request = ExportRunRequest { run_id: run_id.to_owned(), format: format.into() };
        self.call(request, |mut stub, request| async move { stub.export_run(request).await }).await
    }

    /// The retained runs, the newest first: a page of them, which names the next. The first page's
    /// token is empty.
    pub async fn runs(&self, page_token: &str) -> Result<v1::ListRunsResponse, Error> {
        let request = ListRunsRequest { page_size: 0, page_token: page_token.to_owned() };
        self.call(request, |mut stub, request| async move { stub.list_runs(request).await }).await
    }

    /// What the profiler can measure and enforce, and its limits.
    pub async fn capabilities(&self) -> Result<v1::GetCapabilitiesResponse, Error> {
        let request = GetCapabilitiesRequest {};
        self.call(request, |mut stub, request| async move { stub.get_capabilities(request).await })
            .await
    }

    /// A stream of a run's events behind the one with this number.
    pub(crate) async fn watch(&self, run_id: &str, after_sequence: u64) -> Result<Stream, Status> {
        let request = WatchRunRequest { run_id: run_id.to_owned(), after_sequence };
        Ok(Stream::Watch(self.stub.clone().watch_run(request).await?.into_inner()))
    }

    /// Goes on over a connection of its own.
    pub(crate) fn renew(&mut self) {
        self.stub = stub(self.endpoint.connect_lazy());
    }

    pub(crate) fn tell(&self, notice: &Notice<'_>) {
        self.listener.tell(notice);
    }

    fn deadline(&self) -> Option<Instant> {
        self.run_timeout.and_then(|timeout| Instant::now().checked_add(timeout))
    }

    /// One attempt to submit a job.
    async fn accepted(&self, job: &v1::Job, deadline: Option<Instant>) -> Result<Watch, Failure> {
        let mut request = Request::new(ProfileStreamRequest { job: Some(job.clone()) });
        if let Some(caller) = &self.caller {
            request.metadata_mut().insert(CALLER, caller.clone());
        }
        // The profiler ends the run at this time; a timer of our own ends the waiting, for tonic's
        // does not cover streams.
        if let Some(at) = deadline {
            request.set_timeout(at.saturating_duration_since(Instant::now()));
        }
        let stream = self.stub.clone().profile_stream(request).await?.into_inner();
        Watch::accepted(self.clone(), Stream::Submission(stream), deadline).await
    }

    /// Attempts to watch a run, until its deadline at the latest.
    async fn begin<F: Future<Output = Result<Watch, Failure>>>(
        &self,
        deadline: Option<Instant>,
        watch: impl Fn() -> F,
    ) -> Result<Watch, Error> {
        let limit = Instant::now() + SUBMIT_TIMEOUT;
        let until = deadline.map_or(limit, |at| at.min(limit));
        let begun = self.retried(until, watch).await;
        match deadline {
            Some(at) if begun.is_err() && at <= Instant::now() => Err(Error::Deadline),
            _ => begun,
        }
    }

    /// Attempts at a call that may be made twice.
    async fn call<Q: Clone, T, F: Future<Output = Result<Response<T>, Status>>>(
        &self,
        request: Q,
        call: impl Fn(Stub, Q) -> F,
    ) -> Result<T, Error> {
        let until = Instant::now() + CALL_TIMEOUT;
        let answer = || {
            let answer = call(self.stub.clone(), request.clone());
            async { answer.await.map_err(Failure::from) }
        };
        self.retried(until, answer).await.map(Response::into_inner)
    }

    async fn retried<T, F: Future<Output = Result<T, Failure>>>(
        &self,
        until: Instant,
        attempt: impl Fn() -> F,
    ) -> Result<T, Error> {
        let tell = |cause: &Error, after| self.tell(&Notice::Retrying { cause, after });
        retried(until, tell, attempt).await
    }
}

fn stub(channel: Channel) -> Stub {
    ProfilerServiceClient::new(channel).max_decoding_message_size(MAX_MESSAGE_BYTES)
}

/// The job with what makes it the same run however often it is submitted, and lets its stream
/// break.
fn resumable(mut job: v1::Job) -> v1::Job {
    if job.request_id.is_empty() {
        job.request_id = Uuid::now_v7().to_string();
    }
    if job.on_disconnect == i32::from(OnDisconnect::Unspecified) {
        job.on_disconnect = OnDisconnect::Grace.into();
    }
    job
}
