//! A case of the table: a program, its limits and its right endings.

use crate::harness::{Ended, SIZE};
use profiler_core::error::ErrorCode;
use profiler_core::report::{Hint, InteractorResult, KilledBy, Outcome, SizeResult};
use std::fmt;

/// What a case is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Nothing hostile: what the hostile ones are compared with.
    Ordinary,
    /// The compiler, and what a source can make of it.
    Compile,
    /// Programs that do not end.
    Time,
    /// Programs that take memory.
    Memory,
    /// Programs that take stack.
    Stack,
    /// Programs that start others, or end them.
    Processes,
    /// Programs that write.
    Output,
    /// Programs that reach for what is not theirs.
    Reach,
    /// The ways to end.
    Ending,
    /// Interactive tasks, either side of which may be hostile.
    Interactive,
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ordinary => "ordinary",
            Self::Compile => "compile",
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Stack => "stack",
            Self::Processes => "processes",
            Self::Output => "output",
            Self::Reach => "reach",
            Self::Ending => "ending",
            Self::Interactive => "interactive",
        })
    }
}

/// A program of `programs/`, its limits, and its right endings.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The file's name without `.cpp`; an interactive case has a name of its own.
    pub program: &'static str,
    /// Instead of that program, two files of `interactive/`: the program and its interactor.
    pub interactive: Option<(&'static str, &'static str)>,
    /// Time limit.
    pub timeout_ms: u32,
    /// Limit of the resident set.
    pub memory_mb: u32,
    /// g++'s flags; the default ones, if none.
    pub flags: &'static [&'static str],
    /// Whether it is profiled by lines as well.
    pub debug: bool,
    /// Whether it says nothing about a sandbox without a memory cgroup.
    pub needs_cgroup: bool,
    /// Why a wrong ending may be looked at once more; `None`: it may not.
    pub retry: Option<&'static str>,
    /// What may stand nowhere in the answer.
    pub secrets: &'static [&'static str],
    /// What may come out.
    pub expected: &'static [Expected],
}

/// A right ending. An empty list and `None` leave open what they are about.
#[derive(Debug, Clone, Copy)]
pub struct Expected {
    /// `None`: the program does not compile.
    pub outcome: Option<Outcome>,
    /// Names of the limit that was met.
    pub limits: &'static [&'static str],
    /// How that was seen.
    pub methods: &'static [&'static str],
    /// The signal.
    pub signal: Option<&'static str>,
    /// The exit code.
    pub exit_code: Option<i32>,
    /// The hint.
    pub hint: Option<&'static str>,
    /// Who ended it.
    pub killed_by: Option<KilledBy>,
    /// What the error says, or stderr at its end.
    pub says: &'static str,
    /// What came of the interactor.
    pub interactor: Option<Outcome>,
    /// What its stderr says at its end.
    pub interactor_says: &'static str,
    /// Whether the compiler's output was cut.
    pub truncated: bool,
    /// What the runtime must not be below, in milliseconds.
    pub least_ms: f64,
}

impl Case {
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

    pub(super) const fn debug(mut self) -> Self {
        self.debug = true;
        self
    }

    pub(super) const fn needs_cgroup(mut self) -> Self {
        self.needs_cgroup = true;
        self
    }

    /// Has a wrong ending looked at once more, for this reason. Every retry is printed and counted.
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
    /// Whether this is what came out.
    pub fn admits(&self, ended: &Ended) -> bool {
        let cut = ended.report().compile.as_ref().is_some_and(|step| step.truncated);
        let right = match self.outcome {
            None => ended.error().is_some_and(|error| {
                error.code == ErrorCode::Compile && error.message.contains(self.says)
            }),
            Some(_) => ended.error().is_none() && self.admits_size(ended.size(SIZE)),
        };
        right && (cut || !self.truncated)
    }

    fn admits_size(&self, result: &SizeResult) -> bool {
        let evidence = &result.evidence;
        let met = evidence.met.as_ref();
        self.outcome == Some(result.outcome)
            && one_of(self.limits, met.map(|met| met.kind.as_str()))
            && one_of(self.methods, met.map(|met| met.method.as_str()))
            && (self.signal.is_none() || self.signal == evidence.signal)
            && (self.exit_code.is_none() || self.exit_code == evidence.exit_code)
            && (self.hint.is_none() || self.hint == evidence.hint.map(Hint::as_str))
            && self.killed_by.is_none_or(|who| who == evidence.killed_by)
            && result.stderr_tail.contains(self.says)
            && self.admits_interactor(result.interactor.as_ref())
            && result.runtime_ms() >= self.least_ms
    }
}

impl Expected {
    fn admits_interactor(&self, found: Option<&InteractorResult>) -> bool {
        let outcome = found.map(|found| found.outcome);
        let said = found.map_or("", |found| &found.stderr_tail);
        (self.interactor.is_none() || self.interactor == outcome)
            && said.contains(self.interactor_says)
    }
}

fn one_of(allowed: &[&str], found: Option<&str>) -> bool {
    allowed.is_empty() || found.is_some_and(|found| allowed.contains(&found))
}
