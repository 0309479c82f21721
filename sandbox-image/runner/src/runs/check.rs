//! Runs a checker in a sandbox where the program that it judges never runs. The checker reads what
//! a hostile program wrote, and its own author may be hostile too. So it is confined like a
//! program.

use crate::process::run_program::run_program;
use crate::process::runner::Runner;
use crate::process::spec::{Place, Spec};
use crate::sys::fault::{Result, Stage};
use crate::sys::files::{self, WorkFile};
use runner_protocol::{Check, Checked, CheckedFile, MAX_CHECKER_MESSAGE_BYTES, Variant};
use std::fs::File;

/// The `argv[0]` of a checker.
const CHECKER_NAME: &str = "./checker.out";

/// Runs the checker on the files that the host has put.
pub(crate) fn check(runner: &Runner, request: &Check) -> Result<Checked> {
    let read = [CheckedFile::Input, CheckedFile::Output, CheckedFile::Answer];
    let paths = read.map(|file| files::checked(file).to_string_lossy().into_owned());
    let spec = Spec {
        path: files::binary(Variant::Plain),
        argv: [CHECKER_NAME.to_owned()].into_iter().chain(paths).collect(),
        limits: Some(&request.limits),
        ..Spec::default()
    };
    let empty = File::open("/dev/null").stage("open /dev/null")?;
    let stdio = [empty, files::output(WorkFile::STDOUT)?, files::output(WorkFile::STDERR)?];
    let place = Place { stdio: Some(stdio), ..Place::default() };
    let (execution, message) = run_program(runner, &spec, &place, &request.limits, |_| {
        files::read_at_most(WorkFile::STDERR.open()?, MAX_CHECKER_MESSAGE_BYTES)
            .stage("read a checker's message")
    })?;
    Ok(Checked { execution, message })
}
