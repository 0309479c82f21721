//! The full report. The strict one is a projection of it on the wire.

use super::allocations::Allocations;
use super::compile_step::CompileStep;
use super::host::Host;
use super::hotspots::Hotspots;
use super::size_result::SizeResult;
use super::verdict::{Outcome, Verdict};
use super::warning::Warning;
use crate::error::ErrorCode;
use crate::figures::{Figures, RuntimeClock};
use profiler_growth::Growth;
use runner_protocol::Sample;
use std::collections::BTreeMap;
use std::time::SystemTime;

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
    /// Whether it answered what was expected, blanks and line ends apart; absent unless it ended
    /// OK.
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

/// What starting alone costs: an empty `main`, compiled with the job's flags and run under its
/// limits before the first size. Its first run is not counted.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct StartUp {
    /// Its figures, on the report's clock.
    pub figures: Figures,
    /// Its runs, in order.
    #[serde(skip)]
    pub samples: Vec<Sample>,
}

impl ProfileReport {
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

impl StartUp {
    /// The start-up of these runs under `clock`; `None` without any.
    pub(crate) fn of(samples: Vec<Sample>, clock: RuntimeClock) -> Option<Self> {
        Figures::of(&samples, clock).map(|figures| Self { figures, samples })
    }
}
