//! `mcp`: the profiler as tools of an agent, on stdin and stdout. Without `--endpoint` this process
//! has a server of its own, on a socket in a private folder.

use super::variables;
use crate::args::Progress as Shown;
use crate::args::service::McpArgs;
use crate::exit::{Exit, Failure};
use crate::progress::Progress;
use crate::sandbox;
use crate::server::Server;
use crate::stderr::tell;
use profiler_client::Client;
use profiler_core::cancel::{StopSignal, Termination};
use profiler_core::limits::WARM_SANDBOXES;
use profiler_core::sandbox::Cores;
use profiler_mcp::Session;
use profiler_server::config::Identity;
use profiler_server::telemetry::logging;
use profiler_server::{Address, Config, Listener, ServeError, Store};
use std::env;
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Time that this process's own server may take to end. The sandboxes end with this process.
const END_LIMIT: Duration = Duration::from_secs(3);
/// The name of the socket, and of the folder of runs.
const SOCKET: &str = "socket";
const STATE: &str = "state";

/// Answers an agent until its client has gone, or until SIGTERM or Ctrl-C.
pub(crate) async fn serve(args: McpArgs, cores: Option<Cores>) -> Result<Exit, Failure> {
    let config = Config::load(None, |name| env::var(name).ok())?;
    // The log goes to stderr, because stdout carries the protocol alone.
    logging::init(config.log_level, config.log_format).map_err(Failure::broken("log"))?;
    variables::warn_of_misspelt();
    let mut termination = Termination::listen().map_err(Failure::broken("listen for signals"))?;
    let limit = Duration::from_secs(args.answer_within);
    let Some(endpoint) = &args.endpoint else {
        let started = tokio::select! {
            started = LocalServer::start(&args, config, cores) => started?,
            _ = termination.asked() => return Ok(Exit::Done),
        };
        let client = Client::connect(&started.endpoint).await;
        let session = Session::new(client.map_err(Failure::broken("connect"))?, limit);
        let served = Box::pin(answer(session, &mut termination)).await;
        started.end().await;
        return served;
    };
    let progress = Progress::new(Shown::None);
    let connection = Server::named(endpoint, &args.credentials)?.connect(&progress).await?;
    Box::pin(answer(Session::new(connection.client, limit), &mut termination)).await
}

/// Serves the session. At its end, its live runs are cancelled.
async fn answer(session: Session, termination: &mut Termination) -> Result<Exit, Failure> {
    let served = tokio::select! {
        served = profiler_mcp::serve(session.clone()) => {
            served.map_err(Failure::broken("speak to the client")).map(|()| Exit::Done)
        }
        signal = termination.asked() => Ok(Exit::Stopped(signal)),
    };
    session.end().await;
    served
}

/// A server in this process, with a folder that ends with it.
struct LocalServer {
    endpoint: String,
    stop: oneshot::Sender<StopSignal>,
    serving: JoinHandle<Result<(), ServeError>>,
    _folder: TempDir,
}

impl LocalServer {
    async fn start(args: &McpArgs, config: Config, cores: Option<Cores>) -> Result<Self, Failure> {
        let folder = tempfile::Builder::new().prefix("swiftprof-").tempdir();
        let folder = folder.map_err(Failure::broken("make a private folder"))?;
        let socket = folder.path().join(SOCKET);
        let endpoint = format!("unix:{}", socket.display());
        let listener = Listener::bind(&Address::Unix(socket)).await?;
        let state = folder.path().join(STATE);
        let store = Store::open(Some(state), (&config.retention).into()).await?;
        let (sandbox, instance) = (&args.sandbox, store.instance());
        let profiler = sandbox::serving_profiler(sandbox, instance, WARM_SANDBOXES, cores).await?;
        // Whoever ends this process does not wait for its runs, so they are not drained. The socket
        // is in a private folder, so no caller needs a certificate or a token. Another server on
        // this host may already use the port of the metrics.
        let config =
            Config { drain_sec: 0.0, identity: Identity::default(), metrics: None, ..config };
        let settings = watch::channel(config).1;
        let (stop, stopped) = oneshot::channel();
        let shutdown = async move {
            // A dropped sender also asks the server to end.
            stopped.await.unwrap_or(StopSignal::Interrupt)
        };
        let served =
            profiler_server::serve(settings, profiler, store, vec![listener], None, shutdown);
        let serving = tokio::spawn(served);
        Ok(Self { endpoint, stop, serving, _folder: folder })
    }

    /// Ends the server with its sandboxes.
    async fn end(self) {
        drop(self.stop);
        match timeout(END_LIMIT, self.serving).await {
            Ok(Ok(Ok(()))) => {}
            Ok(Ok(Err(error))) => tell(format_args!("swiftprof: {error}")),
            Ok(Err(panicked)) => tell(format_args!("swiftprof: {panicked}")),
            Err(_) => tell(format_args!("swiftprof: the sandboxes were not removed in time")),
        }
    }
}
