//! The evidence for an outcome.

use super::outcome::Outcome;

/// Party that ended the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KilledBy {
    /// The program exited, or a signal that it caused ended it.
    Itself,
    /// The runner's timer or sampler.
    Profiler,
    /// The kernel's OOM killer, in the sandbox's cgroup.
    KernelOom,
    /// The kernel, at a resource limit.
    KernelRlimit,
}

impl KilledBy {
    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Itself => "itself",
            Self::Profiler => "profiler",
            Self::KernelOom => "kernel_oom",
            Self::KernelRlimit => "kernel_rlimit",
        }
    }
}

/// The limit that was exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitKind {
    /// The time limit, on the headline clock.
    Time,
    /// The hard stop of the wall clock.
    Wall,
    /// The limit of processor time.
    Cpu,
    /// The memory limit.
    Memory,
    /// The limit of the size of one written file.
    Output,
}

impl LimitKind {
    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Wall => "wall",
            Self::Cpu => "cpu",
            Self::Memory => "memory",
            Self::Output => "output",
        }
    }

    /// The unit of the limit and of the measured value.
    pub fn unit(self) -> Unit {
        match self {
            Self::Time | Self::Wall | Self::Cpu => Unit::Ms,
            Self::Memory | Self::Output => Unit::Mib,
        }
    }
}

/// The unit of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Milliseconds.
    Ms,
    /// Mebibytes: 2^20 bytes.
    Mib,
}

impl Unit {
    /// The symbol.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ms => "ms",
            Self::Mib => "MiB",
        }
    }
}

/// Method of detecting a breach of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DetectionMethod {
    /// The runner's timer, or a clock reading after the run.
    Timer,
    /// A signal that the kernel sends at a resource limit.
    Rlimit,
    /// The cgroup's count of OOM kills.
    OomKill,
    /// The peak resident set after the run.
    PeakRss,
    /// The sizes of the binary's segments, before any run.
    #[serde(rename = "p_memsz")]
    SegmentSizes,
    /// Memory, sampled during the run: resident sets, or what a cgroup counts in a memory probe.
    Polled,
    /// The most that a memory cgroup had counted for all of the program's processes, after the run.
    CgroupPeak,
    /// The size of the output file.
    FileSize,
}

impl DetectionMethod {
    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Timer => "timer",
            Self::Rlimit => "rlimit",
            Self::OomKill => "oom_kill",
            Self::PeakRss => "peak_rss",
            Self::SegmentSizes => "p_memsz",
            Self::Polled => "polled",
            Self::CgroupPeak => "cgroup_peak",
            Self::FileSize => "file_size",
        }
    }
}

/// The probable cause of an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Hint {
    /// The program used up its stack.
    Stack,
    /// An allocation was refused.
    BadAlloc,
    /// Program and interactor waited for each other.
    Silence,
}

impl Hint {
    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stack => "stack",
            Self::BadAlloc => "bad_alloc",
            Self::Silence => "silence",
        }
    }
}

/// A limit that was exceeded.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct MetLimit {
    /// The kind of limit.
    pub kind: LimitKind,
    /// The limit's value, in [`LimitKind::unit`].
    pub limit: f64,
    /// The measured value, in [`LimitKind::unit`].
    pub met: f64,
    /// The part of the limit that is above the task's own one, in [`LimitKind::unit`].
    pub grace: Option<f64>,
    /// Method of detecting the breach.
    pub method: DetectionMethod,
}

/// The evidence for an outcome.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Evidence {
    /// The limit that was exceeded, if any.
    pub met: Option<MetLimit>,
    /// Party that ended the program.
    pub killed_by: KilledBy,
    /// The name of the signal that ended the program.
    pub signal: Option<&'static str>,
    /// The program's exit code.
    pub exit_code: Option<i32>,
    /// The probable cause.
    pub hint: Option<Hint>,
}

/// An outcome and its evidence.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Verdict {
    /// Outcome of the run.
    pub outcome: Outcome,
    /// The evidence for the outcome.
    pub evidence: Evidence,
}

impl Verdict {
    /// The verdict on a run that was left out.
    pub(crate) fn not_run() -> Self {
        let evidence = Evidence {
            met: None,
            killed_by: KilledBy::Itself,
            signal: None,
            exit_code: None,
            hint: None,
        };
        Self { outcome: Outcome::NotRun, evidence }
    }
}
