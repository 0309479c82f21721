//! The verdict on one run of the program, from evidence alone.

use crate::limits::{FILE_BYTES, RunLimits, STACK_BYTES};
use crate::measure::{RuntimeClock, mib, runtime_ns};
use nix::sys::signal::Signal;
use runner_protocol::{Binary, Breach, Ending, Execution};
use std::time::Duration;

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
    /// The interactor did not accept what it said.
    ProtocolError,
    /// The interactor crashed or met a limit of its own, so nothing can be said of the program.
    InteractorFailed,
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
    /// What probably lies behind it: `stack`, `bad_alloc` or `silence`.
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

impl Verdict {
    /// The verdict on one run: `execution`'s evidence against the limits. `stderr` is what the
    /// program says of itself, good for a hint and nothing more.
    pub fn of(execution: &Execution, limits: &RunLimits, stderr: &[u8]) -> Self {
        let met = memory(execution, limits)
            .or_else(|| output(execution))
            .or_else(|| time(execution, limits));
        let outcome = match (&met, execution.ending) {
            (Some((outcome, _)), _) => *outcome,
            (None, Ending::Exited(0)) => Outcome::Ok,
            (None, _) => Outcome::RuntimeError,
        };
        let signal = match execution.ending {
            Ending::Signaled(number) => Some(signal_name(number)),
            _ => None,
        };
        let exit_code = match execution.ending {
            Ending::Exited(code) => Some(code),
            _ => None,
        };
        let hint = (outcome == Outcome::RuntimeError).then(|| hint(execution, stderr)).flatten();
        let met = met.map(|(_, met)| met);
        let killed_by = killed_by(execution, signal, met.as_ref());
        Self { outcome, evidence: Evidence { met, killed_by, signal, exit_code, hint } }
    }

    /// The verdict on a program whose segments alone do not fit, and which is therefore not started:
    /// exec would kill it by a SIGSEGV that looks like its own.
    pub fn of_binary(binary: Binary, limits: &RunLimits) -> Option<Self> {
        (binary.segment_bytes > limits.memory_bytes).then(|| Self {
            outcome: Outcome::MemoryLimit,
            evidence: Evidence {
                met: Some(memory_met(binary.segment_bytes, limits, "p_memsz")),
                killed_by: KilledBy::Profiler,
                signal: None,
                exit_code: None,
                hint: None,
            },
        })
    }
}

fn memory(execution: &Execution, limits: &RunLimits) -> Option<(Outcome, MetLimit)> {
    let peak = execution.sample.peak_rss_bytes;
    let (bytes, method) = match execution.ending {
        // The kernel kills because all of the sandbox's memory together met the limit, whatever the
        // peak of the one process that is measured.
        _ if execution.oom_kills > 0 => (peak.max(limits.memory_bytes), "oom_kill"),
        Ending::Stopped(Breach::Resident(sampled)) => (sampled, "polled"),
        _ if peak > limits.memory_bytes => (peak, "peak_rss"),
        _ => return None,
    };
    Some((Outcome::MemoryLimit, memory_met(bytes, limits, method)))
}

fn memory_met(bytes: u64, limits: &RunLimits, method: &'static str) -> MetLimit {
    let [limit, met] = [limits.memory_bytes, bytes].map(mib);
    MetLimit { name: "memory", limit, met, unit: "MiB", method }
}

fn output(execution: &Execution) -> Option<(Outcome, MetLimit)> {
    let method = match execution.ending {
        _ if execution.output_full => "file_size",
        Ending::Signaled(number) if number == Signal::SIGXFSZ as i32 => "rlimit",
        _ => return None,
    };
    let limit = mib(FILE_BYTES);
    let met = MetLimit { name: "output", limit, met: limit, unit: "MiB", method };
    Some((Outcome::OutputLimit, met))
}

/// By how much less than at its limit a process may seem to have used: its set-up is not counted.
const CPU_SLACK: Duration = Duration::from_millis(100);

fn time(execution: &Execution, limits: &RunLimits) -> Option<(Outcome, MetLimit)> {
    let sample = &execution.sample;
    let clock = limits.clock.unwrap_or(RuntimeClock::Unloaded);
    let headline = Duration::from_nanos(runtime_ns(sample, clock).unwrap_or(sample.wall_ns));
    let cpu = Duration::from_nanos(sample.cpu_ns.unwrap_or(0));
    // First the one, and a second later the other. A program can send itself both.
    let at_cpu_limit = [Signal::SIGXCPU, Signal::SIGKILL]
        .iter()
        .any(|&signal| execution.ending == Ending::Signaled(signal as i32));
    let (name, limit, met, method) = match execution.ending {
        Ending::Stopped(Breach::Wall(ns)) => {
            ("wall", limits.wall_stop(), Duration::from_nanos(ns), "timer")
        }
        Ending::Stopped(Breach::Time(ns)) => {
            ("time", limits.timeout, Duration::from_nanos(ns), "timer")
        }
        _ if at_cpu_limit && cpu + CPU_SLACK >= limits.cpu() => {
            ("cpu", limits.cpu(), cpu, "rlimit")
        }
        // It ended by itself, a moment before the timer saw it.
        _ if headline > limits.timeout => ("time", limits.timeout, headline, "timer"),
        _ => return None,
    };
    let [limit, met] = [limit, met].map(|time| time.as_secs_f64() * 1000.0);
    Some((Outcome::TimeLimit, MetLimit { name, limit, met, unit: "ms", method }))
}

fn killed_by(execution: &Execution, signal: Option<&str>, met: Option<&MetLimit>) -> KilledBy {
    match (execution.ending, signal) {
        (Ending::Stopped(_), _) => KilledBy::Profiler,
        (_, Some("SIGKILL")) if execution.oom_kills > 0 => KilledBy::KernelOom,
        (_, Some("SIGXFSZ")) => KilledBy::KernelRlimit,
        // SIGXCPU, or the SIGKILL that follows a second later.
        (_, Some(_)) if met.is_some_and(|met| met.method == "rlimit") => KilledBy::KernelRlimit,
        _ => KilledBy::Itself,
    }
}

/// Endless recursion has touched the whole stack when it dies; a C++ program that dies of a refused
/// allocation says so.
fn hint(execution: &Execution, stderr: &[u8]) -> Option<&'static str> {
    const BAD_ALLOC: &[u8] = b"std::bad_alloc";
    match execution.ending {
        Ending::Signaled(n) if n == Signal::SIGSEGV as i32 => {
            (execution.sample.peak_rss_bytes >= STACK_BYTES).then_some("stack")
        }
        Ending::Signaled(n) if n == Signal::SIGABRT as i32 => {
            stderr.windows(BAD_ALLOC.len()).any(|w| w == BAD_ALLOC).then_some("bad_alloc")
        }
        _ => None,
    }
}

/// The name of a signal: `SIGSEGV`.
pub fn signal_name(number: i32) -> &'static str {
    Signal::try_from(number).map_or("SIGRT", Signal::as_str)
}

/// How a process ended, in a few words.
pub(crate) fn ending_name(ending: Ending) -> String {
    match ending {
        Ending::Exited(code) => format!("exit code {code}"),
        Ending::Signaled(number) => signal_name(number).into(),
        Ending::Stopped(Breach::Time(_) | Breach::Wall(_)) => "stopped at its time limit".into(),
        Ending::Stopped(Breach::Resident(_)) => "stopped at its memory limit".into(),
    }
}

#[cfg(test)]
mod tests;
