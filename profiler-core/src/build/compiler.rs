//! The compile step: its limits, its messages, and the reason if there is no binary.

use crate::figures::units::{mib, ms, nanoseconds};
use crate::limits::{
    COMPILE_CPU, COMPILE_FILE_BYTES, COMPILE_MEMORY_BYTES, COMPILE_WALL, MIB, OPEN_FILES,
    PROCESSES, SCRATCH_TMPFS_BYTES, STACK_BYTES,
};
use crate::report::signal_name;
use nix::sys::signal::Signal;
use profiler_decode::diagnostics::errors::{Errors, errors};
use profiler_decode::diagnostics::{Diagnostic, Severity, diagnostics, tool_prints};
use profiler_proto::v1::{self, CompileStep, Remedy, RemedyKind};
use runner_protocol::{Binary, Breach, Clock, Compiled, Ending, Limits};
use std::time::Duration;

/// g++'s exit code after an internal error of its own, or after a signal ended one of its tools.
const INTERNAL_ERROR: i32 = 4;
/// g++'s message about a tool that SIGKILL ended. g++ assumes that a person sent the signal, and
/// exits with 1.
const TOOL_KILLED: &[u8] = b"fatal error: Killed signal terminated program";
/// g++'s message about a tool that SIGXFSZ ended because its file was too large.
const FILE_TOO_LARGE: &str = "File size limit exceeded signal terminated program";
/// g++'s message about a tool that SIGXCPU ended because it used too much processor time.
const OUT_OF_TIME: &str = "CPU time limit exceeded signal terminated program";
/// The message of a tool that could not get memory; all tools use libiberty's `xmalloc`.
const OUT_OF_MEMORY: &str = "out of memory allocating ";
/// The compiler's own message when it could not get memory (`ggc-page.cc`). The message names no
/// tool.
const MEMORY_EXHAUSTED: &str = "virtual memory exhausted: ";
/// The message of a tool that found scratch full.
const NO_SPACE: &str = "No space left on device";
/// Tolerance of the processor time below its limit, for a tool that does not say why it was killed.
/// The kernel enforces the limit in ticks, while our figure is exact.
const CPU_TOLERANCE: Duration = Duration::from_millis(100);
/// Address space of one compiler process, in bytes. Reserved memory that is never touched costs
/// nothing.
const ADDRESS_SPACE_BYTES: u64 = 2 * COMPILE_MEMORY_BYTES;

/// Time limits of the compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompileLimits {
    /// Processor time, in whole seconds.
    pub cpu: Duration,
    /// Wall clock.
    pub wall: Duration,
}

impl Default for CompileLimits {
    fn default() -> Self {
        Self { cpu: COMPILE_CPU, wall: COMPILE_WALL }
    }
}

impl CompileLimits {
    /// Returns all limits of the compiler and of the tools that it starts.
    pub fn for_runner(self) -> Limits {
        Limits {
            time_ns: nanoseconds(self.wall),
            clock: Clock::Wall,
            wall_ns: nanoseconds(self.wall),
            cpu_s: self.cpu.as_secs(),
            resident_bytes: COMPILE_MEMORY_BYTES,
            address_space_bytes: ADDRESS_SPACE_BYTES,
            stack_bytes: STACK_BYTES,
            file_bytes: COMPILE_FILE_BYTES,
            processes: PROCESSES,
            open_files: OPEN_FILES,
        }
    }
}

/// Whether the compiler died without refusing the program, so that another try may help. A compiler
/// that met a limit does not count, because another try would meet it again.
pub fn died(compiled: &Compiled, limits: CompileLimits) -> bool {
    let mut said = compiled.output.windows(TOOL_KILLED.len());
    let broke = match compiled.execution.ending {
        Ending::Signaled(_) | Ending::Exited(INTERNAL_ERROR) => true,
        Ending::Exited(code) => code != 0 && said.any(|text| text == TOOL_KILLED),
        Ending::Stopped(_) => false,
    };
    broke && limit_met(compiled, limits).is_none()
}

