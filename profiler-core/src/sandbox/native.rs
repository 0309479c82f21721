//! Sandboxes made of Linux namespaces, for hosts without Docker.
//!
//! This process starts the embedded runner. The runner itself enters user, mount, pid, ipc, uts and
//! network namespaces and a private read-only root (`namespaces.rs` in the runner). As root, the
//! sandbox has user ids that nobody else uses. As an ordinary user, it has only the caller's id.
//! Sandboxes of root, and of a user to whom a cgroup was delegated, have a memory cgroup. In
//! others, the runner samples memory instead.

mod cgroup;
mod denial;
mod precompiled;
mod toolchain;

use super::backend::{no_memory_cgroup, no_run_cgroup};
use super::ownership::Owner;
use super::{Backend, Channel, FilesRead, Instance, Lease, Progress, Sandbox};
use crate::error::SandboxFault;
use crate::limits::{SCRATCH_INODES, SCRATCH_TMPFS_BYTES, WORK_TMPFS_BYTES, seconds};
use crate::sandbox::user_folders;
use async_trait::async_trait;
pub use cgroup::NoCgroup;
use cgroup::{Cgroup, Hierarchy, Host, no_root};
use nix::sys::memfd::{MFdFlags, memfd_create};
use precompiled::Headers;
use runner_protocol::{ENTER, ENTER_IDS, Enter};
use std::fs::{self, File};
use std::io::Write;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::watch;
use tokio::time::timeout;
use toolchain::{Examiner, Toolchain};

/// The first user id for sandboxes: above the ids that distributions give to users, containers and
/// systemd.
const FIRST_ID: u32 = 0x7000_0000;
/// Number of ranges of [`ENTER_IDS`] user ids that are used in turn.
const ID_RANGES: u32 = 4096;
/// Interval between checks for a stopped runner, which its channel does not show.
const LOOK_INTERVAL: Duration = Duration::from_millis(500);
/// The state in `/proc/PID/stat` of a process that a signal has stopped.
const STOPPED: char = 'T';
/// Maximum length of the error message of a runner that cannot start, in bytes.
const MAX_LAST_WORDS_BYTES: u64 = 4 << 10;
/// Maximum time to read the error message of a runner that cannot start.
const LAST_WORDS_TIMEOUT: Duration = seconds(1);
/// Restriction that is not enforced in a sandbox with one user id.
const ONE_USER: &str = "the program runs as the runner's own user; a pid namespace, a system call \
                        filter and Landlock keep it away from the runner";
/// Restrictions that are not enforced for root on a kernel without Landlock. Others get no sandbox
/// there.
const NO_LANDLOCK: &str = "a program can read its cgroup's figures, and make itself the last to be killed when memory \
     runs out, and a compiler may quote what /proc shows of it: no Landlock here";

/// Starts native sandboxes.
pub struct Native {
    runner: File,
    root: bool,
    /// The user that runners run as, if it is not the user of this process.
    user: Option<u32>,
    owner: Owner,
    swept: u64,
    /// Hierarchy in which sandboxes get their cgroups.
    cgroups: Option<Hierarchy>,
    /// Whether sandboxes get cgroups in the hierarchy.
    makes_cgroups: bool,
    /// Reason why the latest sandbox has no memory cgroup. Before the first sandbox, the reason why
    /// a trial could make none.
    no_cgroup: watch::Sender<Option<NoCgroup>>,
    /// Reason why the latest sandbox's repetitions have no cgroup of their own, if they should have
    /// one.
    no_run_cgroup: watch::Sender<Option<String>>,
    /// Whether the latest sandbox's kernel lacks Landlock.
    no_landlock: AtomicBool,
    next_range: AtomicU32,
    /// The toolchain when the latest sandbox was started.
    toolchain: watch::Sender<Option<Toolchain>>,
    examiner: Arc<Examiner>,
    headers: Headers,
}

