//! Sets back the counter of process ids, so that a program has the same id in every run, and cannot
//! leave a number in the counter for the next run.

use crate::sys::fault::{Result, Stage};
use crate::sys::proc_view;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// The process id of every program. Smaller ids are left for our own processes around it.
const PROGRAM: u32 = 10;

/// The counter of this pid namespace, if the kernel lets this process set it.
pub(crate) struct PidCounter(Option<File>);

impl PidCounter {
    /// Opens the counter. In a container the runner may not set it, and setting it back does
    /// nothing.
    pub(crate) fn open() -> Self {
        let open = File::options().write(true).open(proc_view::path("sys/kernel/ns_last_pid"));
        let counter = Self(open.ok());
        if counter.set_back(0).is_ok() { counter } else { Self(None) }
    }

    /// Sets the counter so that the process that starts after `ahead` others gets the id
    /// [`PROGRAM`]. No process may have that id.
    pub(crate) fn set_back(&self, ahead: u32) -> Result<()> {
        self.set(PROGRAM - 1 - ahead)
    }

    /// Sets the counter so that the next process leaves the id [`PROGRAM`] to a later one.
    pub(crate) fn pass_program(&self) -> Result<()> {
        self.set(PROGRAM)
    }

    fn set(&self, last: u32) -> Result<()> {
        let last = last.to_string();
        let set = |file: &File| file.write_all_at(last.as_bytes(), 0);
        self.0.as_ref().map_or(Ok(()), set).stage("set back the process ids")
    }
}
