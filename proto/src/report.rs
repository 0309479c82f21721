//! Facts that are computed from the messages of a report alone.

mod figures;
mod words;

pub use figures::{Figure, SIZE_FIGURES, SizeFigure, Value};
pub use words::Word;

use crate::v1::{
    Evidence, Hotspot, InputCheck, InputUse, Interval, LimitKind, Outcome, ProfileReport, Remedy,
    RemedyKind, SizeResult, TestCaseResult, TestVerdict, Unit, Warning, WarningCode, WorstCase,
    event,
};
use std::fmt;

/// Fault of a service whose report [lacks](ProfileReport::lacks_output_checks) judgements that the
/// job asked for.
pub const OUTPUTS_NOT_JUDGED: &str =
    "the service has an older version, which cannot judge the outputs of sizes";

impl event::Kind {
    /// Whether no event follows.
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Finished(_) | Self::Failed(_))
    }
}

impl Outcome {
    /// Whether a limit ended the program. A larger size would meet the limit too.
    pub fn is_limit(self) -> bool {
        matches!(self, Self::TimeLimit | Self::MemoryLimit | Self::OutputLimit)
    }
}

impl Interval {
    /// Returns the width.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

impl LimitKind {
    /// Returns the unit of the limit and of the measured value.
    pub fn unit(self) -> Unit {
        match self {
            Self::Unspecified => Unit::Unspecified,
            Self::Time | Self::Wall | Self::Cpu => Unit::Ms,
            Self::Memory | Self::Output => Unit::Mib,
        }
    }
}

impl TestCaseResult {
    /// Whether the test case was run and not answered correctly. A case without a verdict is not
    /// wrong.
    pub fn is_wrong(&self) -> bool {
        !matches!(self.judged(), TestVerdict::Accepted | TestVerdict::NotRun)
    }

    /// Whether the program ended OK, but nobody knows whether its answer is right.
    pub fn is_not_judged(&self) -> bool {
        self.outcome() == Outcome::Ok && self.judged() == TestVerdict::NotRun
    }

    /// The result of a test case that was not run, because of `reason`.
    pub fn not_run(reason: &str) -> Self {
        Self {
            outcome: Outcome::NotRun.into(),
            verdict: TestVerdict::NotRun.into(),
            reason: reason.into(),
            ..Self::default()
        }
    }

    /// Returns the verdict. A report of version 0.2 has none, so it follows from the outcome.
    pub fn judged(&self) -> TestVerdict {
        match self.verdict() {
            TestVerdict::Unspecified => TestVerdict::of(self.outcome(), self.correct),
            known => known,
        }
    }
}

impl TestVerdict {
    /// Returns the verdict on a program with this outcome, whose output is `correct`. A
    /// presentation error is a wrong answer here. If nobody knows whether the output is correct,
    /// there is no verdict: `NotRun`.
    pub fn of(outcome: Outcome, correct: Option<bool>) -> Self {
        match (outcome, correct) {
            (Outcome::Ok, Some(true)) => Self::Accepted,
            (Outcome::Ok, Some(false)) | (Outcome::ProtocolError, _) => Self::WrongAnswer,
            (Outcome::TimeLimit, _) => Self::TimeLimit,
            (Outcome::MemoryLimit, _) => Self::MemoryLimit,
            (Outcome::OutputLimit | Outcome::RuntimeError, _) => Self::RuntimeError,
            (Outcome::Ok, None)
            | (Outcome::Unspecified | Outcome::InteractorFailed | Outcome::NotRun, _) => {
                Self::NotRun
            }
        }
    }
}

impl InputCheck {
    /// Whether the program was measured on the default input, which lacks something that the
    /// program reads, or opens a file in place of its input. If so, its figures do not describe its
    /// task.
    pub fn is_without_input(&self) -> bool {
        let has_known_lack = self.default_input.is_some() || self.opened_file.is_some();
        self.input_use() == InputUse::Starved && has_known_lack
    }
}

impl Warning {
    /// A warning about the whole run.
    pub fn new(code: WarningCode, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), ..Self::default() }
    }
}

