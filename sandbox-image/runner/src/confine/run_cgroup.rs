//! A cgroup of its own for a run, below the sandbox's.
//!
//! Memory cgroups count for a process tree anonymous memory and shared mappings, files in scratch,
//! page tables and other memory of the kernel. A memory probe is in the run's cgroup, which counts
//! only that, or the difference in the sandbox's own is taken.
//!
//! In version 2, repetitions are in the run's cgroup too, because a process can begin there. That
//! costs 1.2 % of a bare spawn. Moving a process there takes milliseconds, so in version 1 no timed
//! run does that.
//!
//! The runner opens the cgroup's files while it is still the host's root, or the caller's user. So
//! no file of the cgroup file system has to be writable in the sandbox.

use crate::sys::clone_into::clone_into;
use crate::sys::fault::{Result, Stage};
use nix::sched::CloneFlags;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;
use runner_protocol::{Enter, HELD_SLACK_BYTES, Limits, RUN_CGROUP, RUNNER_CGROUP};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, chown};
use std::path::Path;

/// The file in which the sandbox's cgroup says how many bytes it holds: in version 2, in version 1.
const HELD: [&str; 2] =
    ["/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory/memory.usage_in_bytes"];
/// The files in which the run's cgroup keeps its peak. Since Linux 6.12, writing the second one
/// resets it for whoever has it open; before, it cannot be written.
const PEAKS: [&str; 2] = ["memory.max_usage_in_bytes", "memory.peak"];

/// Stdout and stderr.
const OUTPUTS: u64 = 2;
/// The unit of `st_blocks`, in bytes.
const BLOCK_BYTES: u64 = 512;
/// Longest number in a cgroup's file, in bytes.
const MAX_NUMBER_BYTES: usize = 32;
/// The stack of the child that tries whether it can begin in the cgroup, in bytes.
const TRIAL_STACK_BYTES: usize = 16 << 10;

/// A cgroup for one run at a time.
pub(crate) struct RunCgroup {
    processes: File,
    /// The peak, if it can be reset.
    peak: Option<File>,
    /// The limit, in version 2. In version 1 the sandbox's limit is the run's.
    limit: Option<File>,
    /// The folder, if a process can begin in the cgroup.
    folder: Option<File>,
}

impl RunCgroup {
    /// The run's cgroup below the sandbox's, if the host has made one.
    pub(crate) fn open(sandboxes: &Path) -> Option<Self> {
        let folder = sandboxes.join(RUN_CGROUP);
        let open = |name| File::options().read(true).write(true).open(folder.join(name)).ok();
        let mut listed = OpenOptions::new();
        listed.read(true).custom_flags(libc::O_DIRECTORY);
        Some(Self {
            processes: open("cgroup.procs")?,
            peak: PEAKS.into_iter().find_map(open),
            limit: open("memory.max"),
            folder: listed.open(&folder).ok(),
        })
    }

    /// Finds out whether a process can begin in the cgroup. Version 1, an older kernel, or missing
    /// rights do not allow it.
    pub(crate) fn tried(mut self) -> Self {
        let begins = self.folder.as_ref().is_some_and(|folder| {
            let mut stack = vec![0; TRIAL_STACK_BYTES];
            // SAFETY: `_exit` does not return. The child has a copy of the memory.
            let child = Box::new(|| unsafe { libc::_exit(0) });
            // SAFETY: as above.
            let tried =
                unsafe { clone_into(folder.as_fd(), CloneFlags::empty(), &mut stack, child) };
            tried.is_ok_and(|pid| matches!(waitpid(pid, None), Ok(WaitStatus::Exited(_, 0))))
        });
        self.folder = self.folder.filter(|_| begins);
        self
    }

    /// Limits the runs that follow. Outputs count as memory, but not as the program's.
    pub(crate) fn limit(&self, limits: &Limits) -> Result<()> {
        let outputs = limits.file_bytes.saturating_mul(OUTPUTS);
        let bytes = limits.resident_bytes.saturating_add(HELD_SLACK_BYTES).saturating_add(outputs);
        let set = |file: &File| file.write_all_at(bytes.to_string().as_bytes(), 0);
        self.limit.as_ref().map_or(Ok(()), set).stage("limit the run's cgroup")
    }

    /// The cgroup's folder, if a process can begin in it.
    pub(crate) fn folder(&self) -> Option<&File> {
        self.folder.as_ref()
    }

    /// Moves this process in, unless it has begun there.
    pub(crate) fn enter(&self) -> Result<()> {
        match self.folder {
            Some(_) => Ok(()),
            None => self.processes.write_all_at(b"0", 0).stage("enter the run's cgroup"),
        }
    }
}

/// In version 2, moves the launcher and the sandbox's pid 1 out of the sandbox's cgroup, because a
/// cgroup with processes cannot hand controllers on. Before that, the new cgroup namespace must
/// have begun in the sandbox's cgroup: its processes may move only below its root.
pub(crate) fn part(enter: &Enter, child: Pid) -> Result<()> {
    let Some((2, path)) = &enter.cgroup else {
        return Ok(());
    };
    let folder = Path::new(path);
    let parted = || -> io::Result<()> {
        let members = folder.join(RUNNER_CGROUP).join("cgroup.procs");
        fs::write(&members, child.to_string())?;
        fs::write(&members, "0")?;
        fs::write(folder.join("cgroup.subtree_control"), "+memory +pids")?;
        // The runner may put processes into the run's cgroup.
        for folder in [folder.to_owned(), folder.join(RUN_CGROUP)] {
            chown(folder.join("cgroup.procs"), enter.first_id, enter.first_id)?;
        }
        Ok(())
    };
    parted().stage("divide the cgroup")
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
    /// The run has a cgroup of its own, with this exact peak.
    Own(&'a File),
    /// The run is in the sandbox's cgroup, which held `before` bytes before it.
    Sandbox { held: File, before: u64 },
}

impl<'a> Account<'a> {
    /// Opens the account of a run that has not begun; `None` without a memory cgroup. An own peak
    /// begins at what the last run has left in caches.
    pub(crate) fn open(own: Option<&'a RunCgroup>, outputs: [File; 2]) -> Result<Option<Self>> {
        let counter = if let Some(peak) = own.and_then(|own| own.peak.as_ref()) {
            peak.write_all_at(b"0", 0).stage("reset the cgroup's peak")?;
            Some(Counter::Own(peak))
        } else {
            let held = HELD.iter().find_map(|path| File::open(path).ok());
            held.and_then(|held| Some(Counter::Sandbox { before: number(&held)?, held }))
        };
        Ok(counter.map(|counter| Self { counter, outputs, most: 0 }))
    }

    /// Reads the account. Returns the most that the run has held so far, in bytes.
    pub(crate) fn peak(&mut self) -> Option<u64> {
        let counted = match &self.counter {
            Counter::Own(peak) => number(peak)?,
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
