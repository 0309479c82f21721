//! A case of the table: a program, its limits and its right endings.

use crate::harness::{Ended, SIZE};
use profiler_core::limits::{MIB, PATIENCE};
use profiler_proto::Word;
use profiler_proto::v1::{
    ErrorCode, InteractorResult, KilledBy, Outcome, ProfileReport, SizeResult, TestCaseResult,
    WarningCode,
};
use std::fmt;

/// Share of [`Expected::least_ms`] that a runtime must reach. The programs work by the clock of
/// their processor time, and on a busy host the wall clock less the run delay was 0.1 % below that
/// clock.
const CLOCKS_AGREE: f64 = 0.98;

/// The subject of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Not hostile, for comparison with hostile ones.
    Ordinary,
    /// The compiler, and what a source can make it do.
    Compile,
    /// Programs that do not end.
    Time,
    /// Programs that want to look faster than they are.
    Figures,
    /// Programs that use much memory.
    Memory,
    /// Programs that use much stack.
    Stack,
    /// Programs that start or kill processes.
    Processes,
    /// Programs that write.
    Output,
    /// Programs that reach for what they may not have.
    Reach,
    /// The ways in which a program can end.
    Ending,
    /// Interactive tasks; either program may be hostile.
    Interactive,
    /// Test cases with a checker; either program may be hostile.
    Checked,
    /// The first variants of patterns of cheating.
    Cheats,
    /// Their other variants.
    Variants,
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ordinary => "ordinary",
            Self::Compile => "compile",
            Self::Time => "time",
            Self::Figures => "figures",
            Self::Memory => "memory",
            Self::Stack => "stack",
            Self::Processes => "processes",
            Self::Output => "output",
            Self::Reach => "reach",
            Self::Ending => "ending",
            Self::Interactive => "interactive",
            Self::Checked => "checked",
            Self::Cheats => "cheats",
            Self::Variants => "variants",
        })
    }
}

/// Evidence that a case asks for besides the usual figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// Nothing more.
    Usual,
    /// The hotspots.
    Hotspots,
    /// The instructions of each size.
    Instructions,
    /// The allocations.
    Allocations,
}

/// A program of `programs/`, its limits, and its right endings.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The file's name without `.cpp`; an interactive case has a name of its own.
    pub program: &'static str,
    /// Instead of that program, two files of `interactive/`: the program and its interactor.
    pub interactive: Option<(&'static str, &'static str)>,
    /// Instead of that program, two files of `checked/`: the program and its checker. The job then
    /// has one test case, with the size as input.
    pub checked: Option<(&'static str, &'static str)>,
    /// A file of `checked/` whose output at every size is right. The checker then judges the
    /// outputs at the sizes too.
    pub reference: Option<&'static str>,
    /// An honest program of `programs/`, compared with which this one must be found to write a
    /// different output.
    pub against: Option<&'static str>,
    /// The public names of the patterns of cheating that it follows.
    pub patterns: &'static [&'static str],
    /// A file of `checked/` that checks the input of that test case first.
    pub validator: Option<&'static str>,
    /// Time limit.
    pub timeout_ms: u32,
    /// Limit of the resident set.
    pub memory_mb: u32,
    /// The flags for g++; the default ones if empty.
    pub flags: &'static [&'static str],
    /// Sizes that run before the size of the table.
    pub before: &'static [u64],
    /// Sizes that run after it.
    pub later: &'static [u64],
    /// The evidence that the job asks for.
    pub evidence: Evidence,
    /// Whether it runs as often as a job's figures need. Other cases run a few times.
    pub repeated: bool,
    /// Whether the time limit of the compiler, or of the checker, is short, because the case would
    /// meet no other limit first.
    pub short_limit: bool,
    /// Whether the case is meaningless without a memory cgroup.
    pub needs_cgroup: bool,
    /// Reason to run the case a second time if it ends wrongly; `None` if it may not run again.
    pub retry: Option<&'static str>,
    /// Texts that may appear nowhere in the answer.
    pub secrets: &'static [&'static str],
    /// The right endings.
    pub expected: &'static [Expected],
}

