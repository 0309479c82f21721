//! Generates an input in the sandbox, in a process that ends before the program starts. The host
//! has put the generator there. The generator is confined like a program, because the recipe comes
//! from a caller. A caller's own generator is one of the builds, in a sandbox where the program
//! that reads the input never runs.

use crate::process::origin::Origin;
use crate::process::outputs::{self, FileDigest};
use crate::process::run_program::{run_beside, run_program};
use crate::process::runner::Runner;
use crate::process::spec::{PROGRAM_NAME, Place, Scratch, Spec};
use crate::sys::fault::{Result, Stage};
use crate::sys::files::{self, WorkFile};
use runner_protocol::{Execution, Generate, Generated, MAX_STDERR_TAIL_BYTES, Made, Make, Variant};
use std::fs::File;

/// Generates the input that the recipe describes. An origin lives on, unless the generator fails
/// beside it.
pub(crate) fn generate(runner: &mut Runner, request: &Generate) -> Result<Generated> {
    let generated = match &runner.origin {
        Origin::Living(origin) => generate_in(request, Scratch::Kept, |spec, place| {
            run_beside(runner, origin, spec, place, &request.limits, digest)
        })?,
        Origin::None | Origin::Refused => return generate_alone(runner, request),
    };
    if generated.execution.ending.is_success() {
        return Ok(generated);
    }
    runner.origin.end(Origin::Refused)?;
    generate_alone(runner, request)
}

fn generate_alone(runner: &Runner, request: &Generate) -> Result<Generated> {
    generate_in(request, Scratch::Emptied, |spec, place| {
        run_program(runner, spec, place, &request.limits, digest)
    })
}

fn digest(_: &Execution) -> Result<FileDigest> {
    outputs::digest(&WorkFile::PUT_INPUT.open()?)
}

/// Generates an input with `run`.
fn generate_in(
    request: &Generate,
    scratch: Scratch,
    run: impl FnOnce(&Spec<'_>, &Place<'_>) -> Result<(Execution, FileDigest)>,
) -> Result<Generated> {
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
    let place = Place { stdio: Some(stdio), scratch, ..Place::default() };
    let (execution, (bytes, sha256)) = run(&spec, &place)?;
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
