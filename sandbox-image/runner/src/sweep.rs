//! After a run: nothing of the program is alive, nothing of it lies in scratch.

use crate::confine;
use crate::fault::{At, Fault, Result};
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{self, ForkResult, Gid, Pid, Uid};
use runner_protocol::{PROGRAM_UID, SCRATCH_DIR};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Kills and reaps everything in the sandbox but this process, and returns how many there were.
/// Everything else is this process's child by then, for it is pid 1.
pub(crate) fn kill_everything() -> Result<u32> {
    let mut reaped = 0;
    match kill(Pid::from_raw(-1), Signal::SIGKILL) {
        Ok(()) | Err(Errno::ESRCH) => {}
        Err(errno) => return Err(Fault::new("kill what is left", errno)),
    }
    loop {
        match waitpid(None, None) {
            Ok(_) => reaped += 1,
            Err(Errno::EINTR) => {}
            Err(Errno::ECHILD) => return Ok(reaped),
            Err(errno) => return Err(Fault::new("reap what is left", errno)),
        }
    }
}

/// Empties scratch. Its owner does it, in a child: without capabilities over files, root cannot
/// list a folder of mode 0 that belongs to somebody else.
pub(crate) fn wipe_scratch() -> Result<()> {
    if is_empty(Path::new(SCRATCH_DIR))? {
        return Ok(());
    }
    // SAFETY: this process has one thread, so the child may do whatever the parent could.
    match unsafe { unistd::fork() }.at("fork")? {
        ForkResult::Child => {
            let wiped = become_owner().and_then(|()| wipe(Path::new(SCRATCH_DIR)));
            let errno =
                wiped.map_or_else(|error| error.raw_os_error().unwrap_or(libc::EIO), |()| 0);
            // SAFETY: `_exit` ends the process without running the parent's atexit handlers.
            unsafe { libc::_exit(errno) }
        }
        ForkResult::Parent { child } => match waitpid(child, None).at("wipe scratch")? {
            WaitStatus::Exited(_, 0) => {}
            WaitStatus::Exited(_, errno) => {
                return Err(Fault::new("wipe scratch", Errno::from_raw(errno)));
            }
            ended => return Err(Fault::new("wipe scratch", format!("{ended:?}"))),
        },
    }
    if is_empty(Path::new(SCRATCH_DIR))? {
        Ok(())
    } else {
        Err(Fault::new("wipe scratch", "something is left in it"))
    }
}

fn become_owner() -> io::Result<()> {
    if confine::has_own_user() {
        let (user, group) = (Uid::from_raw(PROGRAM_UID), Gid::from_raw(PROGRAM_UID));
        unistd::setgroups(&[])?;
        unistd::setresgid(group, group, group)?;
        unistd::setresuid(user, user, user)?;
    }
    Ok(())
}

fn is_empty(dir: &Path) -> Result<bool> {
    Ok(fs::read_dir(dir).at("list scratch")?.next().is_none())
}

/// Removes what is in `dir`. Working folder by working folder, for a path may be longer than the
/// kernel takes.
fn wipe(dir: &Path) -> io::Result<()> {
    std::env::set_current_dir(dir)?;
    // Names alone: an entry keeps its folder open, and the tree may be deeper than there are
    // descriptors.
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
