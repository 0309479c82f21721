//! Cleans up after a run: kills everything that the program left, and empties scratch.

use crate::confine::confinement;
use crate::sys::fault::{Fault, Result, Stage};
use crate::sys::files::Kept;
use crate::sys::process_set::{self, ProcessSet};
use crate::sys::wait::{Usage, has_children, reap};
use nix::errno::Errno;
use nix::sched::sched_yield;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{self, ForkResult, Gid, Pid};
use runner_protocol::{PROGRAM_ID, SCRATCH_DIR, Sample};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Usage of the processes that a program left behind; `None` if it left none.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Leftovers(Option<Usage>);

impl Leftovers {
    fn add(&mut self, usage: Usage) {
        self.0 = Some(self.0.map_or(usage, |others| others + usage));
    }

    /// Adds the figures of these processes to the program's. Nobody waited for the processes, so no
    /// sum includes them yet.
    pub(crate) fn add_to(self, sample: &mut Sample) {
        let Self(Some(usage)) = self else { return };
        sample.concurrent = true;
        sample.cpu_ns = sample.cpu_ns.map(|ns| ns + usage.user_ns + usage.sys_ns);
        usage.add_to(sample);
    }
}

/// Kills and reaps everything in the sandbox except this process, and returns their figures. Once
/// their parents are dead, all are children of this process, which is pid 1. The kernel reaps none
/// of them by itself, because programs cannot change the action of SIGCHLD (`seccomp.rs`).
pub(crate) fn kill_everything() -> Result<Leftovers> {
    let mut left = Leftovers::default();
    // Without children, pid 1 has no descendants either, because it adopts every orphan. Signalling
    // nobody takes the kernel 25 µs.
    if !has_children() {
        return Ok(left);
    }
    let any = Pid::from_raw(-1);
    match kill(any, Signal::SIGKILL) {
        Ok(()) | Err(Errno::ESRCH) => {}
        Err(errno) => return Err(Fault::new("kill what is left", errno)),
    }
    loop {
        match reap(any) {
            Ok((_, usage)) => left.add(usage),
            Err(Errno::EINTR) => {}
            Err(Errno::ECHILD) => return Ok(left),
            Err(errno) => return Err(Fault::new("reap what is left", errno)),
        }
    }
}

/// Ends everything in the sandbox, and then this process, because the host cancels the run.
pub(crate) fn cancel() -> Result<()> {
    kill_everything()?;
    std::process::exit(0)
}

/// Kills and reaps these processes. `unreaped` stays as a zombie. They are killed in the order of
/// their ids. A process that is started in the meantime has a higher id, so the same pass still
/// reaches it.
pub(crate) fn kill_left(processes: ProcessSet, unreaped: Option<Pid>) -> Result<Leftovers> {
    let mut left = Leftovers::default();
    // Kill all before reaping any. Dead processes that are not reaped count against the limit of
    // processes, so a fork bomb cannot replace them.
    loop {
        let mut is_over = true;
        for pid in processes.pids().filter(|&pid| !process_set::is_dead(pid)) {
            // A process that is already gone needs no signal.
            let _ = kill(pid, Signal::SIGKILL);
            is_over = false;
        }
        if is_over {
            break;
        }
        sched_yield().stage("wait for the dead")?;
    }
    for pid in processes.pids().filter(|&pid| Some(pid) != unreaped) {
        match reap(pid) {
            Ok((_, usage)) => left.add(usage),
            // Its parent is the other program, and reaps it.
            Err(Errno::ECHILD) => {}
            Err(errno) => return Err(Fault::new("reap what is left", errno)),
        }
    }
    Ok(left)
}

/// Empties scratch, in a child with the owner's id. Without capabilities over files, root cannot
/// list another user's folder of mode 0.
pub(crate) fn wipe_scratch() -> Result<()> {
    if is_scratch_empty()? {
        return Ok(());
    }
    // SAFETY: this process has one thread, so the child may do whatever the parent could.
    match unsafe { unistd::fork() }.stage("fork")? {
        ForkResult::Child => {
            let wiped = become_owner().and_then(|()| wipe(Path::new(SCRATCH_DIR)));
            let errno =
                wiped.map_or_else(|error| error.raw_os_error().unwrap_or(libc::EIO), |()| 0);
            // SAFETY: `_exit` ends the process without running the parent's atexit handlers.
            unsafe { libc::_exit(errno) }
        }
        ForkResult::Parent { child } => match waitpid(child, None).stage("wipe scratch")? {
            WaitStatus::Exited(_, 0) => {}
            WaitStatus::Exited(_, errno) => {
                return Err(Fault::new("wipe scratch", Errno::from_raw(errno)));
            }
            ended => return Err(Fault::new("wipe scratch", format!("{ended:?}"))),
        },
    }
    if is_scratch_empty()? {
        Ok(())
    } else {
        Err(Fault::new("wipe scratch", "something is left in it"))
    }
}

/// The length of an empty folder of a tmpfs, in bytes. Each entry adds to it.
const EMPTY_BYTES: u64 = 40;

/// Whether scratch is empty. It is a tmpfs.
pub(crate) fn is_scratch_empty() -> Result<bool> {
    let length = Kept::get()?.scratch.metadata().stage("look at scratch")?.len();
    Ok(length == EMPTY_BYTES || fs::read_dir(SCRATCH_DIR).stage("list scratch")?.next().is_none())
}

fn become_owner() -> io::Result<()> {
    if confinement::has_own_user() {
        let (user, group) = (confinement::program_user(), Gid::from_raw(PROGRAM_ID));
        unistd::setresgid(group, group, group)?;
        unistd::setresuid(user, user, user)?;
    }
    Ok(())
}

/// Removes the content of `dir`. It changes the working folder step by step, because a path may be
/// longer than the kernel accepts.
fn wipe(dir: &Path) -> io::Result<()> {
    std::env::set_current_dir(dir)?;
    // Keep names only: an entry keeps its folder open, and the tree may be deeper than the number
    // of descriptors.
    let named = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        Ok((entry.file_name(), entry.file_type()?.is_dir()))
    };
    let entries: Vec<_> = fs::read_dir(".")?.map(named).collect::<io::Result<_>>()?;
    for (name, is_dir) in entries {
        if is_dir {
            fs::set_permissions(&name, fs::Permissions::from_mode(0o700))?;
            wipe(Path::new(&name))?;
            std::env::set_current_dir("..")?;
            fs::remove_dir(&name)?;
        } else {
            fs::remove_file(&name)?;
        }
    }
    Ok(())
}
