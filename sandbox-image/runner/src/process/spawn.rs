//! Prepares a child between clone and exec: its root, user, limits, Landlock rules and seccomp
//! filter, and the beginning of its interval.
//!
//! ```text
//! runner                       child, in the runner's memory
//!   clone ------------------>  set-up: files, root, processor, limits, user, Landlock, seccomp
//!   is suspended               notes the clocks
//!   <------------------------  exec: memory of its own
//! ```
//!
//! The child borrows the runner's memory until exec, as with vfork(2). Nothing is copied, the
//! set-up takes half the time, and the child needs no channel to report the clocks or a failure. It
//! also borrows the runner's table of files until it has opened its `schedstat`, which both read.
//!
//! If the kernel refuses to execute a file, that is the program's own failure, as in a shell. The
//! child reports the reason on its stderr and exits with [`NOT_EXECUTED`].

use crate::confine::landlock::Role;
use crate::confine::program_root;
use crate::confine::run_cgroup::RunCgroup;
use crate::process::context::{ProcessContext, own_table};
use crate::process::exec_args::ExecArgs;
use crate::process::spec::{Place, RESULT, Spec};
use crate::process::tracer;
use crate::sys::clone_into::clone_into;
use crate::sys::facts::{Reading, Schedule, nanoseconds, now, process_cpu};
use crate::sys::fault::{Fault, Result, Stage};
use crate::sys::wait::Usage;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sched::{CloneFlags, CpuSet, clone, sched_getcpu, sched_setaffinity};
use nix::sys::personality::{self, Persona};
use nix::sys::signal::{SigHandler, Signal, signal};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{self, Pid};
use runner_protocol::SCRATCH_DIR;
use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::rc::Rc;

/// Stands for the calling process.
pub(crate) const ITSELF: Pid = Pid::from_raw(0);
/// The exit code of a child whose file cannot be executed, as in shells.
const NOT_EXECUTED: i32 = 127;

/// A child that has called exec, or that ended because its file could not be executed.
#[derive(Debug, Clone)]
pub(crate) struct Child {
    pub(crate) pid: Pid,
    /// The clocks just before exec.
    pub(crate) begin: Reading,
    /// Resources that its set-up has used.
    pub(crate) used: Usage,
    /// Its `schedstat`, if it has opened that file in the runner's table. For the runner, opening
    /// it takes the kernel 30 µs.
    pub(crate) schedule: Option<Rc<File>>,
}

pub(crate) enum Started {
    Running(Child),
    /// A signal ended it during its set-up, before any code of the program ran. For example, the
    /// program's earlier processes may have left it no memory. This is the child's ending, not a
    /// fault.
    Killed(i32),
}

impl Started {
    /// The child's process id, if the child was not killed.
    pub(crate) fn pid(&self) -> Option<Pid> {
        match self {
            Self::Running(child) => Some(child.pid),
            Self::Killed(_) => None,
        }
    }
}

/// Starts a child. When this returns, the child is in exec, with memory of its own.
pub(crate) fn spawn(
    context: &ProcessContext,
    spec: &Spec<'_>,
    place: &Place<'_>,
) -> Result<Started> {
    let arguments = ExecArgs::new(spec)?;
    let borrows = CloneFlags::CLONE_VM | CloneFlags::CLONE_VFORK;
    let flags = match spec.notify {
        None if context.unshares_files => borrows | CloneFlags::CLONE_FILES,
        None => borrows,
        Some(_) => CloneFlags::empty(),
    };
    let (mut noted, mut schedule) = (None, None);
    let in_child = Box::new(|| {
        schedule = Schedule::own_file().ok();
        let ready = set_up(context, spec, place).and_then(|()| note(schedule.as_ref()));
        let is_ready = ready.is_ok();
        noted = Some(ready);
        if is_ready && let Err(fault) = arguments.exec() {
            noted = Some(Err(fault));
        }
        // SAFETY: `_exit` ends the process without running the parent's atexit handlers.
        unsafe { libc::_exit(NOT_EXECUTED) }
    });
    let mut stack = context.stack.borrow_mut();
    context.oom_score.raise()?;
    if let Some(core) = spec.core.filter(|_| flags.contains(CloneFlags::CLONE_VFORK)) {
        lead_to(core);
    }
    // SAFETY: this process has one thread, which is suspended until the child has left its memory.
    // So the child has the memory to itself, or has a copy. It has a stack of its own and never
    // returns.
    let pid = unsafe {
        match place.cgroup.and_then(RunCgroup::folder) {
            Some(folder) => clone_into(folder.as_fd(), flags, &mut stack, in_child),
            None => clone(in_child, &mut stack, flags, Some(libc::SIGCHLD)),
        }
    }
    .stage("clone");
    // The child sets back the runner's score and processors. If its set-up has failed, or it never
    // came to it, this process does. A child with a copy of the memory has noted nothing here; to
    // set both back twice does no harm.
    if !matches!(noted, Some(Ok(_))) {
        context.oom_score.set_back()?;
        set_affinity(ITSELF, &context.cores.get())?;
    }
    let pid = pid?;
    if spec.notify.is_some() {
        noted = Some(note(Schedule::own_file().ok().as_ref()));
    }
    // Without a shared table, the number names another file here, or none.
    if !flags.contains(CloneFlags::CLONE_FILES) {
        std::mem::forget(schedule.take());
    }
    match noted {
        Some(Ok((begin, used))) => {
            Ok(Started::Running(Child { pid, begin, used, schedule: schedule.map(Rc::new) }))
        }
        Some(Err(fault)) => {
            waitpid(pid, None).stage("reap a child")?;
            Err(fault)
        }
        None => match waitpid(pid, None).stage("reap a child")? {
            WaitStatus::Signaled(_, signal, _) => Ok(Started::Killed(signal as i32)),
            ended => Err(Fault::new("start a program", format!("{ended:?}"))),
        },
    }
}

