//! Maps reports, results and events to the wire.

use crate::advice::advice;
use crate::allocations::allocations;
use crate::evidence::{evidence, warning};
use crate::figures::{clock, figures, memory, sample, statistics};
use crate::growth::growth;
use crate::hotspots;
use crate::worst::worst;
use profiler_core::error::ErrorCode;
use profiler_core::report::{
    CompileStep, Diagnostic, Event, EventKind, Host, InputCheck, InputUse, InteractorResult,
    Outcome, ProfileReport, REPORT_TYPE, SCHEMA_VERSION, SandboxError, Severity, SizeResult,
    StartUp, TestCaseResult,
};
use profiler_proto::v1::{self, event::Kind};
use std::time::SystemTime;

/// Maps the full report. It contains the raw samples if `raw_samples` is set.
pub fn report(report: &ProfileReport, raw_samples: bool) -> v1::ProfileReport {
    let mut wire = v1::ProfileReport {
        r#type: REPORT_TYPE.into(),
        task_id: report.task_id.clone(),
        iteration: report.iteration,
        timestamp_utc: Some(report.timestamp.into()),
        schema_version: SCHEMA_VERSION.into(),
        hotspots: report.strict_hotspots(),
        run_id: report.run_id.clone(),
        sizes: report.sizes.iter().map(|s| size(s, raw_samples)).collect(),
        compile: report.compile.as_ref().map(compile),
        interactor_compile: report.interactor_compile.as_ref().map(compile),
        host: Some(host(&report.host)),
        runtime_clock: clock(report.clock).into(),
        runtime_clock_reason: report.clock_reason.clone(),
        warnings: report.warnings.iter().map(warning).collect(),
        hotspot_lines: report.hotspots.lines.iter().map(hotspots::line).collect(),
        hotspot_functions: report.hotspots.functions.iter().map(hotspots::function).collect(),
        call_stacks: report.hotspots.stacks.iter().map(hotspots::stack).collect(),
        hotspots_method: hotspots::method(report.hotspots.method).into(),
        start_up: report.start_up.as_ref().map(start_up),
        instructions_method: report.instructions_method.map(Into::into),
        candidates: report.candidates.clone(),
        test_cases: report.test_cases.iter().map(test_case).collect(),
        schedule_end: report.schedule_end.clone(),
        precision: report.precision,
        input_seed: report.input_seed,
        code_cpp: report.source.clone(),
        growth: report.growth.as_ref().map(growth),
        allocations: report.allocations.as_ref().map(allocations),
        input_check: report.input_check.as_ref().map(input_check),
        worst: report.worst.as_deref().map(|found| Box::new(worst(found))),
        advice: report.advice.as_deref().map(advice),
        turns: report.turns.iter().map(|turn| self::report(turn, raw_samples)).collect(),
        ..v1::ProfileReport::default()
    };
    summarize(&mut wire);
    wire
}

/// Fills in the lists of the strict report and the worst cases, from the results. The lists skip an
/// unfinished size, because its worst case is not known, unless a candidate failed.
fn summarize(report: &mut v1::ProfileReport) {
    for candidates in report.sizes.chunk_by(|a, b| a.size == b.size) {
        let failed = candidates.iter().any(|result| result.outcome() != v1::Outcome::Ok);
        if candidates.len() < candidates[0].candidates as usize && !failed {
            continue;
        }
        // The first of several equal candidates wins, also if all are infinite.
        let worst = |figure: fn(&v1::SizeResult) -> Option<f64>| {
            let figures = candidates.iter().map(|result| figure(result).unwrap_or(f64::INFINITY));
            figures.zip(0..).fold((f64::NEG_INFINITY, 0), |worst, other| {
                if other.0 > worst.0 { other } else { worst }
            })
        };
        let (runtime_ms, slowest_candidate) = worst(|result| result.runtime_ms);
        let (peak_memory_mb, largest_candidate) = worst(|result| result.peak_memory_mb);
        let size = candidates[0].size;
        report.input_sizes.push(size);
        report.runtime_ms.push(runtime_ms);
        report.peak_memory_mb.push(peak_memory_mb);
        if candidates.len() > 1 {
            report.worst_cases.push(v1::WorstCase { size, slowest_candidate, largest_candidate });
        }
    }
}

fn input_check(check: &InputCheck) -> v1::InputCheck {
    let input_use = match check.input_use {
        InputUse::Enough => v1::InputUse::Enough,
        InputUse::ReadsToEnd => v1::InputUse::ReadsToEnd,
        InputUse::Starved => v1::InputUse::Starved,
        InputUse::Unknown => v1::InputUse::Unknown,
    };
    v1::InputCheck {
        input_use: input_use.into(),
        size: check.size,
        default_input: check.default_input.clone(),
        unread_bytes: check.unread_bytes,
    }
}