/// A right ending. An empty list or `None` allows any value.
#[derive(Debug, Clone, Copy)]
pub struct Expected {
    /// Outcome of the program; `None` if it does not compile.
    pub outcome: Option<Outcome>,
    /// The kinds of limit that may be met.
    pub limits: &'static [&'static str],
    /// The methods that may detect the limit.
    pub methods: &'static [&'static str],
    /// The signal.
    pub signal: Option<&'static str>,
    /// The exit code.
    pub exit_code: Option<i32>,
    /// The hint.
    pub hint: Option<&'static str>,
    /// Party that may have killed the program.
    pub killed_by: Option<KilledBy>,
    /// A text in the error, or in the end of stderr.
    pub says: &'static str,
    /// The interactor's outcome.
    pub interactor: Option<Outcome>,
    /// A text in the end of the interactor's stderr.
    pub interactor_says: &'static str,
    /// The result of the test case: the program's outcome, and the verdict.
    pub tested: Option<(Outcome, Option<bool>)>,
    /// A text in the reason why there is no verdict on the output at the size.
    pub unjudged: Option<&'static str>,
    /// A text in the checker's message, or in the reason why there is no verdict.
    pub checker_says: &'static str,
    /// Whether the compiler's output was cut.
    pub truncated: bool,
    /// Minimum time that the program works, in milliseconds.
    pub least_ms: f64,
    /// The longest time that the report may show, in milliseconds.
    pub most_ms: f64,
    /// The smallest and the largest peak of a size that ended OK, in MiB.
    pub peak_mb: (f64, f64),
    /// Minimum count of instructions; `None` also allows that there is no count.
    pub least_instructions: Option<u64>,
    /// Maximum count of instructions; `None` also allows that there is no count.
    pub most_instructions: Option<u64>,
    /// Maximum peak in the record of allocations, in MiB; `None` also allows that there is none.
    pub most_recorded_mb: Option<f64>,
    /// Codes of warnings that the report must have.
    pub warns: &'static [WarningCode],
}

impl Case {
    /// Returns whether every right ending is OK.
    pub(super) fn ends_well(&self) -> bool {
        self.expected.iter().all(|expected| expected.outcome == Some(Outcome::Ok))
    }

    pub(super) const fn ms(mut self, limit: u32) -> Self {
        self.timeout_ms = limit;
        self
    }

    pub(super) const fn mb(mut self, limit: u32) -> Self {
        self.memory_mb = limit;
        self
    }

    pub(super) const fn flags(mut self, flags: &'static [&'static str]) -> Self {
        self.flags = flags;
        self
    }

    /// Runs these sizes first.
    pub(super) const fn after(mut self, sizes: &'static [u64]) -> Self {
        self.before = sizes;
        self
    }

    /// Runs these sizes last.
    pub(super) const fn then(mut self, sizes: &'static [u64]) -> Self {
        self.later = sizes;
        self
    }

    /// Asks for evidence.
    pub(super) const fn asking(mut self, evidence: Evidence) -> Self {
        self.evidence = evidence;
        self
    }

    pub(super) const fn repeated(mut self) -> Self {
        self.repeated = true;
        self
    }

    /// Compares the program with an honest one.
    pub(super) const fn against(mut self, honest: &'static str) -> Self {
        self.against = Some(honest);
        self
    }

    /// Judges the outputs at the sizes, of which those of `checked/{reference}.cpp` are right.
    pub(super) const fn judged_by(mut self, reference: &'static str) -> Self {
        self.reference = Some(reference);
        self
    }

    /// Names the patterns of cheating that the program follows.
    pub(super) const fn cheats(mut self, patterns: &'static [&'static str]) -> Self {
        self.patterns = patterns;
        self
    }

    pub(super) const fn short_limit(mut self) -> Self {
        self.short_limit = true;
        self
    }

    pub(super) const fn needs_cgroup(mut self) -> Self {
        self.needs_cgroup = true;
        self
    }

    /// Runs a second time if it ends wrongly, for this reason. Every retry is printed and counted.
    pub(super) const fn retried(mut self, reason: &'static str) -> Self {
        self.retry = Some(reason);
        self
    }

    pub(super) const fn never(mut self, secrets: &'static [&'static str]) -> Self {
        self.secrets = secrets;
        self
    }
}