/// The limit that the compiler met, if any. g++ itself often survives, and reports only that a tool
/// was killed or was denied something.
fn limit_met(compiled: &Compiled, limits: CompileLimits) -> Option<String> {
    let execution = &compiled.execution;
    let cpu = Duration::from_nanos(execution.sample.cpu_ns.unwrap_or(0));
    let memory = || Some(format!("{} MiB of memory", COMPILE_MEMORY_BYTES / MIB));
    let file = || Some(format!("{} MiB in one file", COMPILE_FILE_BYTES / MIB));
    match execution.ending {
        Ending::Exited(0) => None,
        _ if execution.oom_kills > 0 => memory(),
        Ending::Stopped(Breach::Resident(_)) => memory(),
        Ending::Stopped(_) => Some(format!("{} s of wall clock time", limits.wall.as_secs())),
        _ if cpu + CPU_TOLERANCE >= limits.cpu || said(compiled, OUT_OF_TIME) => {
            Some(format!("{} s of processor time", limits.cpu.as_secs()))
        }
        Ending::Signaled(number) if number == Signal::SIGXFSZ as i32 => file(),
        // The other limits are recognized by a line in a tool's output.
        _ if said(compiled, FILE_TOO_LARGE) => file(),
        _ if said(compiled, OUT_OF_MEMORY) || has_line(compiled, MEMORY_EXHAUSTED) => {
            Some(format!("{} MiB of address space", ADDRESS_SPACE_BYTES / MIB))
        }
        _ if said(compiled, NO_SPACE) => {
            Some(format!("{} MiB of files", SCRATCH_TMPFS_BYTES / MIB))
        }
        _ => None,
    }
}

fn said(compiled: &Compiled, text: &str) -> bool {
    tool_prints(&String::from_utf8_lossy(&compiled.output), text)
}

/// Whether a line of the output begins with `text`. A line that quotes the source does not, because
/// it begins with a position or a bar.
fn has_line(compiled: &Compiled, text: &str) -> bool {
    let output = String::from_utf8_lossy(&compiled.output);
    output.lines().any(|line| line.starts_with(text))
}

/// The compile step for the report, and the binary. Without a binary, the error is the reason in
/// one sentence.
pub fn step_and_binary(
    compiled: &Compiled,
    limits: CompileLimits,
) -> (CompileStep, Result<Binary, String>) {
    let sample = &compiled.execution.sample;
    let output = String::from_utf8_lossy(&compiled.output).into_owned();
    let (binary, error_text, standard) = if let Some(binary) = compiled.binary {
        (Ok(binary), String::new(), None)
    } else {
        let Errors { sentence, text, standard } =
            errors(&compiled.command, &output, compiled.truncated);
        (Err(failure(compiled, limits, sentence)), text, standard)
    };
    let remedy = |argument| Remedy { kind: RemedyKind::Standard.into(), argument };
    let made_binary = compiled.binary.is_some();
    let step = CompileStep {
        error_text,
        remedies: standard.map(remedy).into_iter().collect(),
        command: compiled.command.clone(),
        compiler: compiled.compiler.clone(),
        wall_ms: ms(sample.wall_ns),
        cpu_ms: sample.cpu_ns.map(ms),
        peak_memory_mb: mib(sample.peak_rss_bytes),
        binary_bytes: compiled.binary.map(|binary| binary.bytes),
        diagnostics: diagnostics(&output, made_binary).into_iter().map(published).collect(),
        output,
        truncated: compiled.truncated,
        cached: false,
    };
    (step, binary)
}

fn published(diagnostic: Diagnostic) -> v1::Diagnostic {
    let Diagnostic { severity, file, line, column, message } = diagnostic;
    let severity = match severity {
        Severity::Note => v1::Severity::Note,
        Severity::Warning => v1::Severity::Warning,
        Severity::Error => v1::Severity::Error,
        Severity::FatalError => v1::Severity::FatalError,
    };
    v1::Diagnostic { severity: severity.into(), file, line, column, message }
}

/// Returns the reason why there is no binary. `sentence` sums up the errors that the compiler
/// named, if any.
fn failure(compiled: &Compiled, limits: CompileLimits, sentence: Option<String>) -> String {
    if let Some(limit) = limit_met(compiled, limits) {
        return format!("the compiler exceeded {limit}");
    }
    match compiled.execution.ending {
        Ending::Signaled(number) => {
            format!("the compiler was ended by {}", signal_name(number))
        }
        Ending::Exited(_) | Ending::Stopped(_) => {
            sentence.unwrap_or_else(|| "the compiler produced no binary".into())
        }
    }
}

#[cfg(test)]
mod tests;
