//! How the process ends: its exit code, and its message if there is no result.

use profiler_core::error::{SandboxFault, Violation};
use profiler_export::{Ending, readable};
use profiler_proto::Word;
use profiler_proto::v1::{ErrorCode, SandboxError};
use profiler_server::BindError;
use profiler_server::config::ConfigError;
use profiler_server::store::OpenError;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// There is a result.
    Done,
    /// The run ended early, with a `SandboxError`.
    SandboxError,
    /// The second of two programs is slower.
    Slower,
    /// Wrong options or files.
    BadInput,
    /// Internal error, or a fault of the host.
    Fault,
    /// A comparison without a verdict.
    CannotTell,
}

impl From<&Ending> for Exit {
    fn from(ending: &Ending) -> Self {
        match ending {
            Ending::Report(_) => Self::Done,
            Ending::Error(_) => Self::SandboxError,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::SandboxError | Exit::Slower => 1,
            Exit::BadInput => 2,
            Exit::Fault => 3,
            Exit::CannotTell => 4,
        })
    }
}

/// Why there is no result. Each message names what is wrong and what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("cannot read {path}: {cause}", path = .path.display())]
    Unreadable { path: PathBuf, cause: std::io::Error },
    #[error("{path}: {cause}", path = .path.display())]
    Profile { path: PathBuf, cause: profiler_perun::Error },
    #[error("{}", Lines(.0))]
    Arguments(Vec<Violation>),
    #[error("--endpoint {endpoint}: {cause}; is `swiftprof serve` running there?")]
    Unreachable { endpoint: String, cause: String },
    #[error("the server refused the job: {0}")]
    Refused(String),
    #[error("no sandbox: {0}; run `swiftprof doctor` to see what works on this host")]
    NoSandbox(#[from] SandboxFault),
    #[error("the server at {endpoint} cannot take the job now: {message}; try again later")]
    Unavailable { endpoint: String, message: String },
    #[error("{path} is not a saved report: {cause}", path = .path.display())]
    NoReport { path: PathBuf, cause: profiler_proto::json::Error },
    #[error("{}", FileViolations(.path, .faults))]
    BadReport { path: PathBuf, faults: Vec<Violation> },
    #[error("cannot compare: {name} ended early as {}: {message}", .code.word())]
    EndedEarly { name: String, code: ErrorCode, message: String },
    #[error("{0}")]
    Export(#[from] profiler_export::Error),
    #[error("settings: {0}")]
    Settings(#[from] ConfigError),
    #[error("--listen: {0}")]
    Listen(#[from] BindError),
    #[error("{0}")]
    Store(#[from] OpenError),
    #[error("stopped before the run ended")]
    Abandoned,
    #[error("cannot {step}: {cause}")]
    Broken { step: &'static str, cause: String },
}

impl Failure {
    /// One wrong argument.
    pub(crate) fn argument(name: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Arguments(vec![Violation { field: name.into(), problem: problem.into() }])
    }

    /// A run to compare ended early, so it has no report.
    pub(crate) fn ended_early(name: &impl fmt::Display, error: &SandboxError) -> Self {
        let message = readable(&error.message);
        Self::EndedEarly { name: name.to_string(), code: error.code(), message }
    }

    /// A step of this program failed.
    pub(crate) fn broken<E: fmt::Display>(step: &'static str) -> impl FnOnce(E) -> Self {
        move |cause| Self::Broken { step, cause: cause.to_string() }
    }

    /// The exit code of the failure.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::EndedEarly { code: ErrorCode::Internal, .. } => Exit::Fault,
            Self::Unreadable { .. }
            | Self::Profile { .. }
            | Self::Arguments(_)
            | Self::Unreachable { .. }
            | Self::Refused(_)
            | Self::NoReport { .. }
            | Self::BadReport { .. }
            | Self::EndedEarly { .. }
            | Self::Settings(_)
            | Self::Listen(_)
            | Self::Store(_) => Exit::BadInput,
            Self::Abandoned => Exit::SandboxError,
            Self::Export(error) => match error {
                profiler_export::Error::Lacks { .. } | profiler_export::Error::Unspecified => {
                    Exit::BadInput
                }
                _ => Exit::Fault,
            },
            Self::NoSandbox(_) | Self::Unavailable { .. } | Self::Broken { .. } => Exit::Fault,
        }
    }
}

struct FileViolations<'a>(&'a Path, &'a [Violation]);

impl fmt::Display for FileViolations<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(path, violations) = self;
        for (at, violation) in violations.iter().enumerate() {
            let end = if at + 1 < violations.len() { "\n" } else { "" };
            write!(f, "{}: {violation}{end}", path.display())?;
        }
        Ok(())
    }
}

struct Lines<'a>(&'a [Violation]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, violation) in self.0.iter().enumerate() {
            let end = if at + 1 < self.0.len() { "\n" } else { "" };
            write!(f, "{violation}{end}")?;
        }
        Ok(())
    }
}
