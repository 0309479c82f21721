//! Worker processes, each as a host of its own.

use crate::failure::Failure;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::env::current_exe;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Settings of all worker processes of a trial.
#[derive(Debug, Clone, Default)]
pub struct Workers {
    /// The pool of all.
    pub pool: String,
    /// Runs at one time on a host.
    pub cores: usize,
    /// Hosts in a process, each with a connection of its own.
    pub hosts: usize,
    /// Whether every host hears all hosts, as those of earlier versions do.
    pub hears_all: bool,
    /// Whether the events after the compilation share an entry of the log.
    pub shares: bool,
    /// Length of a run.
    pub length_ms: u64,
}

/// A worker process that can be started again. Dropping it kills it.
pub struct Host {
    name: String,
    url: String,
    workers: Workers,
    journal: Option<PathBuf>,
    starts: u32,
    child: Option<Child>,
}

impl Host {
    /// A host whose process is not started yet. Its engine is at `url`.
    pub(crate) fn new(
        name: impl Into<String>,
        url: impl Into<String>,
        workers: &Workers,
        journal: Option<PathBuf>,
    ) -> Self {
        let (name, url) = (name.into(), url.into());
        Self { name, url, workers: workers.clone(), journal, starts: 0, child: None }
    }

    /// Starts the process, which gets a name that none before it had.
    pub(crate) fn start(&mut self) -> Result<(), Failure> {
        self.kill();
        self.starts += 1;
        let Workers { pool, cores, hosts, hears_all, shares, length_ms } = &self.workers;
        let mut command = Command::new(current_exe()?);
        command.arg("fleet-worker").args(["--url", &self.url, "--pool", pool]);
        command.args(["--name", &format!("{}.{}", self.name, self.starts)]);
        command.args(["--cores", &cores.to_string(), "--length-ms", &length_ms.to_string()]);
        command.args(["--hosts", &hosts.to_string()]);
        command.args(hears_all.then_some("--hears-all"));
        command.args(shares.then_some("--shares"));
        if let Some(journal) = &self.journal {
            command.arg("--journal").arg(journal);
        }
        self.child = Some(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?);
        Ok(())
    }

    /// Waits until the process is connected.
    pub(crate) fn wait_until_ready(&mut self) -> Result<(), Failure> {
        let stdout = self.child.as_mut().and_then(|child| child.stdout.take());
        if let Some(stdout) = stdout {
            BufReader::new(stdout).read_line(&mut String::new())?;
        }
        Ok(())
    }

    /// The process; `None` while it is killed.
    pub fn pid(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }

    /// Kills the process as a power cut does.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            // A process that has exited already needs no kill.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Sends a signal, if the process is there.
    pub(crate) fn signal(&self, signal: Signal) -> Result<(), Failure> {
        if let Some(pid) = self.pid() {
            kill(Pid::from_raw(i32::try_from(pid)?), signal)?;
        }
        Ok(())
    }
}

/// Starts hosts, and waits until all are connected.
pub fn start_hosts(count: usize, url: &str, workers: &Workers) -> Result<Vec<Host>, Failure> {
    let mut hosts: Vec<_> =
        (0..count).map(|number| Host::new(format!("w{number}"), url, workers, None)).collect();
    hosts.iter_mut().try_for_each(Host::start)?;
    hosts.iter_mut().try_for_each(Host::wait_until_ready)?;
    Ok(hosts)
}

impl Drop for Host {
    fn drop(&mut self) {
        self.kill();
    }
}
