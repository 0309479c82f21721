//! Judges one run of the program by evidence alone.

use crate::figures::RuntimeClock;
use crate::figures::units::mib;
use crate::job::RunLimits;
use crate::limits::{FILE_BYTES, STACK_BYTES};
use crate::report::{Verdict, signal_name};
use nix::sys::signal::Signal;
use profiler_proto::v1::{DetectionMethod, Evidence, FailureHint, KilledBy, LimitKind, Outcome};
use runner_protocol::{Binary, Breach, Ending, Execution, HELD_SLACK_BYTES};
use std::time::Duration;

/// Compares `execution`'s evidence with the limits. `stderr` is the program's own claim, so it
/// serves only for a hint.
pub(crate) fn judge(execution: &Execution, limits: &RunLimits, stderr: &[u8]) -> Verdict {
    let met =
        memory(execution, limits).or_else(|| output(execution)).or_else(|| time(execution, limits));
    let (outcome, met) = match (met, execution.ending) {
        (Some(met), _) => met,
        (None, Ending::Exited(0)) => (Outcome::Ok, Evidence::default()),
        (None, _) => (Outcome::RuntimeError, Evidence::default()),
    };
    let (signal, exit_code) = match execution.ending {
        Ending::Signaled(number) => (Some(signal_name(number)), None),
        Ending::Exited(code) => (None, Some(code)),
        Ending::Stopped(_) => (None, None),
    };
    let hint = (outcome == Outcome::RuntimeError).then(|| hint(execution, stderr)).flatten();
    let evidence = Evidence {
        killed_by: killed_by(execution, signal, &met).into(),
        signal: signal.map(Into::into),
        exit_code,
        hint: hint.unwrap_or_default().into(),
        ..met
    };
    Verdict { outcome, evidence }
}

/// Returns the verdict on a program whose segments are larger than the memory limit. It is not
/// started, because exec would kill it by a SIGSEGV that looks like its own.
pub(crate) fn judge_binary(binary: Binary, limits: &RunLimits) -> Option<Verdict> {
    (binary.segment_bytes > limits.memory_bytes).then(|| Verdict {
        outcome: Outcome::MemoryLimit,
        evidence: Evidence {
            killed_by: KilledBy::Profiler.into(),
            ..memory_met(binary.segment_bytes, limits, DetectionMethod::PMemsz)
        },
    })
}

/// Makes the evidence that a limit was met, without the evidence of how the run ended.
fn met(kind: LimitKind, limit: f64, met: f64, method: DetectionMethod) -> Evidence {
    Evidence {
        limit: kind.into(),
        limit_value: Some(limit),
        met_value: Some(met),
        unit: kind.unit().into(),
        method: method.into(),
        ..Evidence::default()
    }
}

fn memory(execution: &Execution, limits: &RunLimits) -> Option<(Outcome, Evidence)> {
    let (peak, held) = (execution.sample.peak_rss_bytes, execution.sample.held_bytes);
    let (bytes, method) = match execution.ending {
        // The kernel kills once the memory of the whole sandbox meets the limit, so the peak of the
        // measured process may be small.
        _ if execution.oom_kills > 0 => (peak.max(limits.memory_bytes), DetectionMethod::OomKill),
        Ending::Stopped(Breach::Resident(sampled)) => (sampled, DetectionMethod::Polled),
        _ if peak > limits.memory_bytes => (peak, DetectionMethod::PeakRss),
        _ if held > limits.memory_bytes.saturating_add(HELD_SLACK_BYTES) => {
            (held, DetectionMethod::CgroupPeak)
        }
        _ => return None,
    };
    Some((Outcome::MemoryLimit, memory_met(bytes, limits, method)))
}

fn memory_met(bytes: u64, limits: &RunLimits, method: DetectionMethod) -> Evidence {
    met(LimitKind::Memory, mib(limits.memory_bytes), mib(bytes), method)
}