fn test_case(result: &TestCaseResult) -> v1::TestCaseResult {
    v1::TestCaseResult {
        outcome: outcome(result.verdict.outcome).into(),
        evidence: (result.verdict.outcome != Outcome::NotRun)
            .then(|| evidence(&result.verdict.evidence)),
        correct: result.correct,
        answer: result.answer.clone(),
    }
}

/// Maps the error that ended a run early, with the partial report.
pub fn error(error: &SandboxError, raw_samples: bool) -> v1::SandboxError {
    v1::SandboxError {
        code: error_code(error.code).into(),
        message: error.message.clone(),
        partial: Some(report(&error.partial, raw_samples)),
    }
}

/// Maps the code of such an error.
pub fn error_code(code: ErrorCode) -> v1::ErrorCode {
    match code {
        ErrorCode::Compile => v1::ErrorCode::Compile,
        ErrorCode::Memory => v1::ErrorCode::Memory,
        ErrorCode::Parse => v1::ErrorCode::Parse,
        ErrorCode::Internal => v1::ErrorCode::Internal,
        ErrorCode::Cancelled => v1::ErrorCode::Cancelled,
        ErrorCode::Deadline => v1::ErrorCode::Deadline,
        ErrorCode::Interrupted => v1::ErrorCode::Interrupted,
    }
}

/// Maps one event of a run.
pub fn event(event: &Event, raw_samples: bool) -> v1::Event {
    v1::Event {
        run_id: event.run_id.clone(),
        sequence: event.sequence,
        time: Some(event.time.into()),
        kind: Some(match &event.kind {
            EventKind::Accepted { queue_position } => {
                Kind::Accepted(v1::Accepted { queue_position: *queue_position })
            }
            EventKind::Compiled(step) => Kind::Compiled(compile(step)),
            EventKind::SizeMeasured(result) => Kind::SizeMeasured(size(result, raw_samples)),
            EventKind::Heartbeat { queue_position } => {
                Kind::Heartbeat(v1::Heartbeat { queue_position: *queue_position })
            }
            EventKind::Finished(done) => Kind::Finished(report(done, raw_samples)),
            EventKind::Failed(failed) => Kind::Failed(error(failed, raw_samples)),
        }),
    }
}

/// The code that a message has. One without a meaning here is a fault of whoever sent it.
pub fn code(wire: v1::ErrorCode) -> ErrorCode {
    match wire {
        v1::ErrorCode::Compile => ErrorCode::Compile,
        v1::ErrorCode::Memory => ErrorCode::Memory,
        v1::ErrorCode::Parse => ErrorCode::Parse,
        v1::ErrorCode::Internal | v1::ErrorCode::Unspecified => ErrorCode::Internal,
        v1::ErrorCode::Cancelled => ErrorCode::Cancelled,
        v1::ErrorCode::Deadline => ErrorCode::Deadline,
        v1::ErrorCode::Interrupted => ErrorCode::Interrupted,
    }
}

/// Makes the last event of a run that an earlier process left unfinished. `had` are its stored
/// events.
pub fn interrupted(run: &v1::Run, had: Vec<v1::Event>) -> v1::Event {
    let message = "the profiler ended before the run did";
    v1::Event {
        run_id: run.run_id.clone(),
        sequence: run.last_sequence + 1,
        time: Some(SystemTime::now().into()),
        kind: Some(Kind::Failed(ended_early(run, had, ErrorCode::Interrupted, message))),
    }
}

/// Makes the error of a run that ends without a word of whoever measured it. `had` are its events.
pub fn ended_early(
    run: &v1::Run,
    had: Vec<v1::Event>,
    code: ErrorCode,
    message: &str,
) -> v1::SandboxError {
    let now = SystemTime::now();
    let mut partial = v1::ProfileReport {
        r#type: REPORT_TYPE.into(),
        task_id: run.task_id.clone(),
        iteration: run.iteration,
        timestamp_utc: Some(now.into()),
        schema_version: SCHEMA_VERSION.into(),
        run_id: run.run_id.clone(),
        ..v1::ProfileReport::default()
    };
    for kind in had.into_iter().filter_map(|event| event.kind) {
        match kind {
            Kind::Compiled(step) => partial.compile = Some(step),
            Kind::SizeMeasured(size) => partial.sizes.push(size),
            Kind::Accepted(_)
            | Kind::Started(_)
            | Kind::Heartbeat(_)
            | Kind::Finished(_)
            | Kind::Failed(_) => {}
            // What the lost worker told is void. The next one compiles and measures from the
            // beginning.
            Kind::Restarted(_) => {
                partial.compile = None;
                partial.sizes.clear();
            }
        }
    }
    summarize(&mut partial);
    v1::SandboxError {
        code: error_code(code).into(),
        message: message.into(),
        partial: Some(partial),
    }
}

/// Makes a heartbeat of run `run_id` after its event `sequence`.
pub fn heartbeat(run_id: &str, sequence: u64, queue_position: u32) -> v1::Event {
    v1::Event {
        run_id: run_id.into(),
        sequence,
        time: Some(SystemTime::now().into()),
        kind: Some(Kind::Heartbeat(v1::Heartbeat { queue_position })),
    }
}

