//! The service in this process, over the fake backend and a real socket.

use profiler_client::Client;
use profiler_core::Profiler;
use profiler_core::cancel::StopSignal;
use profiler_core::sandbox::fake::Fake;
use profiler_core::sandbox::{Backend, Pool};
use profiler_server::store::Retention;
use profiler_server::{Address, Config, Listener, ServeError, Store};
use profiler_test_support::wait::until;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tonic::transport::{Channel, Endpoint};

/// Longer than the fake takes for anything, unless it hangs.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A server with the fake backend.
pub struct Server {
    url: String,
    alive: Arc<AtomicUsize>,
    available: Arc<AtomicBool>,
    shutdown: Option<oneshot::Sender<()>>,
    served: JoinHandle<Result<(), ServeError>>,
    _folder: Option<TempDir>,
}

impl Server {
    /// Serves on a free port, without warm sandboxes, so that every living sandbox belongs to a
    /// run.
    pub async fn over_tcp(fake: Fake) -> Self {
        Self::with(fake, 0, Config::default()).await
    }

    /// Serves on a free port, with these settings and `warm` warm sandboxes.
    pub async fn with(fake: Fake, warm: usize, config: Config) -> Self {
        let address = "127.0.0.1:0".parse().expect("an address");
        Self::listen(fake, warm, config, &address, None).await
    }

    /// Serves on a socket file.
    pub async fn over_socket(fake: Fake) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let address = Address::Unix(folder.path().join("socket"));
        Self::listen(fake, 0, Config::default(), &address, Some(folder)).await
    }

    /// Serves at an address. `folder` is removed with the server.
    pub async fn listen(
        fake: Fake,
        warm: usize,
        config: Config,
        address: &Address,
        folder: Option<TempDir>,
    ) -> Self {
        let (alive, available) = (fake.alive(), fake.available());
        let pool = Pool::new(Arc::new(fake) as Arc<dyn Backend>, warm);
        let profiler = Profiler::new(pool, None);
        let listener = Listener::bind(address).await.expect("a free address");
        let url = url(&listener.address().expect("a bound address"));
        let (shutdown, asked) = oneshot::channel();
        let asked = async {
            // An error means that the sender was dropped, which also asks the server to end.
            let _ = asked.await;
            StopSignal::Terminate
        };
        let store = match config.state_dir.clone() {
            Some(folder) => Store::open(Some(folder), Retention::default())
                .await
                .expect("the folder can be used"),
            None => Store::in_memory().expect("there is memory"),
        };
        let settings = watch::channel(config).1;
        let served = tokio::spawn(profiler_server::serve(
            settings,
            profiler,
            store,
            vec![listener],
            None,
            asked,
        ));
        Self { url, alive, available, shutdown: Some(shutdown), served, _folder: folder }
    }

    /// The address that a client connects to.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Opens a new connection.
    pub async fn client(&self) -> Client {
        Client::connect(&self.url).await.expect("the server answers")
    }

    /// Opens a connection for generated stubs.
    pub async fn channel(&self) -> Channel {
        let endpoint = Endpoint::from_shared(self.url.clone()).expect("an endpoint");
        endpoint.connect().await.expect("the server answers")
    }

    /// Returns the number of sandboxes that exist.
    pub fn alive(&self) -> usize {
        self.alive.load(Ordering::SeqCst)
    }

    /// Waits until `count` sandboxes exist.
    pub async fn until_alive(&self, count: usize) {
        let what = format!("{count} sandboxes exist");
        until(&what, PATIENCE, async || (self.alive() == count).then_some(())).await;
    }

    /// Sets whether sandboxes can be started from now on.
    pub fn set_available(&self, available: bool) {
        self.available.store(available, Ordering::SeqCst);
    }

    /// Asks the server to end, and waits until it has.
    pub async fn stop(mut self) -> Result<(), ServeError> {
        drop(self.shutdown.take());
        self.served.await.expect("the server does not panic")
    }
}

/// The address as a client writes it.
pub fn url(address: &Address) -> String {
    match address {
        Address::Tcp(at) => format!("http://{at}"),
        Address::Unix(path) => format!("unix:{}", path.display()),
    }
}
