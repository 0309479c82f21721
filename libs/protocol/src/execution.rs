//! Results of measuring: a batch of runs, one run, and how it ended.

use crate::run::Clock;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A batch of runs of one size.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BatchResult {
    /// The warm-up; absent if the program killed the process that measured it.
    pub warm_up: Option<Execution>,
    /// Output of `/usr/bin/time -v` about the warm-up; absent unless `time` itself ended normally.
    #[serde(with = "serde_bytes")]
    pub gnu_time: Option<Vec<u8>>,
    /// The repetitions in order. All but the last ended with exit code 0 inside their limits.
    pub repetitions: Vec<Execution>,
    /// The output of the last run.
    pub written: Written,
    /// Number of repetitions that wrote another stdout than the first run did.
    pub other_outputs: u32,
    /// Number of those that wrote other words.
    pub other_words: u32,
    /// The interactor's run in each repetition; empty without an interactor.
    pub interactor_runs: Vec<InteractorRun>,
    /// The end of the interactor's stderr in the last repetition.
    #[serde(with = "serde_bytes")]
    pub interactor_stderr_tail: Vec<u8>,
}

/// The interactor's figures in one interactive run, and how the two programs ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InteractorRun {
    /// Ending and figures of the interactor.
    pub execution: Execution,
    /// Whether the interactor exited before the program. Also true if only the interactor was
    /// working at the hard stop of the wall clock.
    pub left_first: bool,
    /// Whether both were waiting for each other at the hard stop of the wall clock.
    pub silent: bool,
    /// `CLOCK_MONOTONIC`, from the program's exec until both had ended.
    pub wall_ns: u64,
}

/// The output of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Length of stdout.
    pub stdout_bytes: u64,
    /// SHA-256 of stdout.
    pub stdout_sha256: [u8; 32],
    /// [`WordDigest`] of stdout.
    pub stdout_words_sha256: [u8; 32],
    /// Its beginning.
    #[serde(with = "serde_bytes")]
    pub stdout_head: Vec<u8>,
    /// The end of stderr.
    #[serde(with = "serde_bytes")]
    pub stderr_tail: Vec<u8>,
}

/// SHA-256 of the words of a text, with a line feed after each word. Blanks and line ends between
/// words do not change it.
#[derive(Debug, Default)]
pub struct WordDigest {
    hash: Sha256,
    /// Whether the last byte belongs to a word.
    is_in_word: bool,
}

impl WordDigest {
    /// The digest of a whole text.
    pub fn of(text: &[u8]) -> [u8; 32] {
        let mut words = Self::default();
        words.update(text);
        words.finish()
    }

    /// Adds the next block of the text.
    pub fn update(&mut self, block: &[u8]) {
        let mut kept = Vec::with_capacity(block.len());
        for &byte in block {
            let is_in_word = !byte.is_ascii_whitespace();
            if is_in_word {
                kept.push(byte);
            } else if self.is_in_word {
                kept.push(b'\n');
            }
            self.is_in_word = is_in_word;
        }
        self.hash.update(&kept);
    }

    /// The digest of all blocks.
    pub fn finish(mut self) -> [u8; 32] {
        if self.is_in_word {
            self.hash.update(b"\n");
        }
        self.hash.finalize().into()
    }
}

/// One run of one process: how it ended, and its figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Execution {
    /// Ending of the process.
    pub ending: Ending,
    /// The figures.
    pub sample: Sample,
    /// The increase of the cgroup's count of OOM kills during the run.
    pub oom_kills: u64,
    /// Whether stdout or stderr reached the file size limit.
    pub output_full: bool,
}

/// Ending of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// Exit with this code.
    Exited(i32),
    /// A signal ended it, and the runner did not send that signal.
    Signaled(i32),
    /// The runner ended it.
    Stopped(Breach),
}

impl Ending {
    /// Whether it exited with 0.
    pub fn is_success(self) -> bool {
        self == Self::Exited(0)
    }
}

/// Reason why the runner ended a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Breach {
    /// The time limit's clock exceeded `time_ns`; this is what it showed.
    Time(u64),
    /// The wall clock exceeded `wall_ns`; this is what it showed.
    Wall(u64),
    /// A sampled resident set exceeded `resident_bytes`, or what a memory cgroup counted in a
    /// memory probe exceeded it by [`HELD_SLACK_BYTES`](crate::HELD_SLACK_BYTES); this is the size.
    Resident(u64),
}

/// The figures of one run. All are differences over one interval. It begins when the child, fully
/// set up, calls `exec`. It ends when the child is a zombie, before it is reaped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// `CLOCK_MONOTONIC`, from exec to the end of the process (not to the runner's wake-up).
    pub wall_ns: u64,
    /// Processor time of all processes of the run.
    pub cpu_ns: Option<u64>,
    /// `ru_utime`.
    pub user_ns: u64,
    /// `ru_stime`.
    pub sys_ns: u64,
    /// Second field of `/proc/PID/schedstat`: the leader's time runnable but not running.
    pub run_delay_ns: Option<u64>,
    /// `ru_maxrss` of the process, its waited-for children and the processes that it left behind.
    pub peak_rss_bytes: u64,
    /// The most that all processes of the run held together, as a memory cgroup counts it; 0 if
    /// that is unknown. Where its peak cannot be set back, as in a container, the most at one of
    /// the readings every 10 ms.
    pub held_bytes: u64,
    /// Whether threads or processes besides the leader existed. The run delay does not include
    /// theirs.
    pub concurrent: bool,
}

impl Sample {
    /// The interval's length on `clock`, in nanoseconds; `None` if the kernel does not report what
    /// the clock needs.
    pub fn on(&self, clock: Clock) -> Option<u64> {
        match clock {
            Clock::Unloaded => self.run_delay_ns.map(|delay| self.wall_ns.saturating_sub(delay)),
            Clock::Wall => Some(self.wall_ns),
            Clock::Cpu => self.cpu_ns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_is_that_of_the_words_alone() {
        let expected: [u8; 32] = Sha256::digest(b"12\n3\n").into();
        for text in ["12 3", "12\n3\n", " 12\t\r\n 3 "] {
            assert_eq!(WordDigest::of(text.as_bytes()), expected, "{text:?}");
        }
        for text in ["1 2 3", "123", "12", "3 12", ""] {
            assert_ne!(WordDigest::of(text.as_bytes()), expected, "{text:?}");
        }
        assert_eq!(WordDigest::of(b" \n"), WordDigest::of(b""));
    }

    #[test]
    fn blocks_may_end_anywhere() {
        let text = b" 12\t\r\n 3 ";
        for end in 0..=text.len() {
            let mut words = WordDigest::default();
            let (first, rest) = text.split_at(end);
            words.update(first);
            words.update(rest);
            assert_eq!(words.finish(), WordDigest::of(text), "after {end}");
        }
    }
}
