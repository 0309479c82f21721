//! A server on a free port, and its callers.

pub(crate) mod backend;
pub(crate) mod requests;

use profiler_client::Client;
use profiler_core::Profiler;
use profiler_proto::v1::{CodeMessage, Job};
use profiler_server::{Address, Config, Listener, ServeError, Store};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tonic::transport::{Channel, Endpoint};

/// Nothing in these tests takes so long unless it hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A server, and how to end it.
pub(crate) struct Server {
    url: String,
    shutdown: Option<oneshot::Sender<()>>,
    served: JoinHandle<Result<(), ServeError>>,
}

impl Server {
    /// On any free port.
    pub(crate) async fn start(config: Config, profiler: Profiler) -> Self {
        let address = "127.0.0.1:0".parse().unwrap();
        Self::listen(&address, config, profiler).await
    }

    pub(crate) async fn listen(address: &Address, config: Config, profiler: Profiler) -> Self {
        let listener = Listener::bind(address).await.unwrap();
        let scheme = if config.identity.tls_cert.is_some() { "https" } else { "http" };
        let url = match listener.address().unwrap() {
            Address::Tcp(at) => format!("{scheme}://{at}"),
            Address::Unix(path) => format!("unix:{}", path.display()),
        };
        let (shutdown, asked) = oneshot::channel();
        let asked = async { drop(asked.await) };
        let store = Store::in_memory().unwrap();
        let served = tokio::spawn(profiler_server::serve(config, profiler, store, listener, asked));
        Self { url, shutdown: Some(shutdown), served }
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) async fn client(&self) -> Client {
        Client::connect(&self.url).await.unwrap()
    }

    pub(crate) async fn channel(&self) -> Channel {
        let endpoint = Endpoint::from_shared(self.url.clone()).unwrap();
        endpoint.connect().await.unwrap()
    }

    /// Asks the server to end, and waits until it has.
    pub(crate) async fn stop(mut self) -> Result<(), ServeError> {
        drop(self.shutdown.take());
        timeout(PATIENCE, &mut self.served).await.expect("the server hangs").unwrap()
    }
}

/// A job that nothing is wrong with.
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
