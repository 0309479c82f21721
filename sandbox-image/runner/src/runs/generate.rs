//! Generates an input in the sandbox, in a process that ends before the program starts. The host
//! has put the generator there. The generator is confined like a program, because the recipe comes
//! from a caller. A caller's own generator is one of the builds, in a sandbox where the program
//! that reads the input never runs.

use crate::process::outputs;
use crate::process::run_program::run_program;
use crate::process::runner::Runner;
use crate::process::spec::{PROGRAM_NAME, Place, Scratch, Spec};
use crate::sys::fault::{Result, Stage};
use crate::sys::files::{self, WorkFile};
use runner_protocol::{Generate, Generated, MAX_STDERR_TAIL_BYTES, Made, Make, Variant};
use std::fs::File;

/// Generates the input that the recipe describes.
pub(crate) fn generate(runner: &Runner, request: &Generate) -> Result<Generated> {
    // Empty the previous run's output to make space.
    files::output(WorkFile::STDOUT)?;
    let recipe = WorkFile::RECIPE.open()?;
    let stdio = [recipe, WorkFile::PUT_INPUT.create()?, files::output(WorkFile::STDERR)?];
    let spec = Spec {
        path: files::generator(),
        argv: vec![PROGRAM_NAME.into()],
        limits: Some(&request.limits),
        ..Spec::default()
    };
    let place = Place { stdio: Some(stdio), scratch: Scratch::Emptied, ..Place::default() };
    let (execution, (bytes, sha256)) = run_program(runner, &spec, &place, &request.limits, |_| {
        outputs::digest(&WorkFile::PUT_INPUT.open()?)
    })?;
    let stderr_tail = outputs::tail(WorkFile::STDERR, MAX_STDERR_TAIL_BYTES)?;
    Ok(Generated { execution, bytes, sha256, stderr_tail })
}

/// Runs a caller's generator. Its stdout is the input.
pub(crate) fn make(runner: &Runner, request: &Make) -> Result<Made> {
    let arguments = [request.n.to_string(), request.seed.to_string()];
    let spec = Spec {
        path: files::binary(Variant::Plain),
        argv: [PROGRAM_NAME.to_owned()].into_iter().chain(arguments).collect(),
        limits: Some(&request.limits),
        ..Spec::default()
    };
    let empty = File::open("/dev/null").stage("open /dev/null")?;
    let stdio = [empty, files::output(WorkFile::STDOUT)?, files::output(WorkFile::STDERR)?];
    let place = Place { stdio: Some(stdio), ..Place::default() };
    let (execution, written) =
        run_program(runner, &spec, &place, &request.limits, |_| outputs::written(0))?;
    Ok(Made { execution, written })
}
