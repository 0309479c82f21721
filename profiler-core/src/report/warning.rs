//! Warnings: facts that a reader must know before trusting the figures.

use crate::job::Point;
use std::fmt;

/// One warning of a report.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Warning {
    /// The kind of warning.
    pub code: WarningCode,
    /// The size that the warning is about.
    pub size: Option<u64>,
    /// The candidate that the warning is about, if there are several.
    pub candidate: Option<u32>,
    /// One sentence for a person.
    pub message: String,
}

impl Warning {
    /// A warning about the whole run.
    pub(crate) fn new(code: WarningCode, message: impl Into<String>) -> Self {
        Self { code, size: None, candidate: None, message: message.into() }
    }

    /// A warning about one input. The report builder removes the candidate if there is only one.
    pub(crate) fn about(code: WarningCode, point: Point, message: impl Into<String>) -> Self {
        let (size, candidate) = (Some(point.size), Some(point.candidate));
        Self { code, size, candidate, message: message.into() }
    }
}

/// Every kind of warning. The names are stable: callers match on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WarningCode {
    /// A compiler flag makes figures incomparable with those of other hosts.
    IncomparableFlag,
    /// One core runs the program and everything else.
    OneCore,
    /// The start-up of an empty program is unknown.
    NoStartUp,
    /// The program ended differently in the memory probe, or held over 16 MiB less than in every
    /// repetition. Then the probe gives no figures.
    ProbeDiffers,
    /// A size did not end OK.
    RuntimeFailure,
    /// Some runs of a size ended OK before one failed.
    Unstable,
    /// `/usr/bin/time` reported a different peak than the runner.
    MemoryMismatch,
    /// The headline is the wall clock, which includes load.
    WallClock,
    /// The headline of a size is not precise enough.
    Noisy,
    /// The parts of a run's wall clock contradict each other.
    Inconsistent,
    /// Instructions cannot be counted at all.
    InstructionsUnsupported,
    /// Runs on the same input executed different instructions or wrote different output.
    NotDeterministic,
    /// A counted run ended differently from the timed runs.
    NotCounted,
    /// Some test cases were not run.
    TestCasesNotRun,
    /// A test case got a wrong answer or none.
    WrongAnswer,
    /// Instructions cannot be counted for growth.
    GrowthUnsupported,
    /// There are no hotspots.
    NoHotspots,
    /// There are more call stacks than the counter keeps.
    PartialCallStacks,
    /// No allocations could be recorded.
    NoAllocations,
    /// The record of allocations ends before the program does.
    AllocationsPartial,
    /// The figures of allocations are lower bounds.
    AllocationsLowerBounds,
    /// `#line` directives renumber the lines of the source.
    LineDirectives,
    /// The program reads more than its input holds.
    InputExhausted,
    /// Runs on the same input, the memory probe among them, took two separate amounts of processor
    /// time.
    TwoWays,
    /// Some runs of a size were slowed by the host; its figures are of runs in a new sandbox.
    SlowSpell,
    /// The program held more memory than the resident sets of the repetitions show.
    MemoryBeside,
    /// The peak is that of the largest of several processes.
    LargestProcess,
}

impl WarningCode {
    /// Every code, in the order of declaration.
    pub const ALL: [Self; 27] = [
        Self::IncomparableFlag,
        Self::OneCore,
        Self::NoStartUp,
        Self::ProbeDiffers,
        Self::RuntimeFailure,
        Self::Unstable,
        Self::MemoryMismatch,
        Self::WallClock,
        Self::Noisy,
        Self::Inconsistent,
        Self::InstructionsUnsupported,
        Self::NotDeterministic,
        Self::NotCounted,
        Self::TestCasesNotRun,
        Self::WrongAnswer,
        Self::GrowthUnsupported,
        Self::NoHotspots,
        Self::PartialCallStacks,
        Self::NoAllocations,
        Self::AllocationsPartial,
        Self::AllocationsLowerBounds,
        Self::LineDirectives,
        Self::InputExhausted,
        Self::TwoWays,
        Self::SlowSpell,
        Self::MemoryBeside,
        Self::LargestProcess,
    ];

    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::IncomparableFlag => "incomparable_flag",
            Self::OneCore => "one_core",
            Self::NoStartUp => "no_start_up",
            Self::ProbeDiffers => "probe_differs",
            Self::RuntimeFailure => "runtime_failure",
            Self::Unstable => "unstable",
            Self::MemoryMismatch => "memory_mismatch",
            Self::WallClock => "wall_clock",
            Self::Noisy => "noisy",
            Self::Inconsistent => "inconsistent",
            Self::InstructionsUnsupported => "instructions_unsupported",
            Self::NotDeterministic => "not_deterministic",
            Self::NotCounted => "not_counted",
            Self::TestCasesNotRun => "test_cases_not_run",
            Self::WrongAnswer => "wrong_answer",
            Self::GrowthUnsupported => "growth_unsupported",
            Self::NoHotspots => "no_hotspots",
            Self::PartialCallStacks => "partial_call_stacks",
            Self::NoAllocations => "no_allocations",
            Self::AllocationsPartial => "allocations_partial",
            Self::AllocationsLowerBounds => "allocations_lower_bounds",
            Self::LineDirectives => "line_directives",
            Self::InputExhausted => "input_exhausted",
            Self::TwoWays => "two_ways",
            Self::SlowSpell => "slow_spell",
            Self::MemoryBeside => "memory_beside",
            Self::LargestProcess => "largest_process",
        }
    }
}

impl fmt::Display for WarningCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_code_has_a_name_of_its_own() {
        let names: BTreeSet<_> = WarningCode::ALL.map(WarningCode::as_str).into();
        assert_eq!(names.len(), WarningCode::ALL.len());
    }
}
