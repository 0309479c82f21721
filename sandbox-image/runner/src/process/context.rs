//! Shared context of all measured processes, made once.

use crate::confine::confinement::Confinement;
use crate::confine::oom_counter::OomCounter;
use crate::confine::oom_score::OomScore;
use crate::confine::program_root;
use crate::confine::run_cgroup::{Counted, Divided, RunCgroup};
use crate::sys::access_times::AccessTimes;
use crate::sys::facts::Schedule;
use crate::sys::fault::{Result, Stage};
use crate::sys::wait::Usage;
use nix::errno::Errno;
use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;
use std::cell::{Cell, RefCell};
use std::ffi::c_uint;
use std::fs::File;

/// The first descriptor after stderr.
const FIRST: c_uint = 3;

/// Size of a child's stack until exec, in bytes. The stack is large enough for malloc to give it a
/// mapping of its own, whose pages the kernel zeroes, so only touched pages are resident.
const STACK_BYTES: usize = 256 << 10;

pub(crate) struct ProcessContext {
    pub(crate) oom: OomCounter,
    pub(crate) oom_score: OomScore,
    /// The memory of the sandbox's cgroup.
    pub(crate) counted: Counted,
    pub(crate) run_cgroup: Option<RunCgroup>,
    /// Reason why timed runs have no cgroup, although they should have one.
    pub(crate) no_run_cgroup: Option<String>,
    pub(crate) confinement: Confinement,
    /// The root of programs, if they have one of their own.
    pub(crate) program_root: Option<&'static str>,
    pub(crate) access_times: AccessTimes,
    /// This process's own processors.
    pub(crate) cores: Cell<CpuSet>,
    /// Whether this kernel can give a process that shares its table of files one of its own.
    pub(crate) unshares_files: bool,
    /// The stack of children until exec.
    pub(crate) stack: RefCell<Vec<u8>>,
    /// This process's own `schedstat`, if the kernel has it.
    schedule: Option<File>,
}

/// Number of times this process has slept, and the time that it has waited for a processor.
pub(crate) struct Slept {
    pub(crate) schedule: Schedule,
    pub(crate) voluntary_switches: u64,
}

impl ProcessContext {
    pub(crate) fn prepare(run_cgroup: Divided) -> Result<Self> {
        let oom = OomCounter::find();
        let program_root = program_root::find();
        let confinement = Confinement::prepare(oom.version().is_some(), program_root)?;
        let (mut run_cgroup, mut no_run_cgroup) = match run_cgroup {
            Ok(run_cgroup) => (run_cgroup, None),
            Err(why) => (None, Some(why)),
        };
        if let Some(cgroup) = &mut run_cgroup {
            no_run_cgroup = cgroup.try_out()?;
        }
        Ok(Self {
            oom,
            oom_score: OomScore::open()?,
            counted: Counted::find(),
            run_cgroup,
            no_run_cgroup,
            confinement,
            program_root,
            access_times: AccessTimes::find()?,
            cores: Cell::new(sched_getaffinity(Pid::this()).stage("look at the processors")?),
            // All descriptors that stay open at exec are handed over later.
            unshares_files: own_table().is_ok(),
            stack: RefCell::new(vec![0; STACK_BYTES]),
            schedule: Schedule::own_file().ok(),
        })
    }

    /// The cgroup of timed runs, if a process can begin in it.
    pub(crate) fn timed_cgroup(&self) -> Option<&RunCgroup> {
        self.run_cgroup.as_ref().filter(|cgroup| cgroup.folder().is_some())
    }

    pub(crate) fn slept(&self) -> Option<Slept> {
        let voluntary_switches = Usage::of_self().ok()?.sleeps;
        let schedule = Schedule::read(self.schedule.as_ref()?)?;
        Some(Slept { schedule, voluntary_switches })
    }
}

/// Gives this process a table of files of its own, in which exec closes all descriptors after
/// stderr, whatever their flags. Kernels before 5.11 cannot do this.
pub(crate) fn own_table() -> nix::Result<()> {
    let flags = libc::CLOSE_RANGE_CLOEXEC | libc::CLOSE_RANGE_UNSHARE;
    // SAFETY: takes plain integers and touches no memory.
    let done = unsafe { libc::syscall(libc::SYS_close_range, FIRST, c_uint::MAX, flags) };
    Errno::result(done).map(drop)
}
