//! Making an input next to the program, by a process that is gone before the program starts. It is ours, was
//! put there by the host, and is confined like a program: what it is told comes from a caller.

use crate::child::Spec;
use crate::fault::{At, Result};
use crate::files::{self, Own};
use crate::runner::Runner;
use crate::{measure, once, sweep};
use runner_protocol::{Generate, Generated, MAX_STDERR_TAIL_BYTES};

/// Makes the input that the recipe describes.
pub(crate) fn generate(runner: &Runner, request: &Generate) -> Result<Generated> {
    // What the run before has written makes room.
    files::output(Own::Stdout)?;
    let stdio = [Own::Recipe.open()?, Own::PutInput.create()?, files::output(Own::Stderr)?];
    let generator = files::generator();
    let spec = Spec {
        path: &generator.to_string_lossy(),
        argv: vec![once::ARGV0.into()],
        stdio: Some(stdio),
        limits: Some(&request.limits),
        ..Spec::default()
    };
    let execution = measure::run(&runner.kit, &spec, &request.limits, Some(&runner.channel))?;
    sweep::kill_everything()?;
    let bytes = Own::PutInput.path().metadata().at("look at the input")?.len();
    let stderr_tail = files::read_at_most(Own::Stderr.open()?, MAX_STDERR_TAIL_BYTES);
    Ok(Generated { execution, bytes, stderr_tail: stderr_tail.at("read a complaint")? })
}