fn output(execution: &Execution) -> Option<(Outcome, Evidence)> {
    let method = match execution.ending {
        _ if execution.output_full => DetectionMethod::FileSize,
        Ending::Signaled(number) if number == Signal::SIGXFSZ as i32 => DetectionMethod::Rlimit,
        _ => return None,
    };
    let limit = mib(FILE_BYTES);
    Some((Outcome::OutputLimit, met(LimitKind::Output, limit, limit, method)))
}

/// A signal counts as the kernel's if the measured processor time is at most this much below the
/// limit, because the sample does not include the process's set-up.
const CPU_SLACK: Duration = Duration::from_millis(100);

fn time(execution: &Execution, limits: &RunLimits) -> Option<(Outcome, Evidence)> {
    let sample = &execution.sample;
    let clock = limits.clock.unwrap_or(RuntimeClock::Unloaded);
    let headline = Duration::from_nanos(sample.on(clock).unwrap_or(sample.wall_ns));
    let cpu = Duration::from_nanos(sample.cpu_ns.unwrap_or(0));
    // The kernel sends SIGXCPU, and SIGKILL a second later. A program can send either to itself.
    let at_cpu_limit = [Signal::SIGXCPU, Signal::SIGKILL]
        .iter()
        .any(|&signal| execution.ending == Ending::Signaled(signal as i32));
    let (kind, limit, taken, method) = match execution.ending {
        Ending::Stopped(Breach::Wall(ns)) => {
            (LimitKind::Wall, limits.wall_stop(), Duration::from_nanos(ns), DetectionMethod::Timer)
        }
        Ending::Stopped(Breach::Time(ns)) => {
            (LimitKind::Time, limits.timeout, Duration::from_nanos(ns), DetectionMethod::Timer)
        }
        _ if at_cpu_limit && cpu + CPU_SLACK >= limits.cpu() => {
            (LimitKind::Cpu, limits.cpu(), cpu, DetectionMethod::Rlimit)
        }
        // The program ended by itself just before the timer fired.
        _ if headline > limits.timeout => {
            (LimitKind::Time, limits.timeout, headline, DetectionMethod::Timer)
        }
        _ => return None,
    };
    let [limit, taken, grace] = [limit, taken, limits.grace].map(|it| it.as_secs_f64() * 1000.0);
    let grace = (kind == LimitKind::Time && grace > 0.0).then_some(grace);
    Some((Outcome::TimeLimit, Evidence { grace, ..met(kind, limit, taken, method) }))
}

fn killed_by(execution: &Execution, signal: Option<&str>, met: &Evidence) -> KilledBy {
    match (execution.ending, signal) {
        (Ending::Stopped(_), _) => KilledBy::Profiler,
        (_, Some("SIGKILL")) if execution.oom_kills > 0 => KilledBy::KernelOom,
        (_, Some("SIGXFSZ")) => KilledBy::KernelRlimit,
        // SIGXCPU, or the SIGKILL a second later.
        (_, Some(_)) if met.method() == DetectionMethod::Rlimit => KilledBy::KernelRlimit,
        _ => KilledBy::Itself,
    }
}

/// Guesses the cause of a runtime error. After endless recursion, the whole stack is resident. A
/// C++ program that dies of a refused allocation says so on stderr.
fn hint(execution: &Execution, stderr: &[u8]) -> Option<FailureHint> {
    const BAD_ALLOC: &[u8] = b"std::bad_alloc";
    match execution.ending {
        Ending::Signaled(n) if n == Signal::SIGSEGV as i32 => {
            (execution.sample.peak_rss_bytes >= STACK_BYTES).then_some(FailureHint::Stack)
        }
        Ending::Signaled(n) if n == Signal::SIGABRT as i32 => {
            stderr.windows(BAD_ALLOC.len()).any(|w| w == BAD_ALLOC).then_some(FailureHint::BadAlloc)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
