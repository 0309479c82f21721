//! Runs the real `swiftprof` as a separate process.

use crate::traces::{Owner, inside};
pub use nix::sys::signal::Signal;
use nix::sys::signal::kill;
use nix::unistd::Pid;
use profiler_client::Client;
use profiler_core::limits::WARM_SANDBOXES;
use profiler_test_support::wait::until;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// The variable with the path of `swiftprof`, if it is not next to this test.
const VARIABLE: &str = "PROFILER_TEST_SWIFTPROF";
/// Builds `swiftprof` and the examples next to it.
const BUILD: &str = "cargo build -p profiler-cli -p profiler-client --bins --examples";
/// Maximum time for the daemon to remove a container whose processes are dead.
const REMOVED_WITHIN: Duration = Duration::from_secs(30);
/// Logged by `serve` before its address.
const LISTENING: &str = "listening on ";
/// The variable with the folder where a server keeps its runs; the default is a temporary folder.
pub const STATE_DIR: &str = "PROFILER_STATE_DIR";
/// Longer than anything here takes unless it hangs: the image may have to be built.
const PATIENCE: Duration = Duration::from_secs(180);

/// `swiftprof` with these arguments; it is killed when the test ends.
pub fn swiftprof(args: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(args).stdin(Stdio::null()).kill_on_drop(true);
    command
}

/// Sends a signal to a living process.
pub fn signal(child: &Child, signal: Signal) {
    let pid = child.id().and_then(|pid| pid.try_into().ok());
    kill(Pid::from_raw(pid.expect("it lives")), signal).expect("it can be told");
}

/// Runs `swiftprof` to its end.
pub async fn run(args: &[&str]) -> Output {
    let ended = timeout(PATIENCE, swiftprof(args).output()).await;
    ended.expect("swiftprof ends").expect("swiftprof starts")
}

/// An example of the client crate with these arguments; it is killed when the test ends.
pub fn example(name: &str, args: &[&str]) -> Command {
    let path = binary().with_file_name("examples").join(name);
    assert!(path.is_file(), "there is no {}: make it with `{BUILD}`", path.display());
    let mut command = Command::new(path);
    command.args(args).stdin(Stdio::null()).kill_on_drop(true);
    command
}

/// The path of a file in the repository.
pub fn file(path: &str) -> String {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = tests.parent().expect("tests/ lies in the repository");
    root.join(path).display().to_string()
}

/// The path of `swiftprof`.
///
/// # Panics
/// If it has not been built.
pub fn binary() -> PathBuf {
    if let Some(given) = env::var_os(VARIABLE) {
        return given.into();
    }
    // Tests are in `deps`, below the folder of the programs; benchmarks are in that folder itself.
    let own = env::current_exe().expect("this test has a path");
    let folders = own.ancestors().skip(1).take(2);
    let found = folders.map(|folder| folder.join("swiftprof")).find(|path| path.is_file());
    let missing =
        || panic!("there is no swiftprof: make it with `{BUILD}`, or name it in {VARIABLE}");
    found.unwrap_or_else(missing)
}

/// A running server.
pub struct Served {
    child: Child,
    url: String,
    owner: Owner,
    log: Arc<Mutex<Vec<String>>>,
    _reading: JoinHandle<()>,
    _folder: tempfile::TempDir,
}

impl Served {
    /// Serves on a socket file, with these settings from the environment.
    pub async fn start(backend: &str, settings: &[(&str, &str)]) -> Self {
        Self::behind(&[], backend, settings).await
    }

    /// Serves as [`Self::start`] does. The program `wrapper`, which executes its last arguments,
    /// starts the server.
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
            said.push(line.clone());
            // In JSON, the quote ends the message.
            if let Some((_, rest)) = line.split_once(LISTENING) {
                break rest.split('"').next().unwrap_or_default().to_owned();
            }
        };
        // Pass the log on, so that a failed test shows it, and the pipe never fills.
        let log = Arc::new(Mutex::new(said));
        let kept = log.clone();
        let reading = tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                eprintln!("    {line}");
                kept.lock().expect("nobody panics with it").push(line);
            }
        });
        let address = address.parse().expect("an address");
        let url = crate::server::url(&address);
        Self { child, url, owner, log, _reading: reading, _folder: folder }
    }

    /// The address that a client connects to.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The lines that the server has logged.
    pub fn log(&self) -> Vec<String> {
        self.log.lock().expect("nobody panics with it").clone()
    }

    /// The first logged line with this text, once there is one.
    pub async fn until_logged(&self, text: &str) -> String {
        let found = async || self.log().into_iter().find(|line| line.contains(text));
        until(&format!("the log says {text:?}"), PATIENCE, found).await
    }

    /// The server's peak resident set so far, in KiB.
    pub fn peak_kb(&self) -> u64 {
        let id = self.child.id().expect("it runs");
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("it runs");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        peak.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// Opens a new connection.
    pub async fn client(&self) -> Client {
        Client::connect(&self.url).await.expect("the server answers")
    }

    /// Asks the server to read its settings again.
    pub fn hang_up(&self) {
        signal(&self.child, Signal::SIGHUP);
    }

    /// Asks the server to end, as a service manager does.
    pub fn terminate(&self) {
        signal(&self.child, Signal::SIGTERM);
    }

    /// Suspends the server's process with a signal.
    pub fn freeze(&self) {
        signal(&self.child, Signal::SIGSTOP);
    }

    /// Lets a suspended server go on.
    pub fn thaw(&self) {
        signal(&self.child, Signal::SIGCONT);
    }

    /// Waits until the server has ended, and checks that nothing of it is left.
    pub async fn ended(mut self) -> ExitStatus {
        let status = timeout(PATIENCE, self.child.wait()).await.expect("it ends");
        assert_eq!(self.owner.left().await, Vec::<String>::new(), "left behind");
        status.expect("it was waited for")
    }

    /// Waits until the server has ended. The next server removes what it left.
    pub async fn exited(mut self) -> ExitStatus {
        let status = timeout(PATIENCE, self.child.wait()).await.expect("it ends");
        status.expect("it was waited for")
    }

    /// Asks the server to end, and waits until it has.
    pub async fn stop(self) -> ExitStatus {
        self.terminate();
        self.ended().await
    }

    /// Kills the server, and returns the owner of what it left.
    pub async fn kill(mut self) -> Owner {
        self.child.kill().await.expect("it lives");
        self.owner
    }

    /// Waits until all sandboxes for the next job have started.
    pub async fn until_warm(&self) {
        let warm = async || {
            let sandboxes = self.owner.left().await;
            let began =
                |sandbox: &String| inside(sandbox).iter().any(|&(_, number, _)| number == 1);
            (sandboxes.len() >= WARM_SANDBOXES && sandboxes.iter().all(began)).then_some(())
        };
        until("sandboxes wait", PATIENCE, warm).await;
    }

    /// The server's sandboxes, in use or waiting.
    pub async fn sandboxes(&self) -> Vec<String> {
        self.owner.left().await
    }

    /// Waits until a process with this name runs in a sandbox of the server, and returns the
    /// sandbox.
    pub async fn sandbox_of(&self, process: &str) -> String {
        let found = async || {
            let runs = |sandbox: &String| inside(sandbox).iter().any(|(.., name)| name == process);
            self.owner.left().await.into_iter().find(runs)
        };
        until(&format!("{process} runs in a sandbox"), PATIENCE, found).await
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