/// Permission of this process to move processes to make cgroups for its sandboxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Settling {
    /// Move processes, itself included, where a cgroup must be empty.
    MayMove,
    /// Move no process. If a cgroup would have to be emptied, sandboxes get no cgroup.
    LookOnly,
}

impl Native {
    pub(super) const NAME: &str = "native";

    /// Checks that this host has the essentials, and sweeps control groups whose owner is gone.
    /// With cgroup version 2, this process moves into a group of its own.
    pub async fn new(instance: Instance) -> Result<Self, SandboxFault> {
        Self::with_user(None, instance, Some(Host::this()), Settling::MayMove).await
    }

    /// Makes a backend that only looks at the host, and moves no process to another cgroup.
    /// [`Backend::not_enforced`] and [`Native::memory_cgroup`] say what [`Native::new`] would find.
    pub async fn to_look_at(instance: Instance) -> Result<Self, SandboxFault> {
        Self::with_user(None, instance, Some(Host::this()), Settling::LookOnly).await
    }

    /// Makes a backend whose sandboxes are those that the ordinary user `user` would get. A root
    /// process switches to that user for each sandbox, and makes no cgroup; any other process is an
    /// ordinary user already.
    pub async fn as_ordinary_user(user: u32, instance: Instance) -> Result<Self, SandboxFault> {
        let user = nix::unistd::geteuid().is_root().then_some(user);
        let host = user.is_none().then(Host::this);
        Self::with_user(user, instance, host, Settling::MayMove).await
    }

    async fn with_user(
        user: Option<u32>,
        instance: Instance,
        host: Option<Host>,
        settling: Settling,
    ) -> Result<Self, SandboxFault> {
        let kept = memfd_create("swiftprof-runner", MFdFlags::MFD_CLOEXEC)
            .map_err(|errno| SandboxFault::Unsupported(format!("memfd_create: {errno}")))?;
        let mut runner = File::from(kept);
        runner
            .write_all(sandbox_image::RUNNER)
            .map_err(SandboxFault::failed("place the runner"))?;
        let root = user.is_none() && nix::unistd::geteuid().is_root();
        let owner = Owner::this_process(instance);
        let found = match &host {
            Some(host) => Hierarchy::find(host).await,
            None => Err(no_root()),
        };
        let needs_moves = found.as_ref().is_ok_and(Hierarchy::needs_moves);
        let makes_cgroups = settling == Settling::MayMove || !needs_moves;
        let cgroups = match &host {
            Some(host) if makes_cgroups => found.and_then(|found| found.settle(host)),
            _ => found,
        };
        let mut swept = 0;
        let tried = match (&cgroups, &host) {
            (Ok(hierarchy), Some(host)) if makes_cgroups => {
                swept = Cgroup::sweep(host, hierarchy, &owner);
                Cgroup::try_out(hierarchy, &owner)
            }
            (Ok(_), _) => Ok(()),
            (Err(why), _) => Err(why.clone()),
        };
        let no_cgroup = watch::Sender::new(tried.err());
        let cache = user_folders::cache();
        Ok(Self {
            runner,
            root,
            user,
            owner,
            swept,
            cgroups: cgroups.ok(),
            makes_cgroups,
            no_cgroup,
            no_run_cgroup: watch::Sender::default(),
            no_landlock: AtomicBool::new(false),
            next_range: AtomicU32::new(std::process::id()),
            toolchain: watch::Sender::default(),
            examiner: Arc::new(Examiner::new(cache.as_deref())),
            headers: Headers::new(cache),
        })
    }

    /// Returns the place of the sandboxes' memory cgroups, or why they get none and how to get one.
    pub fn memory_cgroup(&self) -> Result<String, NoCgroup> {
        match (&self.cgroups, &*self.no_cgroup.borrow()) {
            (_, Some(why)) => Err(why.clone()),
            (found, None) => Ok(found.as_ref().map(Hierarchy::to_string).unwrap_or_default()),
        }
    }

