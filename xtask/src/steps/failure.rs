//! Reasons why a task ends early.

use std::io;
use std::process::{ExitCode, ExitStatus};

/// Reason why a task could not continue.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A program could not be started.
    #[error("start {program}: {cause}")]
    Start {
        /// Name of the program.
        program: String,
        /// Cause.
        cause: io::Error,
    },
    /// A program ended with an exit status other than 0.
    #[error("{program} ended with {status}")]
    Ended {
        /// Command line of the program.
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
    /// The program is too large to hand out.
    #[error("swiftprof has {bytes} bytes; at most {most} are handed out")]
    TooLarge {
        /// Size of the program, in bytes.
        bytes: u64,
        /// Maximum size, in bytes.
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
    /// The person at the terminal declined.
    #[error("nothing was installed, as you said")]
    Declined,
    /// Rules of the house are broken.
    #[error("untidy:\n{0}")]
    Untidy(String),
    /// A source file is not valid Rust.
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

    /// Returns the exit code of `program`. If the task failed, prints why.
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
