//! Properties of a host that decide which cgroups this process can make, and remedies if it can
//! make none.

use nix::unistd::geteuid;
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Ways for root to get a group.
pub(super) const FOR_ROOT: &[&str] = &[
    "set `Delegate=yes` in the unit of its service",
    "start it as `systemd-run --scope -p Delegate=yes swiftprof …`",
    "start its container with `--privileged`",
];
/// Ways for an ordinary user to get a group.
pub(super) const FOR_USER: &[&str] = &[
    "set `Delegate=yes` in the unit of its service",
    "start it as `systemd-run --user --scope -p Delegate=yes swiftprof …`",
];

/// Properties of a host that decide which cgroups this process can make.
#[derive(Debug)]
pub(crate) struct Host {
    /// Folder in which the hierarchies are mounted.
    pub(crate) mounted: PathBuf,
    /// The file that names this process's own cgroups.
    pub(crate) membership: PathBuf,
    pub(crate) is_root: bool,
}

impl Host {
    pub(crate) fn this() -> Self {
        let mounted = PathBuf::from("/sys/fs/cgroup");
        let membership = PathBuf::from("/proc/self/cgroup");
        Self { mounted, membership, is_root: geteuid().is_root() }
    }

    /// The folder of the group that this process is in.
    pub(super) fn own_group(&self) -> Result<PathBuf, String> {
        let text = named(&self.membership, fs::read_to_string(&self.membership))?;
        let path = text.lines().find_map(|line| line.strip_prefix("0::/"));
        // A group outside of the cgroup namespace has no path here.
        let path = path.filter(|path| !path.split('/').any(|part| part == ".."));
        let path =
            path.ok_or_else(|| format!("{} names no group here", self.membership.display()))?;
        Ok(if path.is_empty() { self.mounted.clone() } else { self.mounted.join(path) })
    }

    pub(super) fn advise(&self, cause: String) -> NoCgroup {
        NoCgroup { cause, ways: if self.is_root { FOR_ROOT } else { FOR_USER } }
    }
}

/// Reason why sandboxes get no memory cgroup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoCgroup {
    /// Description of what is missing.
    pub cause: String,
    /// Ways to give sandboxes a memory cgroup. Each is enough.
    pub ways: &'static [&'static str],
}

impl From<String> for NoCgroup {
    fn from(cause: String) -> Self {
        Self { cause, ways: &[] }
    }
}

impl Display for NoCgroup {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)?;
        if self.ways.is_empty() { Ok(()) } else { write!(f, "; {}", self.ways.join(", or ")) }
    }
}

/// Adds the name of the file or folder to an error.
pub(crate) fn named<T>(place: &Path, done: io::Result<T>) -> Result<T, String> {
    done.map_err(|error| format!("{}: {error}", place.display()))
}
