//! A memory cgroup for one native sandbox, in the hierarchy (version 1 or 2) that has the memory
//! controller. In version 2 an ordinary user can have one too ([`delegation`]).

mod delegation;

use crate::error::SandboxFault;
use crate::limits::{COMPILING_BYTES, PROCESSES};
use crate::sandbox::ownership::Owner;
pub use delegation::NoCgroup;
use delegation::{FAMILY, MEMBERS, hand_on, members, named};
pub(super) use delegation::{Hierarchy, Host, no_root};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use runner_protocol::{RUN_CGROUP, RUNNER_CGROUP};
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Interval between attempts to remove a cgroup while its processes are dying.
const REMOVE_EVERY: Duration = Duration::from_millis(5);
const REMOVE_TRIES: u32 = 1000;
/// Maximum number of attempts to remove the cgroup of a dead owner, before the first sandbox
/// starts.
const SWEEP_TRIES: u32 = 40;
/// Prefix of the names of sandboxes' cgroups in version 2.
const BOX: &str = "box-";

impl Hierarchy {
    /// Returns the restriction that the hierarchy does not enforce, and why.
    pub(super) fn not_enforced(&self) -> Option<String> {
        let Self::AtRoot(folder, why) = self else {
            return None;
        };
        Some(format!(
            "limits of swiftprof's own unit do not bind sandboxes, whose cgroups are in {} ({why}): \
             set `Delegate=yes` in the unit, or start it as `systemd-run --scope -p Delegate=yes \
             swiftprof …`",
            folder.display()
        ))
    }

    fn version(&self) -> u8 {
        match self {
            Self::V1(_) => 1,
            Self::Delegated(_) | Self::AtRoot(..) => 2,
        }
    }

    /// Returns the files of the memory limit and of the swap limit. Version 1 limits the sum of
    /// memory and swap, version 2 swap alone.
    fn limits(&self) -> [&'static str; 2] {
        match self {
            Self::V1(_) => ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"],
            Self::Delegated(_) | Self::AtRoot(..) => ["memory.max", "memory.swap.max"],
        }
    }
}

/// Writes where the cgroups of sandboxes are, for messages.
impl fmt::Display for Hierarchy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = self.folder().display();
        match self {
            Self::V1(_) => f.write_str("version 1"),
            Self::Delegated(_) => write!(f, "version 2, in the delegated {folder}"),
            Self::AtRoot(..) => write!(f, "version 2, in {folder} at the root of the tree"),
        }
    }
}

/// One sandbox's memory cgroup. [`Cgroup::remove`] removes it. If this process is killed first, the
/// next one sweeps it.
pub(super) struct Cgroup {
    hierarchy: Hierarchy,
    path: PathBuf,
}

impl Cgroup {
    /// Creates a cgroup for `owner` with the compiler's limit, or says why there is none. The
    /// hierarchy must be [settled](Hierarchy::settle).
    pub(super) fn create(hierarchy: &Hierarchy, owner: &Owner) -> Result<Self, NoCgroup> {
        let begin = if hierarchy.version() == 2 { BOX } else { "" };
        let name = format!("{begin}{owner}.{}", uuid::Uuid::now_v7().simple());
        let path = hierarchy.folder().join(name);
        let cgroup = Self { hierarchy: hierarchy.clone(), path };
        let made = cgroup
            .make()
            .and_then(|()| cgroup.limit(COMPILING_BYTES).map_err(|fault| fault.to_string()));
        if let Err(cause) = made {
            let _ = remove(&cgroup.path);
            return Err(cause.into());
        }
        Ok(cgroup)
    }

    /// Makes the folders. In version 2 the runner divides the cgroup after it has entered its
    /// namespaces.
    fn make(&self) -> Result<(), String> {
        match &self.hierarchy {
            Hierarchy::V1(family) => {
                named(family, fs::create_dir_all(family))?;
                named(&self.path, fs::create_dir(&self.path))?;
                self.make_room_for_runs();
                Ok(())
            }
            Hierarchy::Delegated(_) | Hierarchy::AtRoot(..) => {
                for leaf in ["", RUNNER_CGROUP, RUN_CGROUP] {
                    let folder = self.path.join(leaf);
                    named(&folder, fs::create_dir(&folder))?;
                }
                let most = self.path.join("pids.max");
                // Only the memory controller is always there.
                if most.exists() {
                    named(&most, fs::write(&most, PROCESSES.to_string()))?;
                }
                Ok(())
            }
        }
    }

    /// Creates a cgroup and removes it, to find out whether the host allows one.
    pub(super) fn try_out(hierarchy: &Hierarchy, owner: &Owner) -> Result<(), NoCgroup> {
        let cgroup = Self::create(hierarchy, owner)?;
        let divided = match cgroup.hierarchy {
            Hierarchy::V1(_) => Ok(()),
            Hierarchy::Delegated(_) | Hierarchy::AtRoot(..) => hand_on(&cgroup.path),
        };
        let _ = remove(&cgroup.path);
        Ok(divided?)
    }

