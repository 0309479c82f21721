//! The full report. The strict one is a projection of it on the wire.

use crate::allocations::Allocations;
use crate::compile::CompileStep;
use crate::error::ErrorCode;
use crate::hotspots::Hotspots;
use crate::measure::{Figures, GnuTime, Memory, RuntimeClock};
use crate::outcome::{Evidence, Outcome, Verdict};
use profiler_growth::Growth;
use profiler_statistics::Statistics;
use runner_protocol::Sample;
use std::collections::BTreeMap;
use std::time::SystemTime;

/// The message contract's version.
pub const SCHEMA_VERSION: &str = "1.0.0";
/// The report's message type.
pub const REPORT_TYPE: &str = "profile_report";

/// Everything that was measured.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct ProfileReport {
    /// Copied from the `CodeMessage`.
    pub task_id: String,
    /// Copied from the `CodeMessage`.
    pub iteration: u32,
    /// The program, as it was submitted; what is not UTF-8 is replaced.
    #[serde(skip)]
    pub source: String,
    /// When the report was finished.
    #[serde(skip)]
    pub timestamp: SystemTime,
    /// The run.
    pub run_id: String,
    /// The finished sizes, rising.
    pub sizes: Vec<SizeResult>,
    /// What compiling cost; absent if the run ended before.
    pub compile: Option<CompileStep>,
    /// What compiling the interactor cost; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interactor_compile: Option<CompileStep>,
    /// Where it was measured.
    pub host: Host,
    /// What starting alone costs; absent where the empty program did not end OK.
    pub start_up: Option<StartUp>,
    /// How instructions were counted; absent unless they were.
    pub instructions_method: Option<&'static str>,
    /// The clock behind every headline figure.
    pub clock: RuntimeClock,
    /// Why that clock.
    pub clock_reason: String,
    /// What a reader must know.
    pub warnings: Vec<Warning>,
    /// Where the time goes; with `debug` alone.
    pub hotspots: Hotspots,
    /// What the program allocated; on request alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allocations: Option<Allocations>,
    /// The names of the candidates; none unless inputs were described by specs.
    pub candidates: Vec<String>,
    /// What came of the test cases.
    pub test_cases: Vec<TestCaseResult>,
    /// Why a schedule that grows went no further.
    pub schedule_end: Option<String>,
    /// How time and memory grow; absent with an interactor, and until the last size is measured.
    #[serde(skip)]
    pub growth: Option<Growth>,
}

/// What came of a test case.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct TestCaseResult {
    /// How the program ended, and why.
    pub verdict: Verdict,
    /// Whether it answered what was expected, blanks and line ends apart; absent unless it ended OK.
    pub correct: Option<bool>,
    /// The beginning of an answer that was wrong.
    pub answer: Vec<u8>,
}

/// What ended a run early, with what was measured until then.
#[derive(Debug, Clone, PartialEq, serde::Serialize, thiserror::Error)]
#[error("{code}: {message}")]
pub struct SandboxError {
    /// Which kind of ending.
    pub code: ErrorCode,
    /// One sentence for a person.
    pub message: String,
    /// Exactly the finished sizes, the failing one included with infinite figures.
    pub partial: Box<ProfileReport>,
}

/// Where a program is measured: what a result belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The input size.
    pub size: u32,
    /// Which of several candidate inputs; 0 where there is one.
    pub candidate: u32,
}

/// Everything measured at one size.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct SizeResult {
    /// The input size.
    pub size: u32,
    /// Which of several candidate inputs; 0 where there is one.
    pub candidate: u32,
    /// How many there are at every size.
    pub candidates: u32,
    /// How the program ended.
    pub outcome: Outcome,
    /// Why.
    pub evidence: Evidence,
    /// Statistics over the repetitions that ended OK; absent where none did.
    pub figures: Option<Figures>,
    /// What memory it used, beside the peak; absent where nothing is known.
    pub memory: Option<Memory>,
    /// The headline less that of the start-up, in milliseconds: noise can make it negative. Absent
    /// unless the size ended OK and the start-up is known.
    pub net_runtime_ms: Option<f64>,
    /// Whether the net runtime is too short to tell anything: at most the width of the interval of the
    /// size's headline, or of the start-up's, whichever is more. Absent where the net runtime is.
    pub below_noise_floor: Option<bool>,
    /// How many instructions it executes; on request, and not before the report is complete.
    pub instructions: Option<Instructions>,
    /// How long the input was; absent if the program was never started.
    pub input_bytes: Option<u64>,
    /// The repetitions that ended OK, in order.
    #[serde(skip)]
    pub samples: Vec<Sample>,
    /// The run under `/usr/bin/time`.
    #[serde(skip)]
    pub warm_up: Option<Sample>,
    /// What `/usr/bin/time -v` said.
    pub gnu_time: Option<GnuTime>,
    /// What went to stdout; absent if the program was never started, or talked to an interactor.
    pub stdout: Option<Output>,
    /// The end of stderr.
    pub stderr_tail: String,
    /// The interactor's part; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interactor: Option<InteractorResult>,
}

