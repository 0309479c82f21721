//! Generates an input in the sandbox, in a process that ends before the program starts. The host
//! has put the generator there. The generator is confined like a program, because the recipe comes
//! from a caller.

use crate::process::outputs;
use crate::process::run_program::run_program;
use crate::process::runner::Runner;
use crate::process::spec::{PROGRAM_NAME, Place, Scratch, Spec};
use crate::sys::fault::Result;
use crate::sys::files::{self, WorkFile};
use runner_protocol::{Generate, Generated, MAX_STDERR_TAIL_BYTES};

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
    let (execution, bytes) =
        run_program(runner, &spec, &place, &request.limits, |_| WorkFile::PUT_INPUT.length())?;
    let stderr_tail = outputs::tail(WorkFile::STDERR, MAX_STDERR_TAIL_BYTES)?;
    Ok(Generated { execution, bytes, stderr_tail })
}
