//! Names of endings.

use nix::sys::signal::Signal;
use runner_protocol::{Breach, Ending};

/// The name of a signal: `SIGSEGV`.
pub(crate) fn signal_name(number: i32) -> &'static str {
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
