//! Files of the working folder that a program opens in place of stdin and stdout.
//!
//! Each is a link to a descriptor of the program, because the program may open its input and its
//! outputs again by their descriptors, and not by their paths.

use crate::sys::fault::{Result, Stage};
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, OFlag, open};
use nix::sys::stat::Mode;
use nix::unistd::symlinkat;
use runner_protocol::{FileName, MAX_FILE_NAME_BYTES, NamedFiles};
use std::ffi::{CStr, c_int};
use std::os::fd::AsRawFd;

/// The descriptors that the links lead to, above all of the runner's.
const INPUT: (c_int, &CStr) = (200, c"/proc/self/fd/200");
const OUTPUT: (c_int, &CStr) = (201, c"/proc/self/fd/201");

/// Links the files in the current folder. With an output file, stdout leads nowhere. Allocates no
/// memory.
pub(super) fn link(files: NamedFiles) -> Result<()> {
    if let Some(name) = files.input {
        lead(&name, libc::STDIN_FILENO, INPUT)?;
    }
    if let Some(name) = files.output {
        lead(&name, libc::STDOUT_FILENO, OUTPUT)?;
        let null = open(c"/dev/null", OFlag::O_WRONLY | OFlag::O_CLOEXEC, Mode::empty());
        duplicate(null.stage("open /dev/null")?.as_raw_fd(), libc::STDOUT_FILENO)?;
    }
    Ok(())
}

/// Makes `name` a link to the file that is open as `from`.
fn lead(name: &FileName, from: c_int, (to, path): (c_int, &CStr)) -> Result<()> {
    duplicate(from, to)?;
    let mut bytes = [0; MAX_FILE_NAME_BYTES + 1];
    bytes[..name.bytes().len()].copy_from_slice(name.bytes());
    let name = CStr::from_bytes_until_nul(&bytes).stage("link a file")?;
    symlinkat(path, AT_FDCWD, name).stage("link a file")
}

fn duplicate(from: c_int, to: c_int) -> Result<()> {
    // SAFETY: takes plain integers. Nothing of this process uses the number `to`.
    Errno::result(unsafe { libc::dup2(from, to) }).map(drop).stage("duplicate a descriptor")
}
