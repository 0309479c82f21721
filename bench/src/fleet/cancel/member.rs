//! `swiftprof` as a server, a gateway or a worker, in a process of its own.

use crate::failure::Failure;
use profiler_client::v1::GetCapabilitiesRequest;
use profiler_client::v1::profiler_service_client::ProfilerServiceClient;
use profiler_tests::swiftprof::{STATE_DIR, swiftprof};
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep};
use tonic::transport::{Channel, Endpoint};

/// Interval between readiness checks of a server.
const ASK_INTERVAL: Duration = Duration::from_millis(100);

/// The calls of a server, over a connection.
pub(crate) type Stub = ProfilerServiceClient<Channel>;

/// A process. Dropping it kills it.
pub(crate) struct Member {
    child: Child,
    url: String,
}

impl Member {
    /// A server that listens on a socket in this folder.
    pub(crate) async fn serve(
        folder: &TempDir,
        name: &str,
        words: &[&str],
    ) -> Result<Self, Failure> {
        let url = format!("unix:{}", folder.path().join(name).display());
        let own = ["serve", "--listen", &url];
        let mut command = swiftprof(&[&own[..], words].concat());
        command.env(STATE_DIR, folder.path().join(format!("{name}.state")));
        Self::start(command, "listening on", url).await
    }

    /// A worker that measures on one core.
    pub(crate) async fn work(words: &[&str]) -> Result<Self, Failure> {
        let own = ["worker", "--backend", "native"];
        let command = swiftprof(&[&own[..], words].concat());
        Self::start(command, "in pool", String::new()).await
    }

    /// Starts a process. Returns once it has logged the text `logs`.
    async fn start(mut command: Command, logs: &str, url: String) -> Result<Self, Failure> {
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let stderr = child.stderr.take().ok_or("stderr is piped")?;
        let (mut lines, mut said) = (BufReader::new(stderr).lines(), Vec::new());
        loop {
            let line = lines.next_line().await?;
            let line = line.ok_or_else(|| format!("swiftprof ended: {said:#?}"))?;
            if line.contains(logs) {
                break;
            }
            said.push(line);
        }
        // The pipe must never be full.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(Self { child, url })
    }

    /// Kills the process, and waits until it is gone.
    pub(crate) async fn end(mut self) -> Result<(), Failure> {
        Ok(self.child.kill().await?)
    }

    /// Opens a new connection.
    pub(crate) async fn stub(&self) -> Result<Stub, Failure> {
        let channel = Endpoint::from_shared(self.url.clone())?.connect().await?;
        Ok(ProfilerServiceClient::new(channel))
    }

    /// Waits until the server says that it can measure.
    pub(crate) async fn until_it_serves(&self, patience: Duration) -> Result<(), Failure> {
        let (mut stub, begin) = (self.stub().await?, Instant::now());
        loop {
            let told = stub.get_capabilities(GetCapabilitiesRequest {}).await?.into_inner();
            if told.serving {
                return Ok(());
            }
            if begin.elapsed() > patience {
                return Err(told.not_serving_reason.into());
            }
            sleep(ASK_INTERVAL).await;
        }
    }
}
