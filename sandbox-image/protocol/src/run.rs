//! What is run, on what, under which limits, and how often.

use crate::variant::Variant;
use serde::{Deserialize, Serialize};

/// What is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    /// A compiled variant.
    Build(Variant),
    /// The runner itself with a fixed piece of work, the same for every host and toolchain: how
    /// fast is this processor?
    Calibration,
}

/// What a program finds on stdin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Input {
    /// The file that was put or generated.
    Put,
    /// `{n}\n`.
    Size(u32),
    /// What [`Continue`] made.
    Continued,
}

/// Make an input that is longer than the one it begins with. No answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Continue {
    /// How the input begins: with the file that was put or generated, or with a size.
    pub from: Input,
    /// How it goes on, on a line of its own: each text, repeated.
    pub parts: Vec<(String, u32)>,
}

/// Run something: a warm-up under `/usr/bin/time -v` if asked for, then repetitions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// What.
    pub subject: Subject,
    /// Whether a warm-up comes first. None does before programs that talk.
    pub warm_up: bool,
    /// The processor that the program, with all it starts, is pinned to.
    pub core: Option<u32>,
    /// What the program finds on stdin.
    pub input: Input,
    /// Limits of every single run.
    pub limits: Limits,
    /// When to stop repeating.
    pub stop: Stop,
    /// How much of the beginning of stdout to return, at most
    /// [`MAX_STDOUT_HEAD_BYTES`](crate::MAX_STDOUT_HEAD_BYTES).
    pub stdout_head: u32,
    /// Limits of the interactor, where there is one. It has the input then, and what each side
    /// writes to its stdout the other reads from its stdin.
    pub interactor: Option<Limits>,
}

/// When a batch of repetitions ends: once the headline is known well enough, after `most`, or
/// before a repetition whose predicted end lies past the budget. A warm-up longer than half the
/// budget is the only sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// Repetitions after the warm-up before the headline may be known well enough.
    pub least: u32,
    /// Repetitions after the warm-up at most.
    pub most: u32,
    /// For the warm-up and the repetitions together.
    pub budget_ns: u64,
}

/// Limits of one process that the runner starts, and of what that starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The time limit, on `clock`.
    pub time_ns: u64,
    /// The clock of `time_ns`.
    pub clock: Clock,
    /// The hard stop, on the wall clock.
    pub wall_ns: u64,
    /// `RLIMIT_CPU`, behind both.
    pub cpu_s: u64,
    /// Resident bytes above which the runner kills, where no cgroup limits memory.
    pub resident_bytes: u64,
    /// `RLIMIT_AS`.
    pub address_space_bytes: u64,
    /// `RLIMIT_STACK`.
    pub stack_bytes: u64,
    /// `RLIMIT_FSIZE`.
    pub file_bytes: u64,
    /// `RLIMIT_NPROC`, where the sandbox has user ids of its own. Elsewhere it would count the
    /// processes of every sandbox on the host together, and a pids cgroup limits them instead.
    pub processes: u64,
    /// `RLIMIT_NOFILE`.
    pub open_files: u64,
}

/// What a time limit is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Clock {
    /// Wall less run delay.
    Unloaded,
    /// Wall.
    Wall,
    /// Processor time of the process.
    Cpu,
}