/// What an interactor did in the runs of one size.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct InteractorResult {
    /// How it ended in the run that decided the size's outcome.
    pub outcome: Outcome,
    /// Why.
    pub evidence: Evidence,
    /// Its figures over the repetitions that ended OK, on the report's clock; absent where none did.
    pub figures: Option<Figures>,
    /// From the program's start until both had ended, over those repetitions, in milliseconds.
    pub total_wall_ms: Option<Statistics>,
    /// The end of its stderr.
    pub stderr_tail: String,
}

impl SizeResult {
    /// Where that was.
    pub fn point(&self) -> Point {
        Point { size: self.size, candidate: self.candidate }
    }

    /// Whether every run ended OK.
    pub fn is_ok(&self) -> bool {
        self.outcome == Outcome::Ok
    }

    /// The headline runtime, in milliseconds; infinite unless the size ended OK.
    pub fn runtime_ms(&self) -> f64 {
        self.headline(|f| f.headline.ms)
    }

    /// The peak resident set, in MiB; infinite unless the size ended OK.
    pub fn peak_memory_mb(&self) -> f64 {
        self.headline(|f| f.peak_memory_mb.max)
    }

    fn headline(&self, pick: impl Fn(&Figures) -> f64) -> f64 {
        match (&self.figures, self.outcome) {
            (Some(figures), Outcome::Ok) => pick(figures),
            _ => f64::INFINITY,
        }
    }
}

/// An exact count of instructions in user mode.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Instructions {
    /// How many.
    pub count: u64,
    /// Wall clock of the counted run over the size's headline: what counting cost.
    pub slow_down: f64,
}

/// What starting alone costs: an empty `main`, compiled with the job's flags and run under its limits
/// before the first size. Its first run is not counted.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct StartUp {
    /// Its figures, on the report's clock.
    pub figures: Figures,
    /// Its runs, in order.
    #[serde(skip)]
    pub samples: Vec<Sample>,
}

/// What a program wrote to stdout.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Output {
    /// Its length.
    pub bytes: u64,
    /// SHA-256, lower-case hexadecimal.
    pub sha256: String,
    /// Its first bytes, as many as were asked for.
    pub head: Vec<u8>,
}

/// Where a report was measured.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Host {
    /// `docker`, `native` or `fake`.
    pub backend: String,
    /// Kernel release.
    pub kernel: String,
    /// Processor model.
    pub cpu_model: String,
    /// Processors the kernel may schedule on.
    pub cpus: u32,
    /// Version of the memory cgroup, where there is one.
    pub cgroup_version: Option<u32>,
    /// What the backend cannot enforce here, one sentence each.
    pub not_enforced: Vec<String>,
    /// What a fixed piece of work took here, in milliseconds: the headline of a few runs, wall less run
    /// delay where the kernel tells it, whatever the report's clock is.
    pub calibration_ms: Option<f64>,
    /// Reports with the same fingerprint have comparable times: a digest over processor model, number of
    /// processors, kernel release and toolchain. Absent if the run ended before the compiler did.
    pub fingerprint: Option<String>,
    /// The processor that the program was pinned to; absent where it was not.
    pub measured_core: Option<u32>,
    /// How many other programs were measured on this host meanwhile, the most that were seen at one
    /// time; absent where nobody looked.
    pub neighbours: Option<u32>,
}

/// Something a reader must know before trusting the figures.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Warning {
    /// A stable name.
    pub code: &'static str,
    /// The size it is about.
    pub size: Option<u32>,
    /// The candidate it is about, where there are several.
    pub candidate: Option<u32>,
    /// The text.
    pub message: String,
}

impl ProfileReport {
    /// The largest size that ended OK, with the slowest candidate that did.
    pub(crate) fn largest(&self) -> Option<Point> {
        let slower = |a: &SizeResult, b: &SizeResult| a.runtime_ms().total_cmp(&b.runtime_ms());
        let ok = self.sizes.iter().filter(|result| result.is_ok());
        ok.max_by(|a, b| a.size.cmp(&b.size).then(slower(a, b))).map(SizeResult::point)
    }

    /// The strict form of the hotspots: `line_23` to `41.2% …`, and `_crash` for the first failing
    /// size's signal or outcome.
    pub fn strict_hotspots(&self) -> BTreeMap<String, String> {
        let mut strict: BTreeMap<_, _> = self
            .hotspots
            .lines
            .iter()
            .map(|h| (format!("line_{}", h.line), h.to_string()))
            .collect();
        if let Some(failed) = self.sizes.iter().find(|s| s.outcome != Outcome::Ok) {
            let name = match failed.outcome {
                Outcome::RuntimeError => failed.evidence.signal,
                _ => None,
            };
            strict.insert("_crash".into(), name.unwrap_or(failed.outcome.as_str()).into());
        }
        strict
    }
}