    /// Creates the cgroup of version 1 that a memory probe has to itself. Without it, the probe has
    /// no cgroup peak.
    fn make_room_for_runs(&self) {
        // Before Linux 5.11, a child cgroup obeys its parent's limit only if this is set before the
        // child is created.
        let made = fs::write(self.path.join("memory.use_hierarchy"), "1")
            .and_then(|()| fs::create_dir(self.path.join(RUN_CGROUP)));
        if let Err(error) = made {
            tracing::debug!(target: "Profiler", %error, "runs have no cgroup of their own");
        }
    }

    /// Moves a process into the cgroup. Everything that it starts afterwards is in the cgroup too.
    pub(super) fn admit(&self, pid: u32) -> Result<(), SandboxFault> {
        self.write(MEMBERS, &pid.to_string())
    }

    /// Limits memory and swap together to `bytes`.
    pub(super) fn limit(&self, bytes: u64) -> Result<(), SandboxFault> {
        let [memory, swap] = self.hierarchy.limits();
        let (is_v1, text) = (self.hierarchy.version() == 1, bytes.to_string());
        let mut limits = vec![(memory, &*text)];
        // Kernels without swap accounting have no such file.
        if self.path.join(swap).exists() {
            limits.push((swap, if is_v1 { &text[..] } else { "0" }));
        }
        // On version 1 the memory limit must never exceed the limit of memory and swap, so the
        // order depends on the direction.
        let is_falling = is_v1 && self.current_limit().is_some_and(|current| bytes <= current);
        if !is_falling {
            limits.reverse();
        }
        limits.into_iter().try_for_each(|(file, text)| self.write(file, text))
    }

    fn current_limit(&self) -> Option<u64> {
        fs::read_to_string(self.path.join(self.hierarchy.limits()[0])).ok()?.trim().parse().ok()
    }

    fn write(&self, file: &str, text: &str) -> Result<(), SandboxFault> {
        let written = fs::write(self.path.join(file), text);
        let written = written.map_err(|error| format!("{file}: {error}"));
        written.map_err(SandboxFault::failed("set up the cgroup"))
    }

    /// Returns the version and the folder, for the runner.
    pub(super) fn place(&self) -> (u8, String) {
        (self.hierarchy.version(), self.path.display().to_string())
    }

    /// Kills what is left in the cgroup, and removes it after its last process has ended.
    pub(super) async fn remove(&self) {
        kill_all(&self.path);
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

    /// Removes the cgroups of owners that `owner` [survives](Owner::survives): those in
    /// `hierarchy`, and in version 2 those at the root of the tree, where root makes them without
    /// delegation. A cgroup's name begins with its owner. Returns the number of removed cgroups.
    pub(super) fn sweep(host: &Host, hierarchy: &Hierarchy, owner: &Owner) -> u64 {
        let mut swept = 0;
        let folders = [hierarchy.folder().to_owned(), host.mounted.join(FAMILY)];
        let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok());
        for entry in entries.flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_str().map(|name| name.strip_prefix(BOX).unwrap_or(name));
            let of = name.and_then(Owner::from_start_of);
            if of.is_some_and(|of| owner.survives(&of)) {
                tracing::info!(target: "Profiler", cgroup = ?entry.file_name(), "removing an orphan");
                sweep_one(&entry.path());
                swept += 1;
            }
        }
        swept
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

/// Kills the processes of a cgroup and of the cgroups below. Without `cgroup.kill`, processes that
/// this pid namespace does not see stay alive, because they are listed as 0.
fn kill_all(cgroup: &Path) {
    // Version 2 has had this file since Linux 5.14.
    let file = fs::File::options().write(true).open(cgroup.join("cgroup.kill"));
    if file.and_then(|mut file| file.write_all(b"1")).is_ok() {
        return;
    }
    for folder in [cgroup.to_owned(), cgroup.join(RUNNER_CGROUP), cgroup.join(RUN_CGROUP)] {
        for pid in members(&folder).into_iter().filter(|&pid| pid > 0) {
            // A process that is already gone is no error.
            let _ = kill(Pid::from_raw(pid.cast_signed()), Signal::SIGKILL);
        }
    }
}

/// Removes a cgroup, after the cgroups in it.
fn remove(cgroup: &Path) -> io::Result<()> {
    // The inner cgroups may not exist. If one cannot be removed, removing its parent fails and says
    // why.
    for leaf in [RUN_CGROUP, RUNNER_CGROUP] {
        let _ = fs::remove_dir(cgroup.join(leaf));
    }
    fs::remove_dir(cgroup)
}

#[cfg(test)]
mod tests;
