//! The verdict on one run of the program, from evidence alone.

use crate::job::RunLimits;
use crate::limits::{FILE_BYTES, MIB};
use runner_protocol::{Binary, Breach, Ending, Execution, Written};

/// How a run of the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Outcome {
    /// It exited with 0 inside its limits.
    Ok,
    /// It met the time limit.
    TimeLimit,
    /// It met the memory limit, and there is evidence of it.
    MemoryLimit,
    /// It wrote more to one file than it may.
    OutputLimit,
    /// It ended by a signal of its own or with another exit code than 0.
    RuntimeError,
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
        }
    }
}

/// Who ended the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KilledBy {
    /// It exited, or a signal of its own doing ended it.
    Itself,
    /// The runner's timer or sampler.
    Profiler,
    /// The kernel, out of memory in the sandbox's cgroup.
    KernelOom,
    /// The kernel, at a resource limit.
    KernelRlimit,
}

/// The limit that was met.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct MetLimit {
    /// `time`, `wall`, `cpu`, `memory` or `output`.
    pub name: &'static str,
    /// The limit's value.
    pub limit: f64,
    /// The value that met it.
    pub met: f64,
    /// Of both: `ms` or `MiB`.
    pub unit: &'static str,
    /// How the breach was seen: `timer`, `rlimit`, `oom_kill`, `peak_rss`, `p_memsz`, `polled`, `file_size`.
    pub method: &'static str,
}

/// What an outcome rests on.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Evidence {
    /// The limit that was met, if one was.
    pub met: Option<MetLimit>,
    /// Who ended the program.
    pub killed_by: KilledBy,
    /// The signal that ended it.
    pub signal: Option<&'static str>,
    /// Its exit code.
    pub exit_code: Option<i32>,
    /// What probably lies behind it: `stack` or `bad_alloc`.
    pub hint: Option<&'static str>,
}

/// An outcome and what it rests on.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Verdict {
    /// How the run ended.
    pub outcome: Outcome,
    /// Why.
    pub evidence: Evidence,
}

/// The name of a signal: `SIGSEGV`.
pub fn signal_name(number: i32) -> &'static str {
    nix::sys::signal::Signal::try_from(number).map_or("SIGRT", nix::sys::signal::Signal::as_str)
}
