//! A memory cgroup for one native sandbox, in the hierarchy (version 1 or 2) that has the memory
//! controller.

use crate::error::SandboxFault;
use crate::limits::COMPILING_BYTES;
use crate::sandbox::ownership::Owner;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use runner_protocol::RUN_CGROUP;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The folder that holds all our cgroups.
const FAMILY: &str = "swiftprof";
/// How often to try to remove a cgroup while its processes are dying.
const REMOVE_EVERY: Duration = Duration::from_millis(5);
/// How many times to try to remove a cgroup.
const REMOVE_TRIES: u32 = 1000;
/// How many times to try for the cgroup of a dead owner, before the first sandbox starts.
const SWEEP_TRIES: u32 = 40;

/// Where the hierarchies are mounted.
pub(super) const MOUNTED: &str = "/sys/fs/cgroup";
/// The file that hands controllers on to the cgroups below, in version 2.
const HANDED_ON: &str = "cgroup.subtree_control";

/// A hierarchy that limits memory.
struct Hierarchy {
    version: u8,
    root: PathBuf,
    limit: &'static str,
    /// Limits swap: version 1 limits the sum of memory and swap, version 2 swap alone.
    swap: &'static str,
}

impl Hierarchy {
    /// The hierarchy below `mounted` that has the memory controller.
    fn find(mounted: &Path) -> Option<Self> {
        let controllers = fs::read_to_string(mounted.join("cgroup.controllers"));
        if controllers.is_ok_and(|names| names.split_whitespace().any(|name| name == "memory")) {
            let (limit, swap) = ("memory.max", "memory.swap.max");
            return Some(Self { version: 2, root: mounted.into(), limit, swap });
        }
        let root = mounted.join("memory");
        let (limit, swap) = ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes");
        let found = root.join("memory.oom_control").exists();
        found.then_some(Self { version: 1, root, limit, swap })
    }

    fn family(&self) -> PathBuf {
        self.root.join(FAMILY)
    }
}

/// One sandbox's memory cgroup. [`Cgroup::remove`] removes it; the next process sweeps what a
/// killed process left.
pub(super) struct Cgroup {
    hierarchy: Hierarchy,
    path: PathBuf,
}

impl Cgroup {
    /// Creates a cgroup for `owner` with the compiler's limit, or says why the host does not allow
    /// one and leaves nothing. The hierarchies are below `mounted`.
    pub(super) fn create(mounted: &Path, owner: &Owner) -> Result<Self, String> {
        let hierarchy = Hierarchy::find(mounted)
            .ok_or_else(|| format!("no memory controller at {}", mounted.display()))?;
        let name = format!("{owner}.{}", uuid::Uuid::now_v7().simple());
        let path = hierarchy.family().join(name);
        let cgroup = Self { hierarchy, path };
        let made = cgroup
            .make()
            .and_then(|()| cgroup.limit(COMPILING_BYTES).map_err(|fault| fault.to_string()));
        if let Err(cause) = made {
            cgroup.discard();
            return Err(cause);
        }
        cgroup.make_room_for_runs();
        Ok(cgroup)
    }

    fn make(&self) -> Result<(), String> {
        let Hierarchy { version, root, .. } = &self.hierarchy;
        let named = |place: &Path, done: io::Result<()>| {
            done.map_err(|error| format!("{}: {error}", place.display()))
        };
        let hand_on = |parent: &Path| match version {
            2 => named(&parent.join(HANDED_ON), fs::write(parent.join(HANDED_ON), "+memory")),
            _ => Ok(()),
        };
        let family = self.hierarchy.family();
        // First, because it fails in a cgroup namespace whose root has processes.
        hand_on(root)?;
        named(&family, fs::create_dir_all(&family))?;
        hand_on(&family)?;
        named(&self.path, fs::create_dir(&self.path))
    }

    /// Removes a cgroup without processes, and its family unless there are others.
    fn discard(&self) {
        let _ = remove(&self.path);
        let _ = fs::remove_dir(self.hierarchy.family());
    }

    /// Creates a cgroup and removes it, to find out whether the host allows one.
    pub(super) fn try_out(mounted: &Path, owner: &Owner) -> Result<(), String> {
        Self::create(mounted, owner).map(|cgroup| drop(remove(&cgroup.path)))
    }

