//! `swiftprof`, the real one, in processes of its own.

use crate::traces::{Owner, inside};
pub use nix::sys::signal::Signal;
use nix::sys::signal::kill;
use nix::unistd::Pid;
use profiler_client::Client;
use profiler_test_support::wait::until;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Output, Stdio};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Where `swiftprof` is, if not beside this test.
const VARIABLE: &str = "PROFILER_TEST_SWIFTPROF";
/// Makes it, and the examples beside it.
const BUILD: &str = "cargo build -p profiler-cli -p profiler-client --bins --examples";
/// A container whose processes are dead is taken off the host as fast as its daemon likes.
const REMOVED_WITHIN: Duration = Duration::from_secs(10);
/// What `serve` says before its address.
const LISTENING: &str = "listening on ";
/// Where a server keeps its runs, if not in a folder that goes with it.
pub const STATE_DIR: &str = "PROFILER_STATE_DIR";
/// Nothing here takes so long unless it hangs: the image may have to be built.
const PATIENCE: Duration = Duration::from_secs(180);

/// `swiftprof` with these arguments; it ends with the test.
pub fn swiftprof(args: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(args).stdin(Stdio::null()).kill_on_drop(true);
    command
}

/// Sends a signal to a process that lives.
pub fn signal(child: &Child, signal: Signal) {
    let pid = child.id().and_then(|pid| pid.try_into().ok());
    kill(Pid::from_raw(pid.expect("it lives")), signal).expect("it can be told");
}

/// Runs `swiftprof` to its end.
pub async fn run(args: &[&str]) -> Output {
    let ended = timeout(PATIENCE, swiftprof(args).output()).await;
    ended.expect("swiftprof ends").expect("swiftprof starts")
}

/// An example of the client crate with these arguments; it ends with the test.
pub fn example(name: &str, args: &[&str]) -> Command {
    let path = binary().with_file_name("examples").join(name);
    assert!(path.is_file(), "there is no {}: make it with `{BUILD}`", path.display());
    let mut command = Command::new(path);
    command.args(args).stdin(Stdio::null()).kill_on_drop(true);
    command
}

/// A file of the repository.
pub fn file(path: &str) -> String {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = tests.parent().expect("tests/ lies in the repository");
    root.join(path).display().to_string()
}

/// Where `swiftprof` is.
///
/// # Panics
/// If it has not been built.
pub fn binary() -> PathBuf {
    if let Some(given) = env::var_os(VARIABLE) {
        return given.into();
    }
    // Tests lie in `deps` of the folder where programs lie, and benchmarks beside them.
    let own = env::current_exe().expect("this test has a path");
    let folders = own.ancestors().skip(1).take(2);
    let found = folders.map(|folder| folder.join("swiftprof")).find(|path| path.is_file());
    let missing =
        || panic!("there is no swiftprof: make it with `{BUILD}`, or name it in {VARIABLE}");
    found.unwrap_or_else(missing)
}

/// A server under way.
pub struct Served {
    child: Child,
    url: String,
    owner: Owner,
    _reading: JoinHandle<()>,
    _folder: tempfile::TempDir,
}

impl Served {
    /// Serves on a socket file, with these settings from the environment.
    pub async fn start(backend: &str, settings: &[(&str, &str)]) -> Self {
        Self::behind(&[], backend, settings).await
    }

    /// Likewise, started by the program `wrapper`, which becomes what its last arguments say.
    pub async fn behind(wrapper: &[&str], backend: &str, settings: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let listen = format!("unix:{}", folder.path().join("socket").display());
        let binary = binary().display().to_string();
        let served = [&binary, "serve", "--listen", &listen, "--backend", backend];
        let words = [wrapper, &served].concat();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).stdin(Stdio::null()).kill_on_drop(true);
        command.env(STATE_DIR, folder.path().join("state"));
        let served = Self::listening(command.envs(settings.iter().copied()), folder).await;
        let daemon = settings.iter().find(|(name, _)| *name == "DOCKER_HOST");
        Self { owner: served.owner.clone().on(daemon.map(|(_, host)| *host)), ..served }
    }

    /// Serves on a free port.
    pub async fn over_tcp(backend: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = swiftprof(&["serve", "--listen", "127.0.0.1:0", "--backend", backend]);
        command.env(STATE_DIR, folder.path().join("state"));
        Self::listening(&mut command, folder).await
    }

    async fn listening(command: &mut Command, folder: tempfile::TempDir) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().expect("swiftprof starts");
        let owner = Owner::of(child.id().expect("it has just been started"));
        let stderr = child.stderr.take().expect("stderr is piped");
        let mut lines = BufReader::new(stderr).lines();
        let mut said = Vec::new();
        let address = loop {
            let line = timeout(PATIENCE, lines.next_line()).await.expect("swiftprof speaks");
            let Some(line) = line.expect("stderr is text") else {
                panic!("swiftprof does not serve: {said:#?}");
            };
            match line.strip_prefix(LISTENING) {
                Some(address) => break address.to_owned(),
                None => said.push(line),
            }
        };
        // What it logs is passed on, so that a failed test shows it, and the pipe never fills.
        let reading = tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                println!("    {line}");
            }
        });
        let address = address.parse().expect("an address");
        Self { child, url: crate::server::url(&address), owner, _reading: reading, _folder: folder }
    }

    /// What a client connects to.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The most that the server had resident so far, in KiB.
    pub fn peak_kb(&self) -> u64 {
        let id = self.child.id().expect("it runs");
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("it runs");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        peak.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// A connection of its own.
    pub async fn client(&self) -> Client {
        Client::connect(&self.url).await.expect("the server answers")
    }

    /// Asks it to end, as a service manager does.
    pub fn terminate(&self) {
        signal(&self.child, Signal::SIGTERM);
    }

    /// Makes it do nothing any more.
    pub fn freeze(&self) {
        signal(&self.child, Signal::SIGSTOP);
    }

    /// Waits until it has ended, and sees that nothing of it is left.
    pub async fn ended(mut self) -> ExitStatus {
        let status = timeout(PATIENCE, self.child.wait()).await.expect("it ends");
        assert_eq!(self.owner.left().await, Vec::<String>::new(), "left behind");
        status.expect("it was waited for")
    }

    /// Asks it to end and waits until it has.
    pub async fn stop(self) -> ExitStatus {
        self.terminate();
        self.ended().await
    }

    /// Kills it, and says whose what it left is.
    pub async fn kill(mut self) -> Owner {
        self.child.kill().await.expect("it lives");
        self.owner
    }

    /// Waits until a sandbox waits for a job.
    pub async fn until_warm(&self) {
        let warm = async || {
            let sandboxes = self.owner.left().await;
            let began =
                |sandbox: &String| inside(sandbox).iter().any(|&(_, number, _)| number == 1);
            (!sandboxes.is_empty() && sandboxes.iter().all(began)).then_some(())
        };
        until("a sandbox waits", PATIENCE, warm).await;
    }

    /// Its sandboxes, the program's and those that wait.
    pub async fn sandboxes(&self) -> Vec<String> {
        self.owner.left().await
    }

    /// Waits until none of these sandboxes is left.
    pub async fn until_gone(&self, sandboxes: &[String]) {
        let gone = async || {
            let left = self.owner.left().await;
            (!sandboxes.iter().any(|sandbox| left.contains(sandbox))).then_some(())
        };
        until("the run's sandbox is gone", REMOVED_WITHIN, gone).await;
    }
}