impl Expected {
    /// Whether a job ended this way.
    pub fn admits(&self, ended: &Ended) -> bool {
        let cut = ended.report().compile.as_ref().is_some_and(|step| step.truncated);
        let right = match self.outcome {
            None => ended.error().is_some_and(|error| {
                error.code() == ErrorCode::Compile && error.message.contains(self.says)
            }),
            Some(_) => {
                ended.error().is_none()
                    && self.admits_size(ended.size(SIZE))
                    && self.admits_test(ended.report().test_cases.first())
                    && self.admits_evidence(ended.report())
            }
        };
        right && (cut || !self.truncated)
    }

    fn admits_size(&self, result: &SizeResult) -> bool {
        let Some(evidence) = &result.evidence else {
            return self.outcome == Some(Outcome::NotRun) && result.outcome() == Outcome::NotRun;
        };
        let unjudged = result.output_check.as_ref().filter(|check| check.correct.is_none());
        self.outcome == Some(result.outcome())
            && self.unjudged.is_none_or(|why| unjudged.is_some_and(|it| it.reason.contains(why)))
            && one_of(self.limits, evidence.limit().word())
            && one_of(self.methods, evidence.method().word())
            && (self.signal.is_none() || self.signal == evidence.signal.as_deref())
            && (self.exit_code.is_none() || self.exit_code == evidence.exit_code)
            && self.hint.is_none_or(|hint| hint == evidence.hint().word())
            && self.killed_by.is_none_or(|who| who == evidence.killed_by())
            && result.stderr_tail.contains(self.says)
            && self.admits_interactor(result.interactor.as_ref())
            && result.runtime_ms() >= CLOCKS_AGREE * self.least_ms
            && result.runtime_ms() <= f64::from(PATIENCE) * self.most_ms
            && self
                .least_instructions
                .is_none_or(|least| result.instructions.is_some_and(|count| count >= least))
            && self
                .most_instructions
                .is_none_or(|most| result.instructions.is_some_and(|count| count <= most))
            && (self.peak_mb.0..=self.peak_mb.1).contains(&result.peak_memory_mb())
    }
}

impl Expected {
    fn admits_interactor(&self, found: Option<&InteractorResult>) -> bool {
        let outcome = found.map(InteractorResult::outcome);
        let said = found.map_or("", |found| &found.stderr_tail);
        (self.interactor.is_none() || self.interactor == outcome)
            && said.contains(self.interactor_says)
    }
}

impl Expected {
    fn admits_test(&self, found: Option<&TestCaseResult>) -> bool {
        let Some((outcome, correct)) = self.tested else { return true };
        found.is_some_and(|found| {
            found.outcome() == outcome
                && found.correct == correct
                && [&found.checker_message, &found.reason]
                    .iter()
                    .any(|said| said.contains(self.checker_says))
        })
    }
}

impl Expected {
    fn admits_evidence(&self, report: &ProfileReport) -> bool {
        let recorded_mb = report.allocations.as_ref().map(|it| it.peak_bytes as f64 / MIB as f64);
        let warned = |code| report.warnings.iter().any(|warning| warning.code() == code);
        self.most_recorded_mb.is_none_or(|most| recorded_mb.is_some_and(|mb| mb <= most))
            && self.warns.iter().all(|code| warned(*code))
    }
}

fn one_of(allowed: &[&str], found: &str) -> bool {
    allowed.is_empty() || allowed.contains(&found)
}
