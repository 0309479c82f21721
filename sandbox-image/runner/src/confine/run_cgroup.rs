//! The memory cgroup of a run that is looked into, below the sandbox's own, which limits both.
//!
//! Its files are opened while this process is still the host's root: then nothing of the cgroup
//! file system has to be writable in the sandbox. Moving into it takes milliseconds, so no timed
//! run does.

use crate::sys::fault::{Result, Stage};
use runner_protocol::RUN_CGROUP;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Longest number in a cgroup's file, in bytes.
const MAX_NUMBER_BYTES: usize = 32;

/// A cgroup of version 1 that holds one run at a time. Version 2 allows no child that counts memory
/// below a cgroup that has processes itself, as the runner's has.
pub(crate) struct RunCgroup {
    processes: File,
    peak: File,
}

impl RunCgroup {
    /// The one below `cgroup`, if the host has made one.
    pub(crate) fn open(cgroup: &Path) -> Option<Self> {
        let folder = cgroup.join(RUN_CGROUP);
        let open = |name| File::options().read(true).write(true).open(folder.join(name)).ok();
        Some(Self { processes: open("cgroup.procs")?, peak: open("memory.max_usage_in_bytes")? })
    }

    /// Forgets the peak: it begins at what the last run has left in caches.
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
