//! What a memory probe's process tree holds, as memory cgroups count it: anonymous memory and
//! shared mappings, files in scratch, page tables and other memory of the kernel. The probe has a
//! cgroup of its own below the sandbox's, which limits both, or is the difference in the sandbox's
//! own.
//!
//! The runner opens the cgroup's files while it is still the host's root. So no file of the cgroup
//! file system has to be writable in the sandbox. Moving a process into the cgroup takes
//! milliseconds, so no timed run does that.

use crate::sys::fault::{Result, Stage};
use runner_protocol::RUN_CGROUP;
use std::fs::File;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

/// The file in which the sandbox's cgroup says how many bytes it holds: in version 2, in version 1.
const HELD: [&str; 2] =
    ["/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory/memory.usage_in_bytes"];

/// The unit of `st_blocks`, in bytes.
const BLOCK_BYTES: u64 = 512;
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
    fn reset(&self) -> Result<()> {
        self.peak.write_all_at(b"0", 0).stage("reset the cgroup's peak")
    }

    /// Moves this process in.
    pub(crate) fn enter(&self) -> Result<()> {
        self.processes.write_all_at(b"0", 0).stage("enter the run's cgroup")
    }

    /// The largest sum since [`RunCgroup::reset`], in bytes.
    fn peak(&self) -> Option<u64> {
        number(&self.peak)
    }
}

/// The account of one run.
pub(crate) struct Account<'a> {
    counter: Counter<'a>,
    /// The files of the run's output, which is not memory that it holds.
    outputs: [File; 2],
    /// The most that the run held, in bytes.
    most: u64,
}

enum Counter<'a> {
    /// The run has a cgroup of its own, whose peak is exact.
    Own(&'a RunCgroup),
    /// The run is in the sandbox's cgroup, which held `before` bytes before it.
    Sandbox { held: File, before: u64 },
}

impl<'a> Account<'a> {
    /// Opens the account of a run that has not begun; `None` without a memory cgroup.
    pub(crate) fn open(own: Option<&'a RunCgroup>, outputs: [File; 2]) -> Result<Option<Self>> {
        let counter = if let Some(own) = own {
            own.reset()?;
            Some(Counter::Own(own))
        } else {
            let held = HELD.iter().find_map(|path| File::open(path).ok());
            held.and_then(|held| Some(Counter::Sandbox { before: number(&held)?, held }))
        };
        Ok(counter.map(|counter| Self { counter, outputs, most: 0 }))
    }

    /// Reads the account. Returns the most that the run has held so far, in bytes.
    pub(crate) fn peak(&mut self) -> Option<u64> {
        let counted = match &self.counter {
            Counter::Own(own) => own.peak()?,
            Counter::Sandbox { held, before } => number(held)?.saturating_sub(*before),
        };
        // Output only grows, so there is at least as much of it now as at the counter's peak.
        let written: u64 = self.outputs.iter().map(memory_of).sum();
        self.most = counted.saturating_sub(written).max(self.most);
        Some(self.most)
    }
}

/// The memory that a file in memory takes, in bytes.
fn memory_of(file: &File) -> u64 {
    file.metadata().map_or(0, |metadata| metadata.blocks() * BLOCK_BYTES)
}

fn number(file: &File) -> Option<u64> {
    let mut text = [0; MAX_NUMBER_BYTES];
    let length = file.read_at(&mut text, 0).ok()?;
    str::from_utf8(text.get(..length)?).ok()?.trim().parse().ok()
}