/// The remedy without an argument.
impl From<RemedyKind> for Remedy {
    fn from(kind: RemedyKind) -> Self {
        Self { kind: kind.into(), ..Self::default() }
    }
}

impl ProfileReport {
    /// Whether the output of a size that ended OK has no judgement. If the job asked for it, the
    /// service has an older version.
    pub fn lacks_output_checks(&self) -> bool {
        let is_ok = |size: &&SizeResult| size.outcome() == Outcome::Ok;
        self.sizes.iter().filter(is_ok).any(|size| size.output_check.is_none())
    }

    /// Fills in everything that follows from the results of the sizes and the hotspots: the lists
    /// and the map of the strict report, and the worst cases.
    pub fn summarize(&mut self) {
        let is_other = |path: &str| self.files.iter().any(|file| file.path == path);
        let key = |Hotspot { file, line, .. }: &Hotspot| match file.as_str() {
            other if is_other(other) => format!("{other}:line_{line}"),
            _ => format!("line_{line}"),
        };
        let lines = self.hotspot_lines.iter();
        self.hotspots = lines.map(|hotspot| (key(hotspot), hotspot.to_string())).collect();
        if let Some(failed) = self.sizes.iter().find(|size| size.outcome() != Outcome::Ok) {
            self.hotspots.insert("_crash".into(), ending(failed));
        }
        self.summarize_sizes();
    }

    /// Fills in the lists and the worst cases. They skip a size with missing candidates, because
    /// its worst case is not known, unless a candidate failed.
    fn summarize_sizes(&mut self) {
        self.input_sizes.clear();
        self.runtime_ms.clear();
        self.peak_memory_mb.clear();
        self.worst_cases.clear();
        for candidates in self.sizes.chunk_by(|a, b| a.size == b.size) {
            let failed = candidates.iter().any(|result| result.outcome() != Outcome::Ok);
            if candidates.len() < candidates[0].candidates as usize && !failed {
                continue;
            }
            // The first of several equal candidates wins, even if all are infinite.
            let worst = |figure: fn(&SizeResult) -> Option<f64>| {
                let figures =
                    candidates.iter().map(|result| figure(result).unwrap_or(f64::INFINITY));
                figures.zip(0..).fold((f64::NEG_INFINITY, 0), |worst, other| {
                    if other.0 > worst.0 { other } else { worst }
                })
            };
            let (runtime_ms, slowest_candidate) = worst(|result| result.runtime_ms);
            let (peak_memory_mb, largest_candidate) = worst(|result| result.peak_memory_mb);
            let size = candidates[0].size;
            self.input_sizes.push(size);
            self.runtime_ms.push(runtime_ms);
            self.peak_memory_mb.push(peak_memory_mb);
            if candidates.len() > 1 {
                self.worst_cases.push(WorstCase { size, slowest_candidate, largest_candidate });
            }
        }
    }
}

/// Returns the signal that a runtime error ended with, or the name of the outcome.
fn ending(failed: &SizeResult) -> String {
    let signal = failed.evidence.as_ref().and_then(|Evidence { signal, .. }| signal.clone());
    let signal = signal.filter(|_| failed.outcome() == Outcome::RuntimeError);
    signal.unwrap_or_else(|| failed.outcome().name().into())
}

