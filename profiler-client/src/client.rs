//! The client of a profiler, with a method for each call.

use crate::connection::Connection;
use crate::credentials::Credentials;
use crate::error::Error;
use crate::notice::{Listener, Notice};
use crate::retry::{Failure, Until};
use crate::run::Run;
use crate::watch::Watch;
use profiler_proto::v1::{
    self, DeleteRunRequest, ExportRunRequest, GetCapabilitiesRequest, GetRunRequest,
    InferInputsRequest, ListRunsRequest, OnDisconnect, ProfileStreamRequest, infer_inputs_response,
};
use std::time::Duration;
use tokio::time::Instant;
use tonic::Request;
use tonic::metadata::AsciiMetadataValue;
use tonic::transport::Channel;
use uuid::Uuid;

/// Time for which a profiler may accept no job, if the run has no timeout: long enough for its
/// restart. A full queue is waited for as long as the profiler says that it is full.
const SUBMIT_TIMEOUT: Duration = Duration::from_secs(60);
/// The metadata entry that names the caller of a submission.
const CALLER: &str = "x-caller";

/// A client of a profiler. Clones share the connection.
#[derive(Debug, Clone)]
pub struct Client {
    connection: Connection,
    run_timeout: Option<Duration>,
    caller: Option<AsciiMetadataValue>,
}

impl Client {
    /// Connects to `https://HOST:PORT`, `http://HOST:PORT` or `unix:PATH`. The first attempt is not
    /// repeated. A connection that is lost later is restored automatically.
    pub async fn connect(endpoint: &str) -> Result<Self, Error> {
        Self::connect_with(endpoint, &Credentials::new()).await
    }

    /// Connects with [`Credentials`]. A token is sent only over `https`, to `unix:PATH` and to the
    /// loopback of this host. A call to an `https` endpoint is never sent in plain text.
    pub async fn connect_with(endpoint: &str, credentials: &Credentials) -> Result<Self, Error> {
        let connection = Connection::open(endpoint, credentials).await?;
        Ok(Self { connection, run_timeout: None, caller: None })
    }

    /// Calls over a channel that was opened already, such as one inside this process.
    pub fn over(channel: Channel) -> Self {
        Self { connection: Connection::over(channel), run_timeout: None, caller: None }
    }

    /// Sets the timeout of all further runs. Time in the queue counts too.
    #[must_use]
    pub fn with_run_timeout(mut self, timeout: Duration) -> Self {
        self.run_timeout = Some(timeout);
        self
    }

    /// Sets the name of the caller for all further submissions. Callers take turns in the queue.
    /// Without a name, the profiler uses the client's address.
    pub fn with_caller(mut self, name: &str) -> Result<Self, Error> {
        // gRPC could send other bytes, but the profiler reads only ASCII.
        let caller = if name.is_ascii() { name.parse().ok() } else { None };
        self.caller = Some(caller.ok_or_else(|| Error::Caller(name.to_owned()))?);
        Ok(self)
    }

