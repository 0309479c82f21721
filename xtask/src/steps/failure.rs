//! Reasons why a task ends early.

use std::io;
use std::process::{ExitCode, ExitStatus};

/// A task could not go on.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A program could not be started.
    #[error("start {program}: {cause}")]
    Start {
        /// Its name.
        program: String,
        /// Cause.
        cause: io::Error,
    },
    /// A program ended with another code than 0.
    #[error("{program} ended with {status}")]
    Ended {
        /// Its command line.
        program: String,
        /// Exit status of the program.
        status: ExitStatus,
    },
    /// A file or a folder could not be used.
    #[error("{what}: {cause}")]
    File {
        /// Action and file.
        what: String,
        /// Cause.
        cause: io::Error,
    },
    /// Something is missing that cannot be installed here.
    #[error("{0}")]
    Missing(String),
    /// The program has grown.
    #[error("swiftprof has {bytes} bytes; at most {most} are handed out")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The bound.
        most: u64,
    },
    /// A step of the task failed.
    #[error("step {name:?} failed: {cause}")]
    Step {
        /// The step.
        name: String,
        /// Cause.
        cause: Box<Failure>,
    },
    /// A person said no.
    #[error("nothing was installed, as you said")]
    Declined,
    /// Rules of the house are broken.
    #[error("untidy:\n{0}")]
    Untidy(String),
    /// A source file is no Rust.
    #[error("parse {file}: {cause}")]
    Source {
        /// The file.
        file: String,
        /// Cause.
        cause: syn::Error,
    },
}

impl Failure {
    /// Wraps what went wrong with a file or a folder.
    pub fn file(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |cause| Self::File { what, cause }
    }

    /// The exit code of `program`. Prints why a task failed.
    pub fn exit_code(program: &str, done: Result<(), Self>) -> ExitCode {
        match done {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => {
                eprintln!("{program}: {failure}");
                ExitCode::FAILURE
            }
        }
    }
}
