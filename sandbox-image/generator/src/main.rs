//! The generator: reads a recipe from stdin and writes the input to stdout. It is a separate
//! program to keep the runner small, because the runner's size is part of every small program's
//! peak.

#![forbid(unsafe_code)]

use profiler_input::Recipe;
use runner_protocol::{FrameError, decode};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::process::ExitCode;

fn main() -> ExitCode {
    match generate() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

/// Reason why no input was generated.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("read the recipe: {0}")]
    Read(#[from] FrameError),
    #[error("open the input: {0}")]
    Open(#[from] io::Error),
    #[error("write the input: {0}")]
    Write(#[from] profiler_input::Failure),
}

fn generate() -> Result<(), Failure> {
    let mut recipe = Vec::new();
    io::stdin().lock().read_to_end(&mut recipe).map_err(FrameError::Io)?;
    let recipe: Recipe = decode(&recipe)?;
    // Bypass the standard library's stdout, which searches every write for line ends.
    let mut input = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    recipe.write(&mut input)?;
    Ok(())
}
