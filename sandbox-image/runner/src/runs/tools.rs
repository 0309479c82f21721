//! Runs tools of binutils. A tool reads the program's binary or files, so it is confined like the
//! program.

use crate::confine::landlock::Role;
use crate::process::run_program::run_program;
use crate::process::runner::Runner;
use crate::process::spec::{Place, Scratch, Spec};
use crate::sys::fault::{Result, Stage};
use crate::sys::files::{self, WorkFile};
use runner_protocol::{Ending, MAX_LISTING_BYTES, Run};
use std::fs::File;

pub(crate) const GPROF: &str = "/usr/bin/gprof";
/// Converts addresses to lines; from the same package as gprof.
pub(crate) const ADDR2LINE: &str = "/usr/bin/addr2line";

/// The arguments that ask addr2line for addresses, inlined functions and demangled names.
/// Addresses may follow.
pub(crate) fn addr2line(binary: &str) -> Vec<String> {
    ["addr2line", "-a", "-i", "-f", "-C", "-e", binary].map(String::from).into()
}

/// The output of a tool, if the tool succeeds.
pub(crate) fn output(
    runner: &Runner,
    request: &Run,
    path: &str,
    argv: Vec<String>,
) -> Result<Option<Vec<u8>>> {
    let null = File::open("/dev/null").stage("open /dev/null")?;
    if !answered(runner, request, path, argv, null)? {
        return Ok(None);
    }
    let output = WorkFile::STDOUT.open()?;
    files::read_at_most(output, MAX_LISTING_BYTES).map(Some).stage("read a listing")
}

/// Runs a tool with this stdin, and returns whether the tool succeeds. The output is in
/// [`WorkFile::STDOUT`]. Scratch stays as the program left it.
pub(crate) fn answered(
    runner: &Runner,
    request: &Run,
    path: &str,
    argv: Vec<String>,
    stdin: File,
) -> Result<bool> {
    let null = File::options().read(true).write(true).open("/dev/null").stage("open /dev/null")?;
    let (path, role) = (path.into(), Role::Tool);
    let spec = Spec { path, argv, limits: Some(&request.limits), role, ..Spec::default() };
    let place = Place {
        stdio: Some([stdin, files::output(WorkFile::STDOUT)?, null]),
        scratch: Scratch::Kept,
        ..Place::default()
    };
    let (ended, ()) = run_program(runner, &spec, &place, &request.limits, |_| Ok(()))?;
    Ok(ended.ending == Ending::Exited(0))
}
