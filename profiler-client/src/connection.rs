//! A connection to a profiler: opening it, renewing it, and repeating calls over it.

use crate::credentials::{Authorization, Credentials};
use crate::error::Error;
use crate::notice::{Listener, Notice};
use crate::retry::{Failure, Until, retried};
use crate::tls_fault::{TlsFault, speaks_tls};
use profiler_proto::v1::profiler_service_client::ProfilerServiceClient;
use profiler_proto::v1::{
    self, CancelRunRequest, ProfileStreamRequest, ProfileStreamResponse, WatchRunRequest,
    WatchRunResponse,
};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::Instant;
use tokio_stream::Stream as _;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status, Streaming};

/// Timeout of one attempt to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout of a call that does not submit or watch, over all its attempts.
const CALL_TIMEOUT: Duration = Duration::from_secs(10);
/// Interval of keep-alive probes on an idle connection. Without them a cut network goes unnoticed.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(20);
/// Timeout of the answer to a keep-alive probe.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum size of a received message, in bytes. A report with all samples and diagnostics is far
/// smaller.
const MAX_MESSAGE_BYTES: usize = 64 << 20;

type Stub = ProfilerServiceClient<InterceptedService<Channel, Authorization>>;

/// A connection to a profiler. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Connection {
    /// `None` if the caller opened the channel.
    endpoint: Option<Endpoint>,
    /// Whether the endpoint is of the form `http://HOST:PORT`.
    is_http: bool,
    authorization: Authorization,
    stub: Stub,
    pub(crate) listener: Listener,
}

impl Connection {
    /// Connects once. A connection that is lost later is restored automatically.
    pub(crate) async fn open(name: &str, credentials: &Credentials) -> Result<Self, Error> {
        let failed = |cause| match TlsFault::find(&cause) {
            Some((fault, cause)) => Error::Tls { fault, cause },
            None => Error::Connect { endpoint: name.to_owned(), cause },
        };
        let mut endpoint = Endpoint::from_shared(name.to_owned())
            .map_err(|cause| Error::Endpoint { endpoint: name.to_owned(), cause })?
            .connect_timeout(CONNECT_TIMEOUT)
            .http2_keep_alive_interval(KEEPALIVE_INTERVAL)
            .keep_alive_timeout(KEEPALIVE_TIMEOUT);
        let authorization = credentials.authorization()?;
        let uri = endpoint.uri().clone();
        match uri.scheme_str() {
            _ if name.starts_with("unix:") => credentials.without_tls()?,
            Some("http") => {
                credentials.without_tls()?;
                authorization.check_plaintext(name, &uri)?;
            }
            Some("https") => {
                let tls = credentials.tls()?.timeout(CONNECT_TIMEOUT);
                endpoint = endpoint.tls_config(tls).map_err(failed)?;
            }
            _ => return Err(Error::Scheme(name.to_owned())),
        }
        let is_http = uri.scheme_str() == Some("http") && !name.starts_with("unix:");
        let channel = endpoint.connect().await.map_err(failed)?;
        let stub = stub(channel, authorization.clone());
        let endpoint = Some(endpoint);
        Ok(Self { endpoint, is_http, authorization, stub, listener: Listener::default() })
    }

    /// Calls over a channel that the caller opened, without credentials.
    pub(crate) fn over(channel: Channel) -> Self {
        let authorization = Authorization::default();
        let stub = stub(channel, authorization.clone());
        let listener = Listener::default();
        Self { endpoint: None, is_http: false, authorization, stub, listener }
    }

    /// Submits a job once.
    pub(crate) async fn profile_stream(
        &self,
        request: Request<ProfileStreamRequest>,
    ) -> Result<Stream, Status> {
        Ok(Stream::Submission(self.stub.clone().profile_stream(request).await?.into_inner()))
    }

    /// Opens a stream of the events after this sequence number.
    pub(crate) async fn watch(&self, run_id: &str, after_sequence: u64) -> Result<Stream, Status> {
        let request = WatchRunRequest { run_id: run_id.to_owned(), after_sequence };
        Ok(Stream::Watch(self.stub.clone().watch_run(request).await?.into_inner()))
    }

    /// Continues over a new connection. A channel that the caller opened renews itself.
    pub(crate) fn renew(&mut self) {
        if let Some(endpoint) = &self.endpoint {
            self.stub = stub(endpoint.connect_lazy(), self.authorization.clone());
        }
    }

    /// Cancels a run, including the sandboxed program.
    pub(crate) async fn cancel(&self, run_id: &str) -> Result<(), Error> {
        let request = CancelRunRequest { run_id: run_id.to_owned() };
        self.call(request, |mut stub, request| async move { stub.cancel_run(request).await })
            .await
            .map(drop)
    }

    /// Makes an idempotent call; retries after failures.
    pub(crate) async fn call<Q: Clone, T, F: Future<Output = Result<Response<T>, Status>>>(
        &self,
        request: Q,
        call: impl Fn(Stub, Q) -> F,
    ) -> Result<T, Error> {
        let until = Until::At(Instant::now() + CALL_TIMEOUT);
        let answer = || {
            let answer = call(self.stub.clone(), request.clone());
            async { answer.await.map_err(Failure::from) }
        };
        self.retried(until, answer).await.map(Response::into_inner)
    }

    /// Makes attempts until the deadline, and sends a notice before each retry.
    pub(crate) async fn retried<T, F: Future<Output = Result<T, Failure>>>(
        &self,
        until: Until,
        attempt: impl Fn() -> F,
    ) -> Result<T, Error> {
        let tell = |cause: &Error, after| self.listener.tell(&Notice::Retrying { cause, after });
        let attempt = || async {
            match attempt().await {
                Err(failure) if failure.is_of_transport && self.wants_tls().await => {
                    let cause = failure.error.to_string();
                    Err(Error::Tls { fault: TlsFault::Encrypted, cause }.into())
                }
                done => done,
            }
        };
        // Boxed, because otherwise every future around it would grow.
        Box::pin(retried(until, tell, attempt)).await
    }

    /// Whether the endpoint is `http`, but its server speaks TLS.
    async fn wants_tls(&self) -> bool {
        match &self.endpoint {
            Some(endpoint) if self.is_http => speaks_tls(endpoint.uri()).await,
            _ => false,
        }
    }
}

fn stub(channel: Channel, authorization: Authorization) -> Stub {
    ProfilerServiceClient::with_interceptor(channel, authorization)
        .max_decoding_message_size(MAX_MESSAGE_BYTES)
}

/// An open stream of events.
#[derive(Debug)]
pub(crate) enum Stream {
    Submission(Streaming<ProfileStreamResponse>),
    Watch(Streaming<WatchRunResponse>),
}

impl Stream {
    /// Polls for the next event. The end of the stream is a failure.
    pub(crate) fn poll_message(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<v1::Event, Failure>> {
        let answer = ready!(self.poll_answer(cx));
        let event = answer
            .ok_or_else(|| Failure::gone("the stream ended without a last event".into()))??;
        Poll::Ready(Ok(event.ok_or(Error::Incomplete("event"))?))
    }

    /// Polls for the next answer's event, or for the status of a failure.
    pub(crate) fn poll_answer(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Option<v1::Event>, Status>>> {
        match self {
            Self::Submission(stream) => Pin::new(stream).poll_next(cx).map_ok(|it| it.event),
            Self::Watch(stream) => Pin::new(stream).poll_next(cx).map_ok(|it| it.event),
        }
    }
}
