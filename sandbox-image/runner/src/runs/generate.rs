//! Generates an input in the sandbox, in a process that ends before the program starts. The host
//! has put the generator there. It is confined like a program, because the recipe comes from a
//! caller.

use crate::process::run_program::run_program;
use crate::process::runner::Runner;
use crate::process::spec::{PROGRAM_NAME, Place, Scratch, Spec};
use crate::sys::fault::{Result, Stage};
use crate::sys::files::{self, WorkFile};
use runner_protocol::{Generate, Generated, MAX_STDERR_TAIL_BYTES};

/// Generates the input that the recipe describes.
pub(crate) fn generate(runner: &Runner, request: &Generate) -> Result<Generated> {
    // Remove the previous run's output, which makes space.
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
    let (execution, (bytes, stderr_tail)) =
        run_program(runner, &spec, &place, &request.limits, |_| {
            let input = WorkFile::PUT_INPUT.path().metadata().stage("look at the input")?;
            let stderr = WorkFile::STDERR.open()?;
            let tail = files::read_at_most(stderr, MAX_STDERR_TAIL_BYTES);
            Ok((input.len(), tail.stage("read the generator's stderr")?))
        })?;
    Ok(Generated { execution, bytes, stderr_tail })
}
