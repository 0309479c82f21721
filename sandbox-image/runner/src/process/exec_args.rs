//! The arguments of execve: the file, its arguments and its environment.

use crate::process::spec::Spec;
use crate::sys::fault::{Fault, Result, Stage};
use nix::errno::Errno;
use runner_protocol::SCRATCH_DIR;
use std::ffi::{CString, c_char};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::ptr;

/// The arguments of execve(2). The runner makes them, because a child shares the runner's memory
/// until exec: memory that the child allocates and does not free would leak.
pub(crate) struct ExecArgs {
    path: CString,
    argv: Strings,
    env: Strings,
}

/// Strings, and a null-terminated array of pointers to them.
struct Strings {
    _owned: Vec<CString>,
    pointers: Vec<*const c_char>,
}

impl ExecArgs {
    pub(crate) fn new(spec: &Spec<'_>) -> Result<Self> {
        Ok(Self {
            path: CString::new(spec.path.as_os_str().as_bytes()).stage("path")?,
            argv: Strings::new(spec.argv.iter().cloned())?,
            env: Strings::new(environment(&spec.env))?,
        })
    }

    /// Executes the file. Returns an error only if the machine lacks a resource. A file that cannot
    /// be executed is the program's own failure.
    pub(crate) fn exec(&self) -> Result<()> {
        let (argv, env) = (self.argv.pointers.as_ptr(), self.env.pointers.as_ptr());
        // SAFETY: all three live as long as `self`, and both arrays end with a null pointer.
        unsafe { libc::execve(self.path.as_ptr(), argv, env) };
        match Errno::last() {
            lack @ (Errno::EAGAIN | Errno::EMFILE | Errno::ENFILE | Errno::EIO) => {
                Err(Fault::new("exec", lack))
            }
            errno => {
                let _ = writeln!(io::stderr(), "{}: {}", self.path.to_string_lossy(), errno.desc());
                Ok(())
            }
        }
    }
}

impl Strings {
    fn new(texts: impl IntoIterator<Item = String>) -> Result<Self> {
        let texts = texts.into_iter().map(|text| CString::new(text).stage("argument"));
        let owned: Vec<CString> = texts.collect::<Result<_>>()?;
        let pointers = owned.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect();
        Ok(Self { _owned: owned, pointers })
    }
}

/// The environment: variables that are the same for every program (nothing from the host, a fixed
/// locale and time zone), and `more`.
fn environment(more: &[(&str, String)]) -> Vec<String> {
    let fixed = [
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("HOME", SCRATCH_DIR),
        ("TMPDIR", SCRATCH_DIR),
        ("LC_ALL", "C"),
        ("TZ", "UTC"),
    ];
    let fixed = fixed.into_iter().map(|(name, value)| format!("{name}={value}"));
    fixed.chain(more.iter().map(|(name, value)| format!("{name}={value}"))).collect()
}
