//! A real NATS server for one test, with its streams on disk.

use crate::require;
use crate::wait::until;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};

/// Environment variable with the path of the program; `cargo xtask test` sets it.
pub const VARIABLE: &str = "PROFILER_TEST_NATS";
/// Time limit for a server to listen.
const STARTS_WITHIN: Duration = Duration::from_secs(20);

/// A server, killed when it is dropped.
pub struct NatsServer {
    program: PathBuf,
    folder: TempDir,
    port: u16,
    settings: Settings,
    /// Port at which a server of a cluster reports its health.
    monitor: Option<u16>,
    child: Option<Child>,
}

/// Configuration of a server.
pub struct Settings {
    /// The server's configuration file, which names the folder of the streams.
    pub file: PathBuf,
    /// Environment variables that the file refers to.
    pub variables: Vec<(String, String)>,
}

impl NatsServer {
    /// Starts a server. `None` if the program is missing and not required.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn start() -> Option<Self> {
        let program = program()?;
        let folder = folder();
        let settings = configured(&folder, "");
        Some(Self::begin(program, folder, settings, None).await)
    }

    /// Starts a server with a configuration. `None` if the program is missing and not required.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn with(settings: Settings) -> Option<Self> {
        Some(Self::begin(program()?, folder(), settings, None).await)
    }

    async fn begin(
        program: PathBuf,
        folder: TempDir,
        settings: Settings,
        monitor: Option<u16>,
    ) -> Self {
        let port = free_port().await;
        let mut server = Self { program, folder, port, settings, monitor, child: None };
        server.restart().await;
        server
    }

    /// Starts a cluster of three servers. `None` if the program is missing and not required.
    ///
    /// # Panics
    /// If they do not start.
    pub async fn three() -> Option<Vec<Self>> {
        let program = program()?;
        let mut routes = Vec::new();
        for _ in 0..3 {
            routes.push(format!("nats://127.0.0.1:{}", free_port().await));
        }
        let mut servers = Vec::new();
        for route in &routes {
            let (folder, monitor) = (folder(), free_port().await);
            let cluster = format!(
                "server_name: s{monitor}\nhttp: \"127.0.0.1:{monitor}\"\n\
                 cluster {{ name: three, listen: \"{}\", routes: [{}] }}\n",
                route.trim_start_matches("nats://"),
                routes.join(", "),
            );
            let settings = configured(&folder, &cluster);
            servers.push(Self::begin(program.clone(), folder, settings, Some(monitor)).await);
        }
        for server in &servers {
            server.until_healthy().await;
        }
        Some(servers)
    }

    /// Waits until a server of a cluster knows its leaders, and has received what it missed.
    ///
    /// # Panics
    /// If that takes too long.
    pub async fn until_healthy(&self) {
        let Some(monitor) = self.monitor else { return };
        let healthy = async || {
            let mut stream = TcpStream::connect(("127.0.0.1", monitor)).await.ok()?;
            stream.write_all(b"GET /healthz HTTP/1.0\r\n\r\n").await.ok()?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.ok()?;
            answer.contains(" 200 ").then_some(())
        };
        until("the engine is healthy", STARTS_WITHIN, healthy).await;
    }

    /// Returns its log.
    pub fn log(&self) -> String {
        fs::read_to_string(self.log_file()).unwrap_or_default()
    }

    /// Returns the URL at which it listens.
    pub fn url(&self) -> String {
        format!("nats://{}", self.address())
    }

    /// The server's address, without a scheme.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The process id; `None` if the server was killed.
    pub fn pid(&self) -> Option<u32> {
        self.child.as_ref()?.id()
    }

    /// Kills the server as a power cut does, without a warning to its clients.
    ///
    /// # Panics
    /// If it cannot be killed.
    pub async fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().await.expect("the engine is killed");
        }
    }

    /// Starts the server again with what it had stored, at the same address.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn restart(&mut self) {
        self.kill().await;
        self.child = Some(self.command().spawn().expect("the engine starts"));
        let port = self.port;
        let listens = async || TcpStream::connect(("127.0.0.1", port)).await.ok();
        until("the engine listens", STARTS_WITHIN, listens).await;
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        let port = self.port.to_string();
        command.args(["--addr", "127.0.0.1", "--port", &port]);
        let Settings { file, variables } = &self.settings;
        command.arg("--config").arg(file).envs(variables.iter().cloned());
        command.arg("--log").arg(self.log_file());
        command.stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        command
    }

    fn log_file(&self) -> PathBuf {
        self.folder.path().join("log")
    }
}

/// The path of the program; `None` if it is missing and not required.
fn program() -> Option<PathBuf> {
    require::tool("nats", VARIABLE).map(PathBuf::from)
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder for the engine can be made")
}

/// Writes the configuration of a server whose streams lie in a folder. The configuration limits the
/// size of the streams: without a limit, the server grants three quarters of the free disk space,
/// and refuses a stream that may become larger.
fn configured(folder: &TempDir, rest: &str) -> Settings {
    let (store, file) = (folder.path(), folder.path().join("config"));
    let text =
        format!("jetstream {{ store_dir: \"{}\", max_file_store: 20GB }}\n{rest}", store.display());
    fs::write(&file, text).expect("the engine's configuration can be written");
    Settings { file, variables: Vec::new() }
}

/// A port that is free now. The kernel does not give it to another process at once, because it
/// gives out ports in turn.
async fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await;
    listener.and_then(|listener| listener.local_addr()).expect("a port is free").port()
}