    /// Creates the cgroup that a memory probe has for itself. Without it the run has no cgroup
    /// peak. Version 2 never has one: a cgroup with processes cannot give its children a memory
    /// controller.
    fn make_room_for_runs(&self) {
        if self.hierarchy.version != 1 {
            return;
        }
        // Before Linux 5.11 a child obeys its parent's limit only if this is set before it is
        // created.
        let made = fs::write(self.path.join("memory.use_hierarchy"), "1")
            .and_then(|()| fs::create_dir(self.path.join(RUN_CGROUP)));
        if let Err(error) = made {
            tracing::debug!(target: "Profiler", %error, "runs have no cgroup of their own");
        }
    }

    /// Moves a process into the cgroup. Everything that it starts afterwards is in the cgroup too.
    pub(super) fn admit(&self, pid: u32) -> Result<(), SandboxFault> {
        self.write("cgroup.procs", &pid.to_string())
    }

    /// Limits memory and swap together to `bytes`.
    pub(super) fn limit(&self, bytes: u64) -> Result<(), SandboxFault> {
        let (memory, swap) = (self.hierarchy.limit, self.hierarchy.swap);
        // Kernels without swap accounting have no such file.
        let has_swap = self.path.join(swap).exists();
        if self.hierarchy.version == 2 {
            if has_swap {
                self.write(swap, "0")?;
            }
            return self.write(memory, &bytes.to_string());
        }
        // On version 1 the memory limit must never exceed the limit of memory and swap, so the
        // order depends on the direction.
        let text = bytes.to_string();
        let files = if has_swap { vec![memory, swap] } else { vec![memory] };
        let falling = self.current_limit().is_some_and(|current| bytes <= current);
        if falling {
            files.iter().try_for_each(|f| self.write(f, &text))
        } else {
            files.iter().rev().try_for_each(|f| self.write(f, &text))
        }
    }

    fn current_limit(&self) -> Option<u64> {
        fs::read_to_string(self.path.join(self.hierarchy.limit)).ok()?.trim().parse().ok()
    }

    fn write(&self, file: &str, text: &str) -> Result<(), SandboxFault> {
        fs::write(self.path.join(file), text)
            .map_err(|error| SandboxFault::failed("set up the cgroup")(&format!("{file}: {error}")))
    }

    /// The version and folder, for the runner.
    pub(super) fn place(&self) -> (u8, String) {
        (self.hierarchy.version, self.path.display().to_string())
    }

    /// Removes the cgroup after its last process has ended.
    pub(super) async fn remove(&self) {
        for _ in 0..REMOVE_TRIES {
            match remove(&self.path) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                    tokio::time::sleep(REMOVE_EVERY).await;
                }
                _ => return,
            }
        }
        tracing::warn!(target: "Profiler", path = %self.path.display(), "a cgroup is left");
    }

    /// Removes cgroups below `mounted` that `owner` [survives](Owner::survives). A cgroup's name
    /// begins with its owner.
    pub(super) fn sweep(mounted: &Path, owner: &Owner) {
        let Some(hierarchy) = Hierarchy::find(mounted) else {
            return;
        };
        let Ok(entries) = fs::read_dir(hierarchy.family()) else {
            return;
        };
        for entry in entries.flatten() {
            let of = entry.file_name().to_str().and_then(Owner::from_start_of);
            if of.is_some_and(|of| owner.survives(&of)) {
                sweep_one(&entry.path());
            }
        }
    }
}

/// Removes a dead owner's cgroup and kills its processes. They were about to end with their
/// channel, unless somebody stopped them. A cgroup that takes longer is left to the next sweep.
fn sweep_one(cgroup: &Path) {
    for _ in 0..SWEEP_TRIES {
        match remove(cgroup) {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                kill_all(cgroup);
                std::thread::sleep(REMOVE_EVERY);
            }
            _ => return,
        }
    }
}

/// Kills the processes of a cgroup and of the run's cgroup in it. A process of another pid
/// namespace has no number here and is listed as 0.
fn kill_all(cgroup: &Path) {
    for folder in [cgroup.to_owned(), cgroup.join(RUN_CGROUP)] {
        let listed = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
        for pid in listed.lines().filter_map(|pid| pid.parse().ok()).filter(|&pid| pid > 0) {
            // A process that is already gone is no error.
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
    }
}

/// Removes a cgroup, after the run's cgroup in it.
fn remove(cgroup: &Path) -> io::Result<()> {
    // The run's cgroup may not exist. If it cannot be removed, removing its parent fails and says
    // why.
    let _ = fs::remove_dir(cgroup.join(RUN_CGROUP));
    fs::remove_dir(cgroup)
}

#[cfg(test)]
mod tests;