    fn spawn(&self) -> Result<Child, SandboxFault> {
        // The descriptor is this process's own, so the path works in the child until exec closes
        // it.
        let mut runner = Command::new(format!("/proc/self/fd/{}", self.runner.as_raw_fd()));
        if let Some(user) = self.user {
            runner.uid(user).gid(user);
        }
        runner
            .arg(ENTER)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(SandboxFault::failed("start the runner"))
    }
}

#[async_trait]
impl Backend for Native {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    async fn start(&self) -> Result<Sandbox, SandboxFault> {
        let toolchain = self.examiner.glance().await;
        self.toolchain.send_replace(toolchain.clone());
        self.start_with(toolchain.as_ref()).await
    }

    fn swept(&self) -> u64 {
        self.swept
    }

    fn note_compilation(&self, flags: &[String]) {
        if let Some(toolchain) = &*self.toolchain.borrow() {
            self.headers.note(toolchain, flags);
        }
    }

    async fn precompile(&self, progress: &mut Progress<'_>) {
        self.headers.make_wanted(&self.examiner, progress).await;
    }

    async fn header_wanted(&self) {
        self.headers.wanted().await;
    }

    async fn is_current(&self, toolchain: Option<&str>) -> bool {
        self.toolchain().await.as_deref() == toolchain
    }

    async fn toolchain(&self) -> Option<String> {
        self.examiner.look().await.map(|toolchain| toolchain.identity)
    }

    async fn files_read(&self, toolchain: &str, dependencies: &[u8]) -> Option<FilesRead> {
        self.examiner.files_read(toolchain, dependencies).await
    }

    fn not_enforced(&self) -> Vec<String> {
        let mut lacking = Vec::new();
        if !self.root {
            lacking.push(ONE_USER.to_owned());
        }
        match &*self.no_cgroup.borrow() {
            Some(why) => lacking.push(no_memory_cgroup(&why.to_string())),
            None => lacking.extend(self.cgroups.as_ref().and_then(Hierarchy::not_enforced)),
        }
        lacking.extend(self.no_run_cgroup.borrow().as_deref().map(no_run_cgroup));
        if self.no_landlock.load(Ordering::Relaxed) {
            lacking.push(NO_LANDLOCK.to_owned());
        }
        lacking
    }
}

/// Returns when somebody has stopped the runner that this launcher started.
async fn stopped(launcher: u32) -> String {
    loop {
        tokio::time::sleep(LOOK_INTERVAL).await;
        if runner_state(launcher).is_some_and(|state| state == STOPPED) {
            return "the runner was stopped".into();
        }
    }
}

/// The state of the launcher's only child.
fn runner_state(launcher: u32) -> Option<char> {
    let children = fs::read_to_string(format!("/proc/{launcher}/task/{launcher}/children")).ok()?;
    let stat = fs::read_to_string(format!("/proc/{}/stat", children.trim())).ok()?;
    stat.rsplit_once(')')?.1.trim_start().chars().next()
}

impl Native {
    /// Creates a sandbox's memory cgroup, and keeps the reason if there is none.
    fn create_cgroup(&self) -> Option<Cgroup> {
        let hierarchy = self.cgroups.as_ref().filter(|_| self.makes_cgroups)?;
        let created = Cgroup::create(hierarchy, &self.owner);
        if let Err(cause) = &created {
            tracing::warn!(target: "Profiler", %cause, "no memory cgroup can be made");
        }
        self.no_cgroup.send_replace(created.as_ref().err().cloned());
        created.ok()
    }

