//! Results of measuring: a batch of runs, one run, and how it ended.

use crate::run::Clock;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Results of a batch of runs of one size.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BatchResult {
    /// The warm-up; absent if none was requested, or if the program killed the process that
    /// measured it.
    pub warm_up: Option<Execution>,
    /// Output of `/usr/bin/time -v` about the warm-up; absent unless `time` itself ended normally.
    #[serde(with = "serde_bytes")]
    pub gnu_time: Option<Vec<u8>>,
    /// The repetitions in order. All but the last ended with exit code 0 within their limits.
    pub repetitions: Vec<Execution>,
    /// The output of the last run.
    pub written: Written,
    /// Number of repetitions whose stdout differs from the first run's.
    pub other_outputs: u32,
    /// Number of repetitions whose stdout differs in words, not only in white space.
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
    /// Whether the interactor exited before the program. At the hard stop of the wall clock, also
    /// true if only the interactor was working, or if both were and it had used more processor
    /// time.
    pub left_first: bool,
    /// Whether the two programs were waiting for each other at the hard stop of the wall clock.
    pub silent: bool,
    /// `CLOCK_MONOTONIC`, from the program's exec until both had ended.
    pub wall_ns: u64,
    /// Number of lines that the program wrote to the interactor; absent if they were not counted.
    pub lines: Option<u64>,
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
    /// The beginning of stdout.
    #[serde(with = "serde_bytes")]
    pub stdout_head: Vec<u8>,
    /// The end of stderr, of at most [`MAX_STDERR_TAIL_BYTES`](crate::MAX_STDERR_TAIL_BYTES), or
    /// [`MAX_SANITIZER_BYTES`](crate::MAX_SANITIZER_BYTES) for a sanitized build.
    #[serde(with = "serde_bytes")]
    pub stderr_tail: Vec<u8>,
}

/// SHA-256 of the words of a text, with a line feed after each word. The kind and amount of white
/// space do not change the digest.
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
    /// Number of OOM kills that the cgroup counted during the run.
    pub oom_kills: u64,
    /// Whether stdout or stderr reached the file size limit.
    pub output_full: bool,
}

/// Ending of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// The process exited with this code.
    Exited(i32),
    /// This signal ended the process, and the runner did not send it.
    Signaled(i32),
    /// The runner killed it for this reason.
    Stopped(Breach),
}

impl Ending {
    /// Whether the process exited with 0.
    pub fn is_success(self) -> bool {
        self == Self::Exited(0)
    }
}

/// Reason why the runner ended a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Breach {
    /// The time limit's clock reached `time_ns`; it showed this time, in nanoseconds.
    Time(u64),
    /// The wall clock reached `wall_ns`; it showed this time, in nanoseconds.
    Wall(u64),
    /// A sampled resident set exceeded `resident_bytes`, or, in a memory probe, the memory cgroup's
    /// count exceeded it by [`HELD_SLACK_BYTES`](crate::HELD_SLACK_BYTES); this is the size in
    /// bytes.
    Resident(u64),
}

/// Other threads or processes ran if the processor time of all exceeds the leader's by more than
/// one part in this many, and by more than [`OTHERS_NS`]. The clocks are read one after the other,
/// which takes microseconds.
pub const OTHERS_SHARE: u64 = 100;
/// See [`OTHERS_SHARE`], in nanoseconds.
pub const OTHERS_NS: u64 = 50_000;

/// The figures of one run, all over the same interval. The interval begins when the child, fully
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
    /// Second field of `/proc/PID/schedstat`: the time for which the leader was runnable, but not
    /// running.
    pub run_delay_ns: Option<u64>,
    /// `ru_maxrss` of the process, its waited-for children and the processes that it left behind.
    pub peak_rss_bytes: u64,
    /// Largest memory of all processes of the run together, as a memory cgroup counts it, in bytes;
    /// 0 if it is unknown. If the cgroup's peak cannot be reset, as in a container, it is the
    /// largest of the readings every 10 ms.
    pub held_bytes: u64,
    /// Position of stdin after the run, in bytes: how far the program has read its input, unless it
    /// read in a way that does not move the position, or set the position itself. 0 unless the run
    /// is one of a batch without an interactor.
    pub stdin_position: u64,
    /// Whether threads or processes besides the leader existed. The run delay does not include
    /// theirs.
    pub concurrent: bool,
}

impl Sample {
    /// The interval's length on `clock`, in nanoseconds; `None` if the kernel does not report what
    /// the clock needs. A leader also waits for the processor while its own threads and children
    /// work, so an unloaded interval has at least their processor time.
    pub fn on(&self, clock: Clock) -> Option<u64> {
        match clock {
            Clock::Unloaded => {
                let own_ns = self.wall_ns.saturating_sub(self.run_delay_ns?);
                let all_ns = self.cpu_ns.filter(|_| self.concurrent).unwrap_or(0);
                Some(own_ns.max(all_ns.min(self.wall_ns)))
            }
            Clock::Wall => Some(self.wall_ns),
            Clock::Cpu => self.cpu_ns,
        }
    }

    /// Whether the leader's run delay clearly includes work of the program's own threads or
    /// children.
    pub fn delays_itself(&self) -> bool {
        let unloaded_ns = self.on(Clock::Unloaded).unwrap_or(0);
        let own_ns = self.wall_ns.saturating_sub(self.run_delay_ns.unwrap_or(0));
        unloaded_ns.saturating_sub(own_ns) > OTHERS_NS.max(unloaded_ns / OTHERS_SHARE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_of_children_is_no_run_delay() {
        let alone = Sample {
            wall_ns: 100_000_000,
            cpu_ns: Some(70_000_000),
            run_delay_ns: Some(60_000_000),
            ..Sample::default()
        };
        assert_eq!(alone.on(Clock::Unloaded), Some(40_000_000));
        let children = Sample { concurrent: true, ..alone };
        assert_eq!(children.on(Clock::Unloaded), Some(70_000_000));
        let parallel = Sample { cpu_ns: Some(180_000_000), ..children };
        assert_eq!(parallel.on(Clock::Unloaded), Some(100_000_000), "at most the wall clock");
        let idle = Sample { cpu_ns: Some(39_000_000), ..children };
        assert_eq!(idle.on(Clock::Unloaded), Some(40_000_000), "the leader slept");
        assert_eq!(
            [alone, children, parallel, idle].map(|it| it.delays_itself()),
            [false, true, true, false]
        );
    }

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
