//! The files of `/proc` that tell addresses of this process.

use crate::sys;
use std::ffi::CString;
use std::mem::MaybeUninit;

/// Names of files in the folders of processes and threads.
const NAMES: [&[u8]; 13] = [
    b"auxv",
    b"map_files",
    b"maps",
    b"mem",
    b"numa_maps",
    b"pagemap",
    b"smaps",
    b"smaps_rollup",
    b"stack",
    b"stat",
    b"syscall",
    b"timers",
    b"wchan",
];
/// Maximum length of a path in `/proc` with one of these names.
const LONGEST_PATH: usize = 64;

/// Whether a descriptor that was just opened is one of these files, by whatever path.
pub(crate) fn is_hidden(descriptor: u64) -> bool {
    let mut about = MaybeUninit::<libc::statfs>::zeroed();
    // SAFETY: fills a variable that outlives the call.
    let known = unsafe { sys::call(libc::SYS_fstatfs, [descriptor, about.as_mut_ptr() as u64]) };
    // SAFETY: all-zero is a valid value.
    if sys::value(known).is_err() || unsafe { about.assume_init() }.f_type != libc::PROC_SUPER_MAGIC
    {
        return false;
    }
    let Ok(link) = CString::new(format!("/proc/self/fd/{descriptor}")) else { return true };
    let mut path = [0_u8; LONGEST_PATH];
    let arguments = [link.as_ptr() as u64, path.as_mut_ptr() as u64, path.len() as u64];
    // SAFETY: reads and fills variables that outlive the call.
    let read = sys::value(unsafe { sys::call(libc::SYS_readlink, arguments) });
    let length = read.ok().and_then(|length| usize::try_from(length).ok());
    // A link that cannot be read hides the file.
    let Some(path) = length.and_then(|length| path.get(..length)) else { return true };
    let mut parts = path.rsplit(|&byte| byte == b'/');
    let is_named = parts.next().is_some_and(|name| NAMES.contains(&name));
    // The folder of a process is a number. Other files of these names tell about the host.
    is_named && parts.any(|part| part.first().is_some_and(u8::is_ascii_digit))
}
