//! A Docker daemon for the tests, which may be killed, with the sandbox image of the shared daemon.
//! All daemons of this process, one after the other, use one folder, so the image is loaded once.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use profiler_test_support::wait::until;
use profiler_tests::harness::image;
use profiler_tests::traces::daemon;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::sync::Mutex;

/// The daemon's program.
const PROGRAM: &str = "dockerd";
/// The program that starts the daemon's containers. It is a separate process, as under systemd, so
/// it survives when the daemon is killed.
const HELPER: &str = "containerd";
/// Maximum time until a daemon answers.
const ANSWERS_WITHIN: Duration = Duration::from_secs(30);
/// Gives the daemon its own network namespace, because a daemon without networks removes the bridge
/// of the host's daemon.
const ALONE: [&str; 2] = ["unshare", "--net"];
/// The daemon makes no networks, because sandboxes have none.
const FLAGS: [&str; 5] = [
    "--bridge=none",
    "--iptables=false",
    "--ip6tables=false",
    "--ip-forward=false",
    "--ip-masq=false",
];

/// The shared folder, once it exists.
static PLACE: Mutex<Option<Arc<Place>>> = Mutex::const_new(None);

/// Whether the host has the programs of a daemon.
pub(crate) fn is_installed() -> Result<(), String> {
    [PROGRAM, HELPER].into_iter().try_for_each(|program| {
        let asked = Command::new(program).arg("--version").stdout(Stdio::null()).status();
        asked.map(drop).map_err(|why| format!("{program}: {why}"))
    })
}

/// Removes the shared folder.
pub(crate) async fn close() {
    drop(PLACE.lock().await.take());
}

/// The folder that daemons share.
struct Place {
    folder: TempDir,
    helper: Child,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let mut command = Command::new(HELPER);
        command.arg("--root").arg(at("images")).arg("--state").arg(at("state"));
        command.arg("--address").arg(at("containerd.sock"));
        let helper = spawn(command, &at("containerd.log"));
        Self { folder, helper }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        send(self.helper.id(), Signal::SIGTERM);
        let _ = self.helper.wait();
        // The daemon mounts its folder on itself; a killed daemon leaves the mount.
        let _ = Command::new("umount").arg(self.at("data")).stderr(Stdio::null()).status();
    }
}

/// A daemon. Dropping it ends it and everything that it started.
pub(crate) struct Engine {
    process: Child,
    place: Arc<Place>,
    live_restore: bool,
}

impl Engine {
    /// Starts a daemon that has the sandbox image. With `live_restore` its containers outlive it.
    pub(crate) async fn start(live_restore: bool) -> Self {
        let known = PLACE.lock().await.clone();
        let place = known.clone().unwrap_or_else(|| Arc::new(Place::new()));
        let process = dockerd(&place, live_restore);
        let engine = Self { process, place, live_restore };
        engine.until_it_answers().await;
        if known.is_none() {
            engine.load_image();
            PLACE.lock().await.replace(engine.place.clone());
        }
        engine
    }

    /// The address for `DOCKER_HOST`.
    pub(crate) fn host(&self) -> String {
        format!("unix://{}", self.place.at("docker.sock").display())
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        send(self.process.id(), signal);
    }

    /// Waits until it has ended.
    pub(crate) fn wait(&mut self) {
        self.process.wait().expect("it was started");
    }

    /// Starts the daemon again.
    pub(crate) async fn restart(&mut self) {
        self.process = dockerd(&self.place, self.live_restore);
        self.until_it_answers().await;
    }

    async fn until_it_answers(&self) {
        let host = self.host();
        let answers = async || daemon(Some(&host)).await?.info().await.ok();
        until("dockerd answers", ANSWERS_WITHIN, answers).await;
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
        if std::thread::panicking() {
            let log = fs::read_to_string(self.place.at("log")).unwrap_or_default();
            println!("{log}");
        }
    }
}

fn send(pid: u32, signal: Signal) {
    // A process that is already gone is no error.
    let _ = kill(Pid::from_raw(pid.cast_signed()), signal);
}

fn dockerd(place: &Place, live_restore: bool) -> Child {
    let mut command = Command::new(ALONE[0]);
    command
        .args(&ALONE[1..])
        .arg(PROGRAM)
        .args(FLAGS)
        .arg(format!("--live-restore={live_restore}"));
    command.arg("--host").arg(format!("unix://{}", place.at("docker.sock").display()));
    command.arg("--containerd").arg(place.at("containerd.sock"));
    command.arg("--data-root").arg(place.at("data")).arg("--exec-root").arg(place.at("exec"));
    command.arg("--pidfile").arg(place.at("pid"));
    spawn(command, &place.at("log"))
}

/// Starts a program whose output goes to `log`.
fn spawn(mut command: Command, log: &Path) -> Child {
    let log = File::options().create(true).append(true).open(log).expect("a file");
    command.stdin(Stdio::null()).stdout(log.try_clone().expect("a handle")).stderr(log);
    command.spawn().expect("it is installed")
}