/// The text of a hotspot in the strict report: `41.2% self, 80.0% inclusive, once, in main`.
impl fmt::Display for Hotspot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}% self, ", self.self_share * 100.0)?;
        match self.inclusive_share {
            Some(share) => write!(f, "{:.1}% inclusive, ", share * 100.0)?,
            None => write!(f, "{:.1}% cumulative, ", self.cumulative_share * 100.0)?,
        }
        match self.count {
            Some(1) => write!(f, "once, ")?,
            Some(count) => write!(f, "{count} times, ")?,
            None => {}
        }
        write!(f, "in {}", self.function)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v1::SourceFile;

    fn ended(outcome: Outcome, signal: Option<&str>) -> ProfileReport {
        let evidence = Evidence { signal: signal.map(Into::into), ..Evidence::default() };
        let size = SizeResult {
            outcome: outcome.into(),
            evidence: Some(evidence),
            ..SizeResult::default()
        };
        let mut report = ProfileReport { sizes: vec![size], ..ProfileReport::default() };
        report.summarize();
        report
    }

    #[test]
    fn crash_names_the_signal_of_a_runtime_error_and_else_the_outcome() {
        for (outcome, signal, name) in [
            (Outcome::RuntimeError, Some("SIGSEGV"), Some("SIGSEGV")),
            (Outcome::RuntimeError, None, Some("RUNTIME_ERROR")),
            (Outcome::TimeLimit, Some("SIGXCPU"), Some("TIME_LIMIT")),
            (Outcome::Ok, None, None),
        ] {
            let report = ended(outcome, signal);
            assert_eq!(report.hotspots.get("_crash").map(String::as_str), name, "{outcome:?}");
        }
    }

    #[test]
    fn verdict_of_an_older_report_follows_from_the_outcome() {
        let judged = |outcome: Outcome, correct| {
            let result =
                TestCaseResult { outcome: outcome.into(), correct, ..TestCaseResult::default() };
            result.judged()
        };
        assert_eq!(judged(Outcome::Ok, Some(true)), TestVerdict::Accepted);
        assert_eq!(judged(Outcome::Ok, Some(false)), TestVerdict::WrongAnswer);
        assert_eq!(judged(Outcome::OutputLimit, None), TestVerdict::RuntimeError);
        assert_eq!(judged(Outcome::Ok, None), TestVerdict::NotRun, "neither right nor wrong");
        assert_eq!(judged(Outcome::NotRun, Some(true)), TestVerdict::NotRun, "never correct");
        let mut told = TestCaseResult { correct: Some(false), ..TestCaseResult::default() };
        told.set_verdict(TestVerdict::PresentationError);
        assert_eq!((told.judged(), told.is_wrong()), (TestVerdict::PresentationError, true));
    }

    #[test]
    fn every_size_that_ended_ok_can_have_a_judgement() {
        let size = |outcome: Outcome, is_judged: bool| SizeResult {
            outcome: outcome.into(),
            output_check: is_judged.then(Box::default),
            ..SizeResult::default()
        };
        let lacks = |sizes| ProfileReport { sizes, ..Default::default() }.lacks_output_checks();
        assert!(!lacks(vec![size(Outcome::Ok, true), size(Outcome::TimeLimit, false)]));
        assert!(lacks(vec![size(Outcome::Ok, true), size(Outcome::Ok, false)]));
    }

    #[test]
    fn lines_are_in_the_strict_report() {
        let line = Hotspot {
            line: 23,
            function: "work(int)".into(),
            self_share: 0.412,
            cumulative_share: 0.412,
            ..Hotspot::default()
        };
        let counted =
            Hotspot { line: 7, inclusive_share: Some(0.57), count: Some(1), ..line.clone() };
        let other = Hotspot { file: "lib/a.h".into(), ..line.clone() };
        let mut report = ProfileReport {
            hotspot_lines: vec![line, counted, other],
            files: vec![SourceFile { path: "lib/a.h".into(), text: String::new() }],
            ..ProfileReport::default()
        };
        report.summarize();
        assert!(report.hotspots.contains_key("lib/a.h:line_23"), "{:?}", report.hotspots);
        assert_eq!(report.hotspots["line_23"], "41.2% self, 41.2% cumulative, in work(int)");
        assert_eq!(report.hotspots["line_7"], "41.2% self, 57.0% inclusive, once, in work(int)");
    }
}
