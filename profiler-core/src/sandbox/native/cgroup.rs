//! A memory cgroup for one native sandbox: version 1 or 2, whichever has the host's memory.

use crate::error::SandboxFault;
use crate::limits::COMPILING_BYTES;
use crate::sandbox::ownership::Owner;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{AccessFlags, Pid, access};
use runner_protocol::RUN_CGROUP;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The folder below which all our cgroups lie.
const FAMILY: &str = "swiftprof";
/// How often, and how many times, removing a cgroup is tried while its processes are dying.
const REMOVE_EVERY: Duration = Duration::from_millis(5);
/// See [`REMOVE_EVERY`].
const REMOVE_TRIES: u32 = 1000;
/// Likewise for the cgroup of a dead owner, before the first sandbox is started.
const SWEEP_TRIES: u32 = 40;

/// A hierarchy that limits memory.
#[derive(Clone, Copy)]
struct Hierarchy {
    version: u8,
    root: &'static str,
    limit: &'static str,
    /// Limits swap: to the same sum on version 1, to nothing on version 2.
    swap: &'static str,
}

const HIERARCHIES: [Hierarchy; 2] = [
    Hierarchy { version: 2, root: "/sys/fs/cgroup", limit: "memory.max", swap: "memory.swap.max" },
    Hierarchy {
        version: 1,
        root: "/sys/fs/cgroup/memory",
        limit: "memory.limit_in_bytes",
        swap: "memory.memsw.limit_in_bytes",
    },
];

impl Hierarchy {
    fn find() -> Option<Self> {
        HIERARCHIES.into_iter().find(|hierarchy| match hierarchy.version {
            2 => fs::read_to_string("/sys/fs/cgroup/cgroup.controllers")
                .is_ok_and(|controllers| controllers.split_whitespace().any(|c| c == "memory")),
            _ => Path::new(hierarchy.root).join("memory.oom_control").exists(),
        })
    }

    fn family(self) -> PathBuf {
        Path::new(self.root).join(FAMILY)
    }
}

/// One sandbox's memory cgroup. It is removed by [`Cgroup::remove`]; what a killed process left is
/// swept by the next one.
pub(super) struct Cgroup {
    hierarchy: Hierarchy,
    path: PathBuf,
}

impl Cgroup {
    /// Whether this host has a hierarchy that limits memory, in which one can be made.
    pub(super) fn is_available() -> bool {
        Hierarchy::find().is_some_and(|hierarchy| {
            let family = hierarchy.family();
            let place = if family.exists() { family } else { hierarchy.root.into() };
            access(&place, AccessFlags::W_OK).is_ok()
        })
    }

    /// A cgroup of `owner`'s with the compile's limit; `None` where the host gives none.
    pub(super) fn create(owner: &Owner) -> Option<Self> {
        let hierarchy = Hierarchy::find()?;
        let name = format!("{owner}.{}", uuid::Uuid::now_v7().simple());
        let path = hierarchy.family().join(name);
        let made = fs::create_dir_all(hierarchy.family()).and_then(|()| {
            if hierarchy.version == 2 {
                for parent in [Path::new(hierarchy.root), &hierarchy.family()] {
                    fs::write(parent.join("cgroup.subtree_control"), "+memory")?;
                }
            }
            fs::create_dir(&path)
        });
        let cgroup = Self { hierarchy, path };
        let limited = made
            .map_err(|e| e.to_string())
            .and_then(|()| cgroup.limit(COMPILING_BYTES).map_err(|e| e.to_string()));
        match limited {
            Ok(()) => {
                cgroup.make_room_for_runs();
                Some(cgroup)
            }
            Err(cause) => {
                tracing::warn!(target: "Profiler", %cause, "no memory cgroup can be made");
                None
            }
        }
    }

    /// Makes the cgroup in which a run that is looked into is alone; without, its peak is absent.
    /// On version 2 it always is: no child may count memory below a cgroup that has processes
    /// itself.
    fn make_room_for_runs(&self) {
        if self.hierarchy.version != 1 {
            return;
        }
        // Before Linux 5.11 a child obeys its parent's limit only if this says so before it is
        // made.
        let made = fs::write(self.path.join("memory.use_hierarchy"), "1")
            .and_then(|()| fs::create_dir(self.path.join(RUN_CGROUP)));
        if let Err(error) = made {
            tracing::debug!(target: "Profiler", %error, "runs have no cgroup of their own");
        }
    }

    /// Takes in a process; what it starts from then on is in the cgroup too.
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
        // Memory must never be above memory and swap, so the order depends on the direction.
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

    /// Version and folder, for the runner to look at.
    pub(super) fn place(&self) -> (u8, String) {
        (self.hierarchy.version, self.path.display().to_string())
    }

    /// Removes the cgroup once its last process is gone.
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

    /// Removes what `owner` [survives](Owner::survives): a cgroup's name begins with its owner.
    pub(super) fn sweep(owner: &Owner) {
        let Some(hierarchy) = Hierarchy::find() else {
            return;
        };
        let Ok(entries) = fs::read_dir(hierarchy.family()) else {
            return;
        };
        for entry in entries.flatten() {
            let of = entry.file_name().to_str().and_then(Owner::at_the_beginning_of);
            if of.is_some_and(|of| owner.survives(&of)) {
                sweep_one(&entry.path());
            }
        }
    }
}

/// Removes a dead owner's cgroup, and what lives in it: that was about to end with its channel,
/// unless somebody stopped it. What takes longer is left to the next sweep.
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

/// Kills what is in a cgroup and in the run's in it. A process of another pid namespace, which has
/// no number here, is 0.
fn kill_all(cgroup: &Path) {
    for folder in [cgroup.to_owned(), cgroup.join(RUN_CGROUP)] {
        let listed = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
        for pid in listed.lines().filter_map(|pid| pid.parse().ok()).filter(|&pid| pid > 0) {
            // One that is gone already needs nothing.
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
    }
}

/// Removes a cgroup and the run's in it, which goes first.
fn remove(cgroup: &Path) -> io::Result<()> {
    // It may not exist. If it stays, so does its parent, which says why.
    let _ = fs::remove_dir(cgroup.join(RUN_CGROUP));
    fs::remove_dir(cgroup)
}

#[cfg(test)]
mod tests;
