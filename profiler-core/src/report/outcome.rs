//! Outcome of a run of the program.

use nix::sys::signal::Signal;
use runner_protocol::{Breach, Ending};

/// Outcome of a run of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Outcome {
    /// The program exited with 0 within its limits.
    Ok,
    /// The program exceeded the time limit.
    TimeLimit,
    /// The program exceeded the memory limit, and there is evidence for that.
    MemoryLimit,
    /// The program wrote a file that was too large.
    OutputLimit,
    /// A signal that the program caused ended it, or its exit code was not 0.
    RuntimeError,
    /// The interactor rejected the program's output.
    ProtocolError,
    /// The interactor crashed or exceeded its own limit, so the result says nothing about the
    /// program.
    InteractorFailed,
    /// The size was left out, because two smaller ones in a row exceeded a limit, or because the
    /// program was not fed what it reads.
    NotRun,
}

impl Outcome {
    /// The name in tables and in `hotspots["_crash"]`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::TimeLimit => "TIME_LIMIT",
            Self::MemoryLimit => "MEMORY_LIMIT",
            Self::OutputLimit => "OUTPUT_LIMIT",
            Self::RuntimeError => "RUNTIME_ERROR",
            Self::ProtocolError => "PROTOCOL_ERROR",
            Self::InteractorFailed => "INTERACTOR_FAILED",
            Self::NotRun => "NOT_RUN",
        }
    }

    /// Whether a limit ended the program. A larger size would meet the limit too.
    pub(crate) fn is_limit(self) -> bool {
        matches!(self, Self::TimeLimit | Self::MemoryLimit | Self::OutputLimit)
    }
}

/// The name of a signal: `SIGSEGV`.
pub fn signal_name(number: i32) -> &'static str {
    Signal::try_from(number).map_or("SIGRT", Signal::as_str)
}

/// Describes the end of a process, as text for a message.
pub(crate) fn ending_name(ending: Ending) -> String {
    match ending {
        Ending::Exited(code) => format!("exit code {code}"),
        Ending::Signaled(number) => signal_name(number).into(),
        Ending::Stopped(Breach::Time(_) | Breach::Wall(_)) => "stopped at its time limit".into(),
        Ending::Stopped(Breach::Resident(_)) => "stopped at its memory limit".into(),
    }
}