    /// Sets the function that receives notices about retries.
    #[must_use]
    pub fn with_listener(mut self, listener: impl Fn(&Notice<'_>) + Send + Sync + 'static) -> Self {
        self.connection.listener = Listener::new(listener);
        self
    }

    /// Submits a job. When this returns, the run is accepted. Dropping the run cancels it.
    ///
    /// A job without a `request_id` gets one, so a repeated submission refers to the same run. A
    /// job without `on_disconnect` gets [`Grace`](OnDisconnect::Grace). If the profiler cannot take
    /// the job now, the client tries again until the run's timeout. Without a timeout, it waits for
    /// a full queue, and a minute for anything else. If this future is dropped, the job may have
    /// been accepted. The profiler then ends the run as `on_disconnect` says.
    pub async fn submit(&self, job: v1::Job) -> Result<Run, Error> {
        let job = resumable(job);
        // A detached run continues when its caller disconnects.
        let owned = job.on_disconnect != i32::from(OnDisconnect::Detach);
        let deadline = self.deadline();
        let watch = self.begin(deadline, || self.accepted(&job, deadline)).await?;
        Ok(Run::new(watch, owned))
    }

    /// Watches a run, from the event after `after_sequence`.
    pub async fn attach(&self, run_id: &str, after_sequence: u64) -> Result<Run, Error> {
        let deadline = self.deadline();
        let watch = || async move {
            let stream = self.connection.watch(run_id, after_sequence).await?;
            Ok(Watch::new(
                self.connection.clone(),
                run_id.to_owned(),
                after_sequence,
                stream,
                deadline,
            ))
        };
        Ok(Run::new(self.begin(deadline, watch).await?, false))
    }

    /// Cancels a run, including the sandboxed program. Its watchers get the partial report.
    pub async fn cancel(&self, run_id: &str) -> Result<(), Error> {
        self.connection.cancel(run_id).await
    }

    /// Returns the state of a run, and its ending if the run has ended.
    pub async fn run(&self, run_id: &str) -> Result<v1::GetRunResponse, Error> {
        let request = GetRunRequest { run_id: run_id.to_owned() };
        self.connection
            .call(request, |mut stub, request| async move { stub.get_run(request).await })
            .await
    }

    /// Deletes an ended run with all its events. The error code `FailedPrecondition` means that the
    /// run is live. If the answer of an attempt is lost, the client's next attempt can return
    /// `NotFound` although the run was deleted.
    pub async fn delete(&self, run_id: &str) -> Result<(), Error> {
        let request = DeleteRunRequest { run_id: run_id.to_owned() };
        self.connection
            .call(request, |mut stub, request| async move { stub.delete_run(request).await })
            .await
            .map(drop)
    }

    /// Returns an ended run as a document. The error code `FailedPrecondition` means that the run
    /// lacks the data for this format.
    pub async fn export(
        &self,
        run_id: &str,
        format: v1::ExportFormat,
    ) -> Result<v1::ExportRunResponse, Error> {
        let request = ExportRunRequest { run_id: run_id.to_owned(), format: format.into() };
        self.connection
            .call(request, |mut stub, request| async move { stub.export_run(request).await })
            .await
    }

    /// Lists the retained runs, the newest first. The token of the first page is empty. Each page
    /// has the token of the next one.
    pub async fn runs(&self, page_token: &str) -> Result<v1::ListRunsResponse, Error> {
        let request = ListRunsRequest { page_size: 0, page_token: page_token.to_owned() };
        self.connection
            .call(request, |mut stub, request| async move { stub.list_runs(request).await })
            .await
    }

    /// Proposes the spec of a task's inputs from sample inputs, or returns the reason why it finds
    /// none.
    ///
    /// A job can have the proposed spec in its `input_specs`. Its report then says in `input_check`
    /// whether the program reads its inputs exactly to their end.
    pub async fn infer_inputs<T: Into<String>>(
        &self,
        samples: impl IntoIterator<Item = T>,
    ) -> Result<infer_inputs_response::Answer, Error> {
        let samples = samples.into_iter().map(Into::into).collect();
        let request = InferInputsRequest { samples };
        let response = self
            .connection
            .call(request, |mut stub, request| async move { stub.infer_inputs(request).await })
            .await?;
        response.answer.ok_or(Error::Incomplete("answer"))
    }

    /// Returns what the profiler can measure and enforce, and its limits.
    pub async fn capabilities(&self) -> Result<v1::GetCapabilitiesResponse, Error> {
        let request = GetCapabilitiesRequest {};
        self.connection
            .call(request, |mut stub, request| async move { stub.get_capabilities(request).await })
            .await
    }

    fn deadline(&self) -> Option<Instant> {
        self.run_timeout.and_then(|timeout| Instant::now().checked_add(timeout))
    }

    /// Makes one attempt to submit a job.
    async fn accepted(&self, job: &v1::Job, deadline: Option<Instant>) -> Result<Watch, Failure> {
        let mut request = Request::new(ProfileStreamRequest { job: Some(job.clone()) });
        if let Some(caller) = &self.caller {
            request.metadata_mut().insert(CALLER, caller.clone());
        }
        // The profiler ends the run at this time. The client needs its own timer, because tonic's
        // does not cover streams.
        if let Some(at) = deadline {
            request.set_timeout(at.saturating_duration_since(Instant::now()));
        }
        let stream = self.connection.profile_stream(request).await?;
        Watch::accepted(self.connection.clone(), stream, deadline).await
    }

    /// Opens a stream of a run's events; retries until the deadline, or for [`SUBMIT_TIMEOUT`]
    /// after the last answer that the queue is full.
    async fn begin<F: Future<Output = Result<Watch, Failure>>>(
        &self,
        deadline: Option<Instant>,
        watch: impl Fn() -> F,
    ) -> Result<Watch, Error> {
        let until = deadline.map_or(Until::Queued(SUBMIT_TIMEOUT), Until::At);
        let begun = self.connection.retried(until, watch).await;
        match deadline {
            Some(at) if begun.is_err() && at <= Instant::now() => Err(Error::Deadline),
            _ => begun,
        }
    }
}

/// Fills in two fields of a job: with a `request_id`, repeated submissions start only one run; with
/// `on_disconnect`, the run survives a broken stream.
fn resumable(mut job: v1::Job) -> v1::Job {
    if job.request_id.is_empty() {
        job.request_id = Uuid::now_v7().to_string();
    }
    if job.on_disconnect == i32::from(OnDisconnect::Unspecified) {
        job.on_disconnect = OnDisconnect::Grace.into();
    }
    job
}
