//! A Docker daemon of the tests' own, which may be killed, with the sandbox image of the shared one.
//! All daemons of this process, one after the other, have one folder, so the image is loaded once.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use profiler_tests::harness::image;
use profiler_tests::traces::daemon;
use profiler_tests::wait::until;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::sync::Mutex;

/// The program that is the daemon.
const PROGRAM: &str = "dockerd";
/// How long a daemon may take until it answers.
const ANSWERS_WITHIN: Duration = Duration::from_secs(30);
/// It makes no networks: sandboxes have none, and the host's are not to be touched.
const FLAGS: [&str; 5] = [
    "--bridge=none",
    "--iptables=false",
    "--ip6tables=false",
    "--ip-forward=false",
    "--ip-masq=false",
];

/// The folder, once there is one.
static FOLDER: Mutex<Option<Arc<TempDir>>> = Mutex::const_new(None);

/// Whether there is a daemon to start.
pub(crate) fn is_installed() -> Result<(), String> {
    let asked = Command::new(PROGRAM).arg("--version").stdout(Stdio::null()).status();
    asked.map(drop).map_err(|why| format!("{PROGRAM}: {why}"))
}

/// Removes the folder.
pub(crate) async fn close() {
    drop(FOLDER.lock().await.take());
}

/// A daemon. Dropping it ends it, and what it started.
pub(crate) struct Engine {
    process: Child,
    folder: Arc<TempDir>,
    live_restore: bool,
}

impl Engine {
    /// A daemon that has the sandbox image. With `live_restore` containers outlive it.
    pub(crate) async fn start(live_restore: bool) -> Self {
        let known = FOLDER.lock().await.clone();
        let folder =
            known.clone().unwrap_or_else(|| Arc::new(tempfile::tempdir().expect("a folder")));
        let process = spawn(folder.path(), live_restore);
        let engine = Self { process, folder, live_restore };
        engine.until_it_answers().await;
        if known.is_none() {
            engine.load_image();
            FOLDER.lock().await.replace(engine.folder.clone());
        }
        engine
    }

    /// As `DOCKER_HOST` names it.
    pub(crate) fn host(&self) -> String {
        format!("unix://{}", self.folder.path().join("docker.sock").display())
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        send(self.process.id(), signal);
    }

    /// Waits until it has ended.
    pub(crate) fn wait(&mut self) {
        self.process.wait().expect("it was started");
    }

    /// Starts it once more.
    pub(crate) async fn restart(&mut self) {
        self.process = spawn(self.folder.path(), self.live_restore);
        self.until_it_answers().await;
    }

    async fn until_it_answers(&self) {
        let host = self.host();
        let what = format!("dockerd answers; it logs to {}", self.folder.path().display());
        let answers = async || daemon(Some(&host)).await?.info().await.ok();
        until(&what, ANSWERS_WITHIN, answers).await;
    }

    fn load_image(&self) {
        let begun = Instant::now();
        let mut save = Command::new("docker");
        let mut saving =
            save.args(["save", &image()]).stdout(Stdio::piped()).spawn().expect("docker starts");
        let from = saving.stdout.take().expect("stdout is piped");
        let mut load = Command::new("docker");
        load.args(["--host", &self.host(), "load"]).stdin(from).stdout(Stdio::null());
        assert!(load.status().expect("docker starts").success(), "docker load");
        assert!(saving.wait().expect("docker was started").success(), "docker save");
        println!("loaded the image in {:.1} s", begun.elapsed().as_secs_f64());
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Ok(None) = self.process.try_wait() {
            self.signal(Signal::SIGCONT);
            self.signal(Signal::SIGTERM);
            let _ = self.process.wait();
        }
        // A daemon that was killed leaves its own helper.
        let helper = fs::read_to_string(self.folder.path().join("exec/containerd/containerd.pid"));
        if let Some(pid) = helper.ok().and_then(|pid| pid.trim().parse().ok()) {
            send(pid, Signal::SIGTERM);
        }
    }
}

fn send(pid: u32, signal: Signal) {
    // What is gone already needs nothing.
    let _ = kill(Pid::from_raw(pid.cast_signed()), signal);
}

fn spawn(folder: &Path, live_restore: bool) -> Child {
    let at = |name: &str| -> PathBuf { folder.join(name) };
    let log = File::options().create(true).append(true).open(at("log")).expect("a file");
    let mut command = Command::new(PROGRAM);
    command.args(FLAGS).arg(format!("--live-restore={live_restore}"));
    command.arg("--host").arg(format!("unix://{}", at("docker.sock").display()));
    command.arg("--data-root").arg(at("data")).arg("--exec-root").arg(at("exec"));
    command.arg("--pidfile").arg(at("pid"));
    command.stdin(Stdio::null()).stdout(log.try_clone().expect("a handle")).stderr(log);
    command.spawn().expect("dockerd starts")
}
