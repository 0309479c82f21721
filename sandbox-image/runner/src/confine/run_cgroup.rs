//! The memory cgroup of a memory probe, below the sandbox's own cgroup, which limits both.
//!
//! The runner opens the cgroup's files while it is still the host's root. So no file of the cgroup
//! file system has to be writable in the sandbox. Moving a process into the cgroup takes
//! milliseconds, so no timed run does that.

use crate::sys::fault::{Result, Stage};
use runner_protocol::RUN_CGROUP;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Longest number in a cgroup's file, in bytes.
const MAX_NUMBER_BYTES: usize = 32;

/// A cgroup of version 1 for one run at a time. In version 2 a cgroup that has processes, as the
/// runner's has, can have no child that counts memory.
pub(crate) struct RunCgroup {
    processes: File,
    peak: File,
}

impl RunCgroup {
    /// The cgroup below `cgroup`, if the host has made one.
    pub(crate) fn open(cgroup: &Path) -> Option<Self> {
        let folder = cgroup.join(RUN_CGROUP);
        let open = |name| File::options().read(true).write(true).open(folder.join(name)).ok();
        Some(Self { processes: open("cgroup.procs")?, peak: open("memory.max_usage_in_bytes")? })
    }

    /// Resets the peak. It begins at what the last run has left in caches.
    pub(crate) fn reset(&self) -> Result<()> {
        self.peak.write_all_at(b"0", 0).stage("reset the cgroup's peak")
    }

    /// Moves this process in.
    pub(crate) fn enter(&self) -> Result<()> {
        self.processes.write_all_at(b"0", 0).stage("enter the run's cgroup")
    }

    /// The largest sum since [`RunCgroup::reset`], in bytes.
    pub(crate) fn peak(&self) -> Option<u64> {
        let mut text = [0; MAX_NUMBER_BYTES];
        let length = self.peak.read_at(&mut text, 0).ok()?;
        str::from_utf8(text.get(..length)?).ok()?.trim().parse().ok()
    }
}
