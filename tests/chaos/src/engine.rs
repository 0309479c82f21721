//! Servers of NATS whose streams are on a real disk, and that sync each message before they answer.

use crate::failure::Failure;
use profiler_fleet::{Credentials, Fleet, LogLimits};
use std::env::current_exe;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep};

/// Longest time until servers take messages: a cluster elects leaders first.
const STARTS_WITHIN: Duration = Duration::from_secs(60);
/// The pause between two tries.
const TRY_INTERVAL: Duration = Duration::from_millis(100);

/// One server, or a cluster. Dropping it kills the servers.
pub struct Engine {
    program: PathBuf,
    servers: Vec<Server>,
    /// Folder that is removed with the servers.
    folder: TempDir,
}

struct Server {
    port: u16,
    /// Port at which it tells its figures.
    monitor: u16,
    config: PathBuf,
    child: Option<Child>,
}

/// A folder on the disk that holds what cargo builds. The folder for temporary files may be memory.
pub fn folder() -> Result<TempDir, Failure> {
    let program = current_exe()?;
    let folder = program.parent().ok_or("the program lies nowhere")?;
    Ok(tempfile::Builder::new().prefix("fleet-").tempdir_in(folder)?)
}

impl Engine {
    /// Starts this number of servers, which must be 1 or 3.
    pub async fn start(program: &Path, servers: usize) -> Result<Self, Failure> {
        let folder = folder()?;
        let (mut ports, mut routes) = (Vec::new(), Vec::new());
        for _ in 0..servers {
            ports.push((free_port().await?, free_port().await?, free_port().await?));
        }
        for (_, route, _) in &ports {
            routes.push(format!("nats-route://127.0.0.1:{route}"));
        }
        let mut engine = Self { program: program.to_owned(), servers: Vec::new(), folder };
        for (number, (port, route, monitor)) in ports.into_iter().enumerate() {
            let path = engine.folder.path();
            let store = path.join(format!("store-{number}"));
            let mut text = format!(
                "server_name: s{number}\nlisten: 127.0.0.1:{port}\n\
                 http: 127.0.0.1:{monitor}\n\
                 jetstream {{ store_dir: \"{}\", sync_interval: always, max_file_store: 20GB }}\n",
                store.display()
            );
            if servers > 1 {
                // Clients stay with the addresses that they have, which are those of proxies.
                writeln!(
                    text,
                    "cluster {{ name: chaos, listen: 127.0.0.1:{route}, no_advertise: true, \
                     routes: [{}] }}",
                    routes.join(", ")
                )?;
            }
            let config = path.join(format!("{number}.conf"));
            fs::write(&config, text)?;
            engine.servers.push(Server { port, monitor, config, child: None });
        }
        for number in 0..servers {
            engine.restart(number)?;
        }
        Ok(engine)
    }

    /// The servers' addresses.
    pub fn addresses(&self) -> Vec<String> {
        self.servers.iter().map(|server| format!("127.0.0.1:{}", server.port)).collect()
    }

    /// The ports at which the servers tell their figures.
    pub fn monitors(&self) -> Vec<u16> {
        self.servers.iter().map(|server| server.monitor).collect()
    }

    /// The servers' processes.
    pub fn pids(&self) -> Vec<u32> {
        self.servers.iter().filter_map(|server| server.child.as_ref().map(Child::id)).collect()
    }

    /// Kills a server as a power cut does, without a word to anybody.
    pub(crate) fn kill(&mut self, number: usize) {
        if let Some(mut child) = self.servers[number].child.take() {
            // A server that has exited already needs no kill.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Starts a server with what it had stored.
    pub(crate) fn restart(&mut self, number: usize) -> Result<(), Failure> {
        self.kill(number);
        let server = &mut self.servers[number];
        let mut command = Command::new(&self.program);
        command.arg("--config").arg(&server.config).stdout(Stdio::null()).stderr(Stdio::null());
        server.child = Some(command.spawn()?);
        Ok(())
    }

    /// Connects as a gateway does, once the servers take messages.
    pub async fn prepared(&self, addresses: &[String]) -> Result<Fleet, Failure> {
        let begin = Instant::now();
        for server in &self.servers {
            while TcpStream::connect(("127.0.0.1", server.port)).await.is_err() {
                if begin.elapsed() > STARTS_WITHIN {
                    return Err("the engine does not listen".into());
                }
                sleep(TRY_INTERVAL).await;
            }
        }
        loop {
            match Fleet::prepare(&urls(addresses), &Credentials::default(), LogLimits::default())
                .await
            {
                Ok(fleet) => return Ok(fleet),
                Err(error) if begin.elapsed() > STARTS_WITHIN => return Err(error.into()),
                Err(_) => sleep(TRY_INTERVAL).await,
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        for number in 0..self.servers.len() {
            self.kill(number);
        }
    }
}

/// Addresses as one word of a command line.
pub fn urls(addresses: &[String]) -> String {
    let urls: Vec<_> = addresses.iter().map(|address| format!("nats://{address}")).collect();
    urls.join(",")
}

/// A port that is free now. The kernel gives them in turn.
async fn free_port() -> Result<u16, Failure> {
    Ok(TcpListener::bind("127.0.0.1:0").await?.local_addr()?.port())
}
