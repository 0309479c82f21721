//! The generator: from the recipe on its stdin to the input on its stdout. It is a program of its
//! own, for the runner's size stands in the peak of every small program.

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

/// Why there is no input.
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
    // Not through the standard library's stdout, which looks for the end of each line.
    let mut input = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    recipe.write(&mut input)?;
    Ok(())
}
