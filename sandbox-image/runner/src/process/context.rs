//! Shared context of all measured processes, made once.

use crate::confine::confinement::Confinement;
use crate::confine::run_cgroup::RunCgroup;
use crate::sys::facts::{OomCounter, Schedule};
use crate::sys::fault::Result;
use nix::sys::resource::{UsageWho, getrusage};
use std::cell::RefCell;
use std::fs::File;

/// The stack of a child until exec, in bytes. It is large enough to be a mapping of its own: the
/// kernel zeroes its pages, and only touched pages are resident.
const STACK_BYTES: usize = 256 << 10;

/// Shared context of all measured processes.
pub(crate) struct ProcessContext {
    /// The count of OOM kills in the sandbox's cgroup.
    pub(crate) oom: OomCounter,
    /// The cgroup of one run at a time.
    pub(crate) run_cgroup: Option<RunCgroup>,
    pub(crate) confinement: Confinement,
    /// The stack of children until exec.
    pub(crate) stack: RefCell<Vec<u8>>,
    /// This process's own `schedstat`, if the kernel has it.
    schedule: Option<File>,
}

/// How often this process has slept, and how long it has waited for a processor.
pub(crate) struct Slept {
    pub(crate) schedule: Schedule,
    pub(crate) voluntary_switches: i64,
}

impl ProcessContext {
    pub(crate) fn prepare(run_cgroup: Option<RunCgroup>) -> Result<Self> {
        let oom = OomCounter::find();
        let confinement = Confinement::prepare(oom.version().is_some())?;
        Ok(Self {
            oom,
            run_cgroup: run_cgroup.map(RunCgroup::tried),
            confinement,
            stack: RefCell::new(vec![0; STACK_BYTES]),
            schedule: Schedule::own_file().ok(),
        })
    }

    /// The cgroup of a timed run: one that it can begin in.
    pub(crate) fn timed_cgroup(&self) -> Option<&RunCgroup> {
        self.run_cgroup.as_ref().filter(|cgroup| cgroup.folder().is_some())
    }

    pub(crate) fn slept(&self) -> Option<Slept> {
        let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
        let schedule = Schedule::read(self.schedule.as_ref()?)?;
        Some(Slept { schedule, voluntary_switches: usage.voluntary_context_switches() })
    }
}