    async fn start_with(&self, toolchain: Option<&Toolchain>) -> Result<Sandbox, SandboxFault> {
        let headers = toolchain.and_then(|toolchain| self.headers.folder(toolchain));
        // From here on, dropping the lease destroys everything, whatever fails.
        let cgroup = self.create_cgroup();
        let mut lease = NativeLease { launcher: None, cgroup };
        let launcher = lease.launcher.insert(self.spawn()?);
        let (Some(pid), Some(mut to), Some(from)) =
            (launcher.id(), launcher.stdin.take(), launcher.stdout.take())
        else {
            return Err(SandboxFault::Lost("the runner ended at once".into()));
        };
        // The launcher enters a cgroup of version 1 by itself, because that takes less time.
        let to_enter = lease.cgroup.as_ref().filter(|cgroup| cgroup.place().0 == 2);
        to_enter.map_or(Ok(()), |cgroup| cgroup.admit(pid))?;
        let range = self.next_range.fetch_add(1, Ordering::Relaxed) % ID_RANGES;
        let enter = Enter {
            first_id: self.root.then_some(FIRST_ID + range * ENTER_IDS),
            cgroup: lease.cgroup.as_ref().map(Cgroup::place),
            work_bytes: WORK_TMPFS_BYTES,
            scratch_bytes: SCRATCH_TMPFS_BYTES,
            scratch_inodes: SCRATCH_INODES,
            precompiled: headers.map(|folder| folder.to_string_lossy().into()),
        };
        let mut frame = Vec::new();
        runner_protocol::write_frame(&mut frame, &enter)
            .map_err(SandboxFault::failed("describe the sandbox"))?;
        // A runner that has already ended is noticed below, with its error message.
        let _ = to.write_all(&frame).await;
        let mut channel = Channel::new(from, to).unless_stopped(stopped(pid));
        match channel.greet("this program", "rebuild swiftprof").await {
            Ok(hello) => {
                self.no_run_cgroup.send_replace(hello.no_run_cgroup.clone());
                self.no_landlock.store(!hello.landlock, Ordering::Relaxed);
                let toolchain = toolchain.map(|toolchain| toolchain.identity.clone());
                Ok(Sandbox { channel, hello, toolchain, builds_bytes: 0, lease: Box::new(lease) })
            }
            Err(SandboxFault::Lost(problem)) => match lease.last_words().await {
                words if words.is_empty() => Err(SandboxFault::Lost(problem)),
                words => Err(SandboxFault::Unsupported(denial::explain(
                    &words,
                    Path::new("/"),
                    self.root,
                ))),
            },
            Err(fault) => Err(fault),
        }
    }
}

/// A running launcher and the resources of its sandbox.
struct NativeLease {
    launcher: Option<Child>,
    cgroup: Option<Cgroup>,
}

impl NativeLease {
    /// Kills the launcher, and returns the error message that it left.
    async fn last_words(&mut self) -> String {
        let mut said = Vec::new();
        if let Some(launcher) = &mut self.launcher {
            // A launcher whose runner was stopped would never end by itself.
            let _ = launcher.start_kill();
            if let Some(stderr) = launcher.stderr.take() {
                let mut stderr = stderr.take(MAX_LAST_WORDS_BYTES);
                // A runner that was stopped before it was bound to its launcher's life keeps the
                // pipe open.
                let _ = timeout(LAST_WORDS_TIMEOUT, stderr.read_to_end(&mut said)).await;
            }
        }
        String::from_utf8_lossy(&said).trim().to_owned()
    }

    async fn take_down(launcher: Option<Child>, cgroup: Option<Cgroup>) {
        // The sandbox's pid 1 dies with the launcher, and everything in the sandbox dies with pid
        // 1. A pid 1 that was stopped before it was bound to the launcher dies with the cgroup.
        if let Some(mut launcher) = launcher {
            let _ = launcher.kill().await;
        }
        if let Some(cgroup) = cgroup {
            cgroup.remove().await;
        }
    }
}

#[async_trait]
impl Lease for NativeLease {
    async fn limit_memory(&mut self, bytes: u64) -> Result<(), SandboxFault> {
        self.cgroup.as_ref().map_or(Ok(()), |cgroup| cgroup.limit(bytes))
    }

    async fn end(&mut self) {
        Self::take_down(self.launcher.take(), self.cgroup.take()).await;
    }
}

impl Drop for NativeLease {
    fn drop(&mut self) {
        if self.launcher.is_some() || self.cgroup.is_some() {
            tokio::spawn(Self::take_down(self.launcher.take(), self.cgroup.take()));
        }
    }
}

#[cfg(test)]
mod tests;
