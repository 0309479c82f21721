//! A server in its own process, so that its memory is measured alone. Its sandboxes run nothing.

use crate::failure::Failure;
use profiler_client::v1::{CodeMessage, Job};
use profiler_client::{Client, Credentials};
use profiler_core::Profiler;
use profiler_core::cancel::StopSignal;
use profiler_core::limits::WARM_SANDBOXES;
use profiler_core::sandbox::Pool;
use profiler_core::sandbox::fake::Fake;
use profiler_server::store::Retention;
use profiler_server::{Config, Listener, Store, logging};
use std::env::{self, current_exe};
use std::io::{BufRead, BufReader, Read, stdin};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::{fs, thread};
use tokio::sync::{oneshot, watch};

/// Cost of an element in a program of the fake backend, in nanoseconds and bytes.
const COST: (u64, u64) = (100, 8);

/// A server process. Dropping it kills the process.
pub(crate) struct Served {
    child: Child,
    /// The server's address.
    pub(crate) url: String,
    /// Secrets that its callers need, if it has TLS.
    pub(crate) secrets: Option<Secrets>,
}

/// Secrets that a caller needs.
pub(crate) struct Secrets {
    /// The authority of the server's certificate, in PEM.
    pub(crate) ca: String,
    pub(crate) token: String,
}

impl Served {
    /// Starts the server; returns once it listens.
    pub(crate) fn start() -> Result<Self, Failure> {
        Self::start_with(&[])
    }

    /// Starts the server with these variables as settings.
    pub(crate) fn start_with(settings: &[(&str, &str)]) -> Result<Self, Failure> {
        let mut child = Command::new(current_exe()?)
            .arg("serve")
            .envs(settings.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut address = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut address)?;
        }
        Ok(Self { child, url: format!("http://{}", address.trim()), secrets: None })
    }

    /// Opens a connection.
    pub(crate) async fn client(&self) -> Result<Client, Failure> {
        let mut credentials = Credentials::new();
        if let Some(Secrets { ca, token }) = &self.secrets {
            credentials = credentials.ca(ca.as_str()).token(token.as_str());
        }
        Ok(Client::connect_with(&self.url, &credentials).await?)
    }

    /// Reads a line of the server's `/proc/PID/status`, in kilobytes.
    pub(crate) fn memory_kb(&self, field: &str) -> Result<u64, Failure> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
        let number = line.and_then(|line| line.split_whitespace().next());
        Ok(number.ok_or_else(|| format!("no {field} of the server"))?.parse()?)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // A server that has already exited needs no kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A job of the default sizes.
pub(crate) fn job() -> Job {
    let code = CodeMessage {
        task_id: "bench".into(),
        code_cpp: "int main() {}".into(),
        ..CodeMessage::default()
    };
    Job { code: Some(code), ..Job::default() }
}

/// Serves, as `swiftprof serve` does, until stdin ends.
pub(crate) async fn serve() -> Result<(), Failure> {
    let config = Config::load(None, |name| env::var(name).ok())?;
    logging::init(config.log_level, config.log_format)?;
    let listener = Listener::bind(&"127.0.0.1:0".parse()?).await?;
    println!("{}", listener.address()?);
    let (ended, end) = oneshot::channel::<()>();
    thread::spawn(move || {
        let _ = stdin().read_to_end(&mut Vec::new());
        drop(ended);
    });
    let pool = Pool::new(Arc::new(Fake::costing(COST.0, COST.1)), WARM_SANDBOXES);
    let profiler = Profiler::new(pool, None);
    let folder = tempfile::tempdir()?;
    let store = Store::open(Some(folder.path().into()), Retention::default()).await?;
    let settings = watch::channel(config).1;
    let end = async {
        // The sender is dropped when stdin ends.
        let _ = end.await;
        StopSignal::Terminate
    };
    Ok(profiler_server::serve(settings, profiler, store, vec![listener], None, end).await?)
}