/// Maps the result of one size and candidate.
pub fn size(result: &SizeResult, raw_samples: bool) -> v1::SizeResult {
    let samples = result.samples.iter().filter(|_| raw_samples);
    v1::SizeResult {
        size: result.size,
        candidate: result.candidate,
        candidates: result.candidates,
        outcome: outcome(result.outcome).into(),
        // A size that was left out has none.
        evidence: (result.outcome != Outcome::NotRun).then(|| evidence(&result.evidence)),
        runtime_ms: Some(result.runtime_ms()),
        peak_memory_mb: Some(result.peak_memory_mb()),
        peak_is_counted: Some(result.peak_is_counted()),
        figures: result.figures.as_ref().map(figures),
        faster_figures: result.faster_figures.as_deref().map(figures),
        samples: samples.map(sample).collect(),
        warm_up: result.warm_up.as_ref().map(sample),
        gnu_time: result.gnu_time.map(|time| v1::GnuTime {
            elapsed_ms: time.elapsed_ms,
            max_resident_mb: time.max_resident_mb,
        }),
        stdout: result.stdout.as_ref().map(|output| v1::Output {
            bytes: output.bytes,
            sha256: output.sha256.clone(),
            words_sha256: output.words_sha256.clone(),
            varies: output.varies,
            head: output.head.clone(),
        }),
        stderr_tail: result.stderr_tail.clone(),
        memory: result.memory.as_ref().map(memory),
        net_runtime_ms: result.net_runtime_ms,
        below_noise_floor: result.below_noise_floor,
        instructions: result.instructions.map(|counted| counted.count),
        instructions_slow_down: result.instructions.map(|counted| counted.slow_down),
        input_bytes: result.input_bytes,
        interactor: result.interactor.as_ref().map(interactor),
    }
}

/// Maps an outcome.
pub fn outcome(outcome: Outcome) -> v1::Outcome {
    match outcome {
        Outcome::Ok => v1::Outcome::Ok,
        Outcome::TimeLimit => v1::Outcome::TimeLimit,
        Outcome::MemoryLimit => v1::Outcome::MemoryLimit,
        Outcome::OutputLimit => v1::Outcome::OutputLimit,
        Outcome::RuntimeError => v1::Outcome::RuntimeError,
        Outcome::ProtocolError => v1::Outcome::ProtocolError,
        Outcome::InteractorFailed => v1::Outcome::InteractorFailed,
        Outcome::NotRun => v1::Outcome::NotRun,
    }
}

fn interactor(result: &InteractorResult) -> v1::InteractorResult {
    v1::InteractorResult {
        outcome: outcome(result.outcome).into(),
        evidence: Some(evidence(&result.evidence)),
        figures: result.figures.as_ref().map(figures),
        total_wall_ms: result.total_wall_ms.map(statistics),
        stderr_tail: result.stderr_tail.clone(),
    }
}

fn start_up(start_up: &StartUp) -> v1::StartUp {
    v1::StartUp {
        runtime_ms: start_up.figures.headline.ms,
        peak_memory_mb: start_up.figures.peak_memory_mb.max,
        figures: Some(figures(&start_up.figures)),
    }
}

fn compile(step: &CompileStep) -> v1::CompileStep {
    v1::CompileStep {
        command: step.command.clone(),
        compiler: step.compiler.clone(),
        wall_ms: step.wall_ms,
        cpu_ms: step.cpu_ms,
        peak_memory_mb: step.peak_memory_mb,
        binary_bytes: step.binary_bytes,
        diagnostics: step.diagnostics.iter().map(diagnostic).collect(),
        output: step.output.clone(),
        truncated: step.truncated,
        cached: step.cached,
        error_text: step.error_text.clone(),
    }
}

fn diagnostic(diagnostic: &Diagnostic) -> v1::Diagnostic {
    v1::Diagnostic {
        severity: severity(diagnostic.severity).into(),
        file: diagnostic.file.clone(),
        line: diagnostic.line,
        column: diagnostic.column,
        message: diagnostic.message.clone(),
    }
}

fn severity(severity: Severity) -> v1::Severity {
    match severity {
        Severity::Note => v1::Severity::Note,
        Severity::Warning => v1::Severity::Warning,
        Severity::Error => v1::Severity::Error,
        Severity::FatalError => v1::Severity::FatalError,
    }
}

fn host(host: &Host) -> v1::Host {
    v1::Host {
        backend: host.backend.clone(),
        kernel: host.kernel.clone(),
        cpu_model: host.cpu_model.clone(),
        cpus: host.cpus,
        cgroup_version: host.cgroup_version,
        not_enforced: host.not_enforced.clone(),
        calibration_ms: host.calibration_ms,
        fingerprint: host.fingerprint.clone(),
        measured_core: host.measured_core,
        neighbours: host.neighbours,
        name: host.name.clone(),
    }
}
