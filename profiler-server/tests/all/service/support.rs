//! A server on a free port, and its callers.

pub(crate) mod backend;
pub(crate) mod requests;

use profiler_client::{Client, Error};
use profiler_core::Profiler;
use profiler_core::cancel::StopSignal;
use profiler_proto::v1::profiler_service_client::ProfilerServiceClient;
use profiler_proto::v1::{CodeMessage, Job, ProfileStreamRequest, ProfileStreamResponse};
use profiler_server::{Address, Config, Listener, ServeError, Store, caller};
use std::time::Duration;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Streaming};

/// Time limit of each wait. Only a test that hangs reaches it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A server, and how to end it.
pub(crate) struct Server {
    urls: Vec<String>,
    shutdown: Option<oneshot::Sender<StopSignal>>,
    served: JoinHandle<Result<(), ServeError>>,
}

impl Server {
    /// Starts a server on any free port.
    pub(crate) async fn start(config: Config, profiler: Profiler) -> Self {
        let address = "127.0.0.1:0".parse().unwrap();
        Self::listen(&address, config, profiler).await
    }

    pub(crate) async fn listen(address: &Address, config: Config, profiler: Profiler) -> Self {
        Self::listen_on(std::slice::from_ref(address), config, profiler).await
    }

    pub(crate) async fn listen_on(
        addresses: &[Address],
        config: Config,
        profiler: Profiler,
    ) -> Self {
        let (mut listeners, mut urls) = (Vec::new(), Vec::new());
        let scheme = if config.identity.tls_cert.is_some() { "https" } else { "http" };
        for address in addresses {
            let listener = Listener::bind(address).await.unwrap();
            urls.push(match listener.address().unwrap() {
                Address::Tcp(at) => format!("{scheme}://{at}"),
                Address::Unix(path) => format!("unix:{}", path.display()),
            });
            listeners.push(listener);
        }
        let (shutdown, asked) = oneshot::channel();
        // The sender is dropped with the server, too.
        let asked = async { asked.await.unwrap_or(StopSignal::Terminate) };
        let store = Store::in_memory().unwrap();
        let settings = watch::channel(config).1;
        let served = profiler_server::serve(settings, profiler, store, listeners, None, asked);
        Self { urls, shutdown: Some(shutdown), served: tokio::spawn(served) }
    }

    pub(crate) fn url(&self) -> &str {
        &self.urls[0]
    }

    /// The addresses that a client connects to.
    pub(crate) fn urls(&self) -> &[String] {
        &self.urls
    }

    pub(crate) async fn client(&self) -> Client {
        Client::connect(self.url()).await.unwrap()
    }

    pub(crate) async fn channel(&self) -> Channel {
        let endpoint = Endpoint::from_shared(self.url().to_owned()).unwrap();
        endpoint.connect().await.unwrap()
    }

    /// Submits a job as the caller `name`, once and without a time limit. A client would repeat a
    /// refused submission, or on a machine that stalls reach its run timeout before the refusal.
    pub(crate) async fn submit_once(
        &self,
        name: &str,
    ) -> Result<Streaming<ProfileStreamResponse>, Error> {
        let mut request = Request::new(ProfileStreamRequest { job: Some(job()) });
        request.metadata_mut().insert(caller::HEADER, name.parse().unwrap());
        let mut stub = ProfilerServiceClient::new(self.channel().await);
        Ok(stub.profile_stream(request).await?.into_inner())
    }

    /// Asks the server to end, as SIGTERM does.
    pub(crate) fn ask_to_end(&mut self) {
        drop(self.shutdown.take());
    }

    /// Asks the server to end, and waits until it has.
    pub(crate) async fn stop(mut self) -> Result<(), ServeError> {
        self.ask_to_end();
        self.ended().await
    }

    /// Asks the server to end, as Ctrl-C does, and waits until it has.
    pub(crate) async fn interrupt(mut self) -> Result<(), ServeError> {
        let shutdown = self.shutdown.take().unwrap();
        shutdown.send(StopSignal::Interrupt).unwrap();
        self.ended().await
    }

    async fn ended(mut self) -> Result<(), ServeError> {
        timeout(PATIENCE, &mut self.served).await.expect("the server hangs").unwrap()
    }
}

/// A valid job.
pub(crate) fn job() -> Job {
    Job {
        code: Some(CodeMessage {
            task_id: "hello".into(),
            code_cpp: "int main() {}".into(),
            ..CodeMessage::default()
        }),
        ..Job::default()
    }
}
