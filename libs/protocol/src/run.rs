//! A run: its subject, its input, its limits, and how often to repeat it.

use crate::variant::Variant;
use serde::{Deserialize, Serialize};

/// The program to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    /// A build of the submitted program or of another source.
    Build(Variant),
    /// The runner itself, doing a fixed piece of work, which shows how fast the processor is. The
    /// work is the same for every host and toolchain.
    Calibration,
}

/// The program's stdin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Input {
    /// The file that was put or generated.
    Put,
    /// The text `{n}\n`.
    Size(u64),
    /// Input that [`Continue`] made.
    Continued,
}

/// Maximum length of a [`FileName`], in bytes.
pub const MAX_FILE_NAME_BYTES: usize = 32;

/// A plain name of a file in the program's working folder, with zeroes at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileName([u8; MAX_FILE_NAME_BYTES]);

impl FileName {
    /// `None` unless the name consists of letters, digits and `._-`, begins with a letter or digit,
    /// and is not too long.
    pub fn new(name: &str) -> Option<Self> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        let is_good = name.starts_with(|first: char| first.is_ascii_alphanumeric())
            && name.bytes().all(is_plain);
        let mut bytes = [0; MAX_FILE_NAME_BYTES];
        bytes.get_mut(..name.len()).filter(|_| is_good)?.copy_from_slice(name.as_bytes());
        Some(Self(bytes))
    }

    /// The bytes of the name.
    pub fn bytes(&self) -> &[u8] {
        self.0.split(|&byte| byte == 0).next().unwrap_or_default()
    }
}

/// Files of the working folder in place of stdin and stdout.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedFiles {
    /// The file with the input.
    pub input: Option<FileName>,
    /// The file whose content is the output.
    pub output: Option<FileName>,
}

/// Request to extend an input. The runner does not answer it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Continue {
    /// Beginning of the input: the file that was put or generated, or a size.
    pub from: Input,
    /// Continuation of the input, from a new line on: texts, each with the number of its
    /// repetitions.
    pub parts: Vec<(String, u32)>,
}

/// Request to run a subject: a warm-up if requested, then repetitions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Program to run.
    pub subject: Subject,
    /// Whether a warm-up comes first. Interactive runs have no warm-up.
    pub warm_up: bool,
    /// Whether the warm-up is started by `/usr/bin/time -v`, whose figures are a cross-check. It
    /// takes some 3 ms longer then.
    pub gnu_time: bool,
    /// The processor for the program and everything that it starts.
    pub core: Option<u32>,
    /// The program's stdin.
    pub input: Input,
    /// The files that the program opens in place of stdin and stdout.
    pub files: NamedFiles,
    /// Limits of each run.
    pub limits: Limits,
    /// Stop rule of the repetitions.
    pub stop: Stop,
    /// Maximum size of the returned beginning of stdout, in bytes, at most
    /// [`MAX_STDOUT_HEAD_BYTES`](crate::MAX_STDOUT_HEAD_BYTES).
    pub stdout_head: u32,
    /// Limits of the interactor, if there is one. The interactor then gets the input, and each
    /// program's stdout is the other's stdin.
    pub interactor: Option<Limits>,
    /// Whether the runner counts the lines that the program writes to the interactor. It then moves
    /// the program's output itself, which changes the times of both.
    pub counts_lines: bool,
}

/// Stop rule of a batch, which ends when the headline is precise enough, after `most` repetitions,
/// or before a repetition whose predicted end exceeds the budget. If the warm-up leaves no time for
/// a repetition, it is the only sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// Minimum number of repetitions after the warm-up before a headline counts as precise.
    pub least: u32,
    /// Maximum number of repetitions after the warm-up.
    pub most: u32,
    /// Largest half-width of the interval of a precise headline, in millionths of the headline.
    pub precision_ppm: u32,
    /// The time budget of all runs.
    pub budget: Budget,
}

/// Divisor of the warm-up's time, which a brief job adds to the budget of the repetitions.
pub const FIRST_PART: u32 = 4;

/// Time budget of a batch, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Budget {
    /// For the warm-up and the repetitions together.
    Whole(u64),
    /// For the repetitions, in addition to 1/[`FIRST_PART`] of the warm-up's time.
    Repetitions(u64),
}

/// Limits of one process that the runner starts, and of its descendants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The time limit, on `clock`.
    pub time_ns: u64,
    /// The clock of `time_ns`.
    pub clock: Clock,
    /// The hard stop, on the wall clock.
    pub wall_ns: u64,
    /// `RLIMIT_CPU`, in seconds; it takes effect later than the two limits above.
    pub cpu_s: u64,
    /// Resident bytes above which the runner kills the process, if no cgroup limits memory. A
    /// memory cgroup's count may exceed them by [`HELD_SLACK_BYTES`](crate::HELD_SLACK_BYTES).
    pub resident_bytes: u64,
    /// `RLIMIT_AS`; `u64::MAX` for none.
    pub address_space_bytes: u64,
    /// `RLIMIT_STACK`.
    pub stack_bytes: u64,
    /// `RLIMIT_FSIZE`.
    pub file_bytes: u64,
    /// `RLIMIT_NPROC`, if the sandbox has its own user ids. Otherwise it would count the processes
    /// of all sandboxes on the host together, so a pids cgroup limits processes instead.
    pub processes: u64,
    /// `RLIMIT_NOFILE`.
    pub open_files: u64,
}

/// The clock that a time limit applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Clock {
    /// Wall time minus run delay.
    Unloaded,
    /// Wall time.
    Wall,
    /// Processor time of the process.
    Cpu,
}
