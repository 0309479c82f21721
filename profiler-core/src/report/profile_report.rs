//! The full report. The strict one is a projection of it on the wire.

mod advice;
mod worst_input;

use super::allocations::Allocations;
use super::compile_step::CompileStep;
use super::evidence::Verdict;
use super::host::Host;
use super::hotspots::Hotspots;
use super::input_check::InputCheck;
use super::outcome::Outcome;
use super::size_result::SizeResult;
use super::warning::Warning;
use crate::error::ErrorCode;
use crate::figures::{Figures, RuntimeClock};
use profiler_growth::Growth;
use runner_protocol::Sample;
use std::collections::BTreeMap;
use std::time::SystemTime;

pub use advice::{Advice, Speedup, TriedChange};
pub use worst_input::{
    FailedInputs, RandomCosts, RunCost, SHOWN_BYTES, SearchEnd, SizeCosts, SlowLine, WorstInput,
};

/// The report's message type.
pub const REPORT_TYPE: &str = "profile_report";

/// Everything that was measured.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct ProfileReport {
    /// Copied from the `CodeMessage`.
    pub task_id: String,
    /// Copied from the `CodeMessage`.
    pub iteration: u32,
    /// The submitted program. Invalid UTF-8 is replaced.
    #[serde(skip)]
    pub source: String,
    /// Time at which the report was finished.
    #[serde(skip)]
    pub timestamp: SystemTime,
    /// The run.
    pub run_id: String,
    /// The finished sizes, rising.
    pub sizes: Vec<SizeResult>,
    /// The cost of compiling; absent if the run ended before.
    pub compile: Option<CompileStep>,
    /// The cost of compiling the interactor; absent without an interactor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interactor_compile: Option<CompileStep>,
    /// The host that measured.
    pub host: Host,
    /// The cost of starting a program; absent unless the empty program ended OK.
    pub start_up: Option<StartUp>,
    /// Method of counting instructions; absent if they were not counted.
    pub instructions_method: Option<&'static str>,
    /// The clock of every headline figure.
    pub clock: RuntimeClock,
    /// The reason for that clock.
    pub clock_reason: String,
    /// Facts that a reader must know before trusting the figures.
    pub warnings: Vec<Warning>,
    /// The hotspots; empty without `debug`.
    pub hotspots: Hotspots,
    /// The program's allocations, if the request asks for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allocations: Option<Allocations>,
    /// The names of the candidates; empty unless specs describe the inputs.
    pub candidates: Vec<String>,
    /// The results of the test cases.
    pub test_cases: Vec<TestCaseResult>,
    /// Whether the inputs held all that the program reads. Absent with an interactor, and if the
    /// run ended before that was found out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_check: Option<InputCheck>,
    /// Reason why a growing schedule stopped, and the n up to which the time cannot be told from
    /// that of no work.
    pub schedule_end: Option<String>,
    /// The relative precision that a brief job asks for.
    #[serde(skip)]
    pub precision: Option<f64>,
    /// Number that was added to the seed of each spec.
    #[serde(skip)]
    pub input_seed: u32,
    /// The worst input, if the request asks for a search; absent before one has ended well.
    #[serde(skip)]
    pub worst: Option<Box<WorstInput>>,
    /// Changes that made the program faster when they were tried, if the request asks for advice.
    #[serde(skip)]
    pub advice: Option<Box<Advice>>,
    /// The further turns, if the program is compared with another: the other one twice, then this
    /// one again.
    #[serde(skip)]
    pub turns: Vec<ProfileReport>,
    /// Growth of time and memory. Absent with an interactor, and before the last size is measured.
    #[serde(skip)]
    pub growth: Option<Growth>,
}

/// The result of a test case.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct TestCaseResult {
    /// Outcome of the run, and the evidence for it.
    pub verdict: Verdict,
    /// Whether the answer was correct; absent unless the program ended OK. Blanks and line ends do
    /// not matter.
    pub correct: Option<bool>,
    /// The start of a wrong answer.
    pub answer: Vec<u8>,
}

impl TestCaseResult {
    /// Whether the program ran and did not give the right answer.
    pub fn is_wrong(&self) -> bool {
        self.verdict.outcome != Outcome::NotRun && self.correct != Some(true)
    }
}

/// The error that ended a run early, with everything that was measured before.
#[derive(Debug, Clone, PartialEq, serde::Serialize, thiserror::Error)]
#[error("{code}: {message}")]
pub struct SandboxError {
    /// The kind of error.
    pub code: ErrorCode,
    /// One sentence for a person.
    pub message: String,
    /// The report of the finished sizes, including the failing one with infinite figures.
    pub partial: Box<ProfileReport>,
}

/// The cost of starting a program. It is measured with an empty `main` before the first size, with
/// the job's flags and limits. The first run is discarded.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct StartUp {
    /// The figures on the report's clock.
    pub figures: Figures,
    /// The runs, in order.
    #[serde(skip)]
    pub samples: Vec<Sample>,
}

impl ProfileReport {
    /// The hotspots in the strict report: `line_23` maps to `41.2% …`, and `_crash` to the first
    /// failing size's signal or outcome.
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
    /// The start-up of these runs on `clock`; `None` without runs.
    pub(crate) fn from_samples(samples: Vec<Sample>, clock: RuntimeClock) -> Option<Self> {
        Figures::from_samples(&samples, clock).map(|figures| Self { figures, samples })
    }
}