fn set_up(context: &ProcessContext, spec: &Spec<'_>, place: &Place<'_>) -> Result<()> {
    context.oom_score.set_back()?;
    if let Some(core) = spec.core {
        pin(&[core])?;
        // The runner may have been led there. While it is suspended, this moves nothing.
        set_affinity(unistd::getppid(), &context.cores.get())?;
    }
    unistd::setsid().stage("setsid")?;
    leave_files(context)?;
    if let Some([stdin, stdout, stderr]) = &place.stdio {
        unistd::dup2_stdin(stdin).stage("stdin")?;
        unistd::dup2_stdout(stdout).stage("stdout")?;
        unistd::dup2_stderr(stderr).stage("stderr")?;
    }
    if let Some(result) = &place.result {
        hand_over(result)?;
    }
    for kept in &place.kept {
        fcntl(kept, FcntlArg::F_SETFD(FdFlag::empty())).stage("keep a descriptor open")?;
    }
    // The runner ignores SIGPIPE, as every Rust program does, and exec would keep that; a program
    // gets the default. An interactor keeps ignoring SIGPIPE: whether the program still exists at
    // the interactor's last message is chance, and must not end the interactor.
    let action =
        if spec.role == Role::Interactor { SigHandler::SigIgn } else { SigHandler::SigDfl };
    // SAFETY: neither action runs code of ours.
    unsafe { signal(Signal::SIGPIPE, action) }.stage("reset SIGPIPE")?;
    let folder = spec.limits.map(|_| SCRATCH_DIR);
    match context.program_root.filter(|_| !spec.role.is_of_toolchain()) {
        Some(root) => program_root::enter(root, folder.unwrap_or("/"))?,
        None => folder.map_or(Ok(()), unistd::chdir).stage("enter scratch")?,
    }
    if let Some(cgroup) = place.cgroup {
        cgroup.enter()?;
    }
    if spec.is_at_random {
        personality::set(Persona::empty()).stage("switch on address randomisation")?;
    }
    if let Some(limits) = spec.limits {
        if spec.is_traced {
            tracer::accept();
        }
        context.confinement.confine(limits, spec.role, spec.notify, spec.files)?;
    }
    Ok(())
}

/// Reads the clocks and the resources that the set-up has used.
fn note(schedule: Option<&File>) -> Result<(Reading, Usage)> {
    let used = Usage::of_self().stage("getrusage")?;
    let delay_ns = schedule.and_then(Schedule::read).map(|schedule| schedule.delay_ns);
    let cpu_ns = process_cpu(ITSELF);
    Ok((Reading { clock_ns: nanoseconds(now()), cpu_ns, delay_ns }, used))
}

/// Leaves the runner's table of files. On kernels that cannot do this, the table is not shared, and
/// all our descriptors are `O_CLOEXEC` anyway.
fn leave_files(context: &ProcessContext) -> Result<()> {
    let left = own_table();
    if context.unshares_files { left.stage("leave the runner's files") } else { Ok(()) }
}

/// Restricts this process, and all that it starts from now on, to these processors.
pub(crate) fn pin(cores: &[u32]) -> Result<CpuSet> {
    let mut set = CpuSet::new();
    for &core in cores {
        set.set(core as usize).stage("choose a processor")?;
    }
    set_affinity(ITSELF, &set)?;
    Ok(set)
}

pub(crate) fn set_affinity(of: Pid, cores: &CpuSet) -> Result<()> {
    sched_setaffinity(of, cores).stage("keep to a processor")
}

/// Allows this process also the child's processor. If that is idle, the kernel starts the child
/// there. Otherwise the child begins on this processor, and to move it takes the kernel as long as
/// 20 other calls. This process itself stays where it is: it runs, and then is suspended.
fn lead_to(core: u32) {
    // Without the call below, the child moves.
    let _ = sched_getcpu().map(|here| u32::try_from(here).map(|here| pin(&[here, core])));
}

/// Duplicates the file's descriptor to a number above [`RESULT`], which the child may need for its
/// result.
pub(crate) fn above_result(file: impl AsFd) -> Result<OwnedFd> {
    let fd = fcntl(file, FcntlArg::F_DUPFD_CLOEXEC(RESULT + 1)).stage("duplicate a descriptor")?;
    // SAFETY: the kernel has just given this descriptor to us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Makes `result` descriptor [`RESULT`], which stays open across exec.
fn hand_over(result: &File) -> Result<()> {
    let done = match result.as_raw_fd() {
        // SAFETY: takes plain integers, and changes only what happens at exec.
        RESULT => unsafe { libc::fcntl(RESULT, libc::F_SETFD, 0) },
        // SAFETY: the child no longer uses whatever has that number.
        other => unsafe { libc::dup2(other, RESULT) },
    };
    Errno::result(done).map(drop).stage("hand over the result")
}
