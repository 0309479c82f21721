//! Clones a process that begins in another cgroup: `CLONE_INTO_CGROUP` of clone3(2), since Linux
//! 5.7. Moving a process after its clone takes milliseconds. libc has no function for this call,
//! and a child with a stack of its own could not return from one.

use nix::Result;
use nix::errno::Errno;
use nix::sched::{CloneCb, CloneFlags};
use nix::unistd::Pid;
use std::os::fd::BorrowedFd;

/// Flags that need arguments or a signal of their own, or make a thread.
#[cfg(target_arch = "x86_64")]
const UNSUPPORTED: i32 = libc::CLONE_SETTLS
    | libc::CLONE_THREAD
    | libc::CLONE_PIDFD
    | libc::CLONE_PARENT_SETTID
    | libc::CLONE_CHILD_SETTID
    | libc::CLONE_CHILD_CLEARTID;

/// Clones this process, as `nix::sched::clone` does, into the cgroup whose folder is open as
/// `cgroup`. The child sends SIGCHLD at its end.
///
/// # Errors
/// The error of the kernel.
///
/// # Safety
/// - `child` must not return, and `stack` must be large enough for it.
/// - This process must have one thread, because a copy of the memory may contain locks that other
///   threads hold.
/// - With `CLONE_VM`, `flags` must have `CLONE_VFORK`: `child`, `stack` and the kernel's arguments
///   are this function's only until it returns. The child must do only what is sound in memory that
///   this process, which waits, uses afterwards.
/// - `flags` must have none of [`UNSUPPORTED`], whose arguments are not passed.
#[cfg(target_arch = "x86_64")]
pub(crate) unsafe fn clone_into(
    cgroup: BorrowedFd<'_>,
    flags: CloneFlags,
    stack: &mut [u8],
    mut child: CloneCb<'_>,
) -> Result<Pid> {
    use std::ffi::c_void;
    use std::os::fd::AsRawFd;

    const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;
    /// Alignment of the stack pointer that the architecture requires at a call, in bytes.
    const ALIGNMENT: usize = 16;

    extern "C" fn begin(child: *mut c_void) {
        // SAFETY: this is the pointer to the caller's `child`, which lives, or is copied with it.
        let child = unsafe { &mut *child.cast::<CloneCb<'_>>() };
        child();
    }

    let bits = flags.bits();
    debug_assert_eq!(bits & UNSUPPORTED, 0, "flags that need other arguments");
    debug_assert!(
        bits & libc::CLONE_VM == 0 || bits & libc::CLONE_VFORK != 0,
        "shared memory needs a parent that waits"
    );
    let number = |value: usize| u64::try_from(value).map_err(|_| Errno::EINVAL);
    // The child gets the stack by its address.
    let first = stack.as_mut_ptr().expose_provenance();
    let end = (first + stack.len()) / ALIGNMENT * ALIGNMENT;
    // SAFETY: `clone_args` is plain integers, for which all zeroes is a value.
    let mut arguments: libc::clone_args = unsafe { std::mem::zeroed() };
    arguments.flags = u64::from(bits.cast_unsigned()) | CLONE_INTO_CGROUP;
    arguments.exit_signal = u64::from(libc::SIGCHLD.cast_unsigned());
    arguments.stack = number(first)?;
    arguments.stack_size = number(end - first)?;
    arguments.cgroup = u64::try_from(cgroup.as_raw_fd()).map_err(|_| Errno::EBADF)?;
    let result: i64;
    // SAFETY: the kernel reads `arguments`. The child begins after `syscall`, on its own stack, and
    // never leaves `begin`. In this process the call changes the registers that are named.
    unsafe {
        std::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "mov rdi, r13",
            "call r12",
            "ud2",
            "2:",
            inlateout("rax") libc::SYS_clone3 => result,
            in("rdi") &raw const arguments,
            in("rsi") size_of::<libc::clone_args>(),
            in("r12") begin as extern "C" fn(*mut c_void),
            in("r13") (&raw mut child).cast::<c_void>(),
            lateout("rcx") _,
            lateout("r11") _,
        );
    }
    // The kernel's errors are small negative numbers.
    match i32::try_from(result) {
        Ok(pid) if pid > 0 => Ok(Pid::from_raw(pid)),
        Ok(error) => Err(Errno::from_raw(-error)),
        Err(_) => Err(Errno::EINVAL),
    }
}

/// Fails: other architectures move the process after its clone.
///
/// # Safety
/// There are no requirements: it does nothing.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) unsafe fn clone_into(
    _: BorrowedFd<'_>,
    _: CloneFlags,
    _: &mut [u8],
    _: CloneCb<'_>,
) -> Result<Pid> {
    Err(Errno::ENOSYS)
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid, waitpid};
    use std::fs::{self, File};
    use std::os::fd::AsFd;
    use std::path::PathBuf;

    const EXIT_CODE: i32 = 7;

    /// A new cgroup, which is removed at the end.
    struct Group {
        folder: PathBuf,
        name: String,
    }

    impl Drop for Group {
        fn drop(&mut self) {
            let _ = fs::remove_dir(&self.folder);
        }
    }

    /// `None` where this process can make none.
    fn cgroup() -> Option<Group> {
        let mounts = fs::read_to_string("/proc/mounts").ok()?;
        let fields = mounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let mounted = fields.filter(|fields| fields[2] == "cgroup2").map(|fields| fields[1].into());
        let name = format!("swiftprof-test-{}", std::process::id());
        mounted.map(|root: PathBuf| root.join(&name)).find_map(|folder| {
            fs::create_dir(&folder).ok()?;
            Some(Group { folder, name: name.clone() })
        })
    }

    #[test]
    fn child_begins_in_the_cgroup() {
        let Some(Group { folder, name }) = &cgroup() else {
            eprintln!("skipped: no cgroup of version 2 can be made here");
            return;
        };
        for flags in [CloneFlags::empty(), CloneFlags::CLONE_VM | CloneFlags::CLONE_VFORK] {
            let mut stack = vec![0; 64 << 10];
            // SAFETY: `_exit` does not return.
            let child = Box::new(|| unsafe { libc::_exit(EXIT_CODE) });
            let open = File::open(folder).unwrap();
            // SAFETY: the child only exits.
            let cloned = unsafe { clone_into(open.as_fd(), flags, &mut stack, child) };
            let pid = cloned.unwrap();
            waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT).unwrap();
            let of_zombie = fs::read_to_string(format!("/proc/{pid}/cgroup")).unwrap();
            assert_eq!(waitpid(pid, None), Ok(WaitStatus::Exited(pid, EXIT_CODE)));
            assert!(of_zombie.lines().any(|line| line.starts_with("0::") && line.ends_with(name)));
        }
    }

    #[test]
    fn folder_of_another_kind_is_refused() {
        let folder = File::open("/").unwrap();
        // SAFETY: `_exit` does not return.
        let child = Box::new(|| unsafe { libc::_exit(EXIT_CODE) });
        // SAFETY: no child is made.
        let cloned =
            unsafe { clone_into(folder.as_fd(), CloneFlags::empty(), &mut [0; 4096], child) };
        assert_eq!(cloned, Err(Errno::EBADF));
    }
}
