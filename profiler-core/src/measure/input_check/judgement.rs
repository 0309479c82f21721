//! Conclusions about a program's input from its runs on a continued input.
//!
//! A program that needs no more than its input does the same whatever follows. A program that reads
//! to the end of its input depends on all that follows. A program that lacks something depends on
//! the beginning of what follows (*near*) and not on the rest (*far*). A read at the end of the
//! input proves nothing, because every program that reads in blocks makes one.

use profiler_proto::v1::InputUse;
use runner_protocol::{Breach, Ending, Execution, Written};

/// Largest difference in instructions that a library can make by the way it reads the last block.
const READING: u64 = 2000;
/// Maximum number of additional instructions to skip a long word instead of a short one.
const WORD: u64 = 200;
/// Minimum length of a common beginning of two outputs, in bytes, that consists of answers which
/// the program wrote before it read on. A shorter beginning may be common to all answers.
const ANSWERS: usize = 512;
/// Divisor of the change in work that the near part makes. If the far part changes the work by at
/// most the quotient, it counts as without effect.
const FAR_PART: u64 = 8;
/// Divisor of the time of a run that met its time limit. This run lacked input only if the run on
/// the longer input took at most the quotient.
const QUICK_PART: u64 = 4;

/// Observations of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) execution: Execution,
    /// Instructions in user mode; absent if they cannot be counted.
    pub(super) instructions: Option<u64>,
    pub(super) written: Written,
}

/// The three runs of an experiment.
#[derive(Debug)]
pub(super) struct Runs {
    /// Run on the input as it is.
    pub(super) given: Seen,
    /// Run on the input, continued by more than the program can lack (the near part).
    pub(super) near: Seen,
    /// Run on the input, continued by the near part and then by other words (the far part).
    pub(super) far: Seen,
}

/// Conclusion from the three runs. Repetitions must confirm that a program lacks input, because a
/// clock or a random number also makes runs differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finding {
    Settled(InputUse),
    /// The near part changes the output.
    StarvedByOutput,
    /// The output shows nothing, but the near part changes the work.
    StarvedByWork,
    /// The near part changes the work so little that the program may only have met the end of its
    /// input. The program lacked input if other digits or longer words in the near part make a
    /// difference.
    StarvedIfWordsMatter,
    /// The near part changes the work as little, but the far part changes it too. Reading more
    /// blocks also has this effect, and the number of blocks depends only on the length of the
    /// input. The program lacked input if other digits make a difference.
    StarvedIfDigitsMatter,
}

/// Conclusion about the end of an input, from a run without this end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// The program reads the end.
    Missed,
    /// The program does not need the end.
    Unread,
    /// The output is the same, but the work differs, varies or is unknown.
    Unclear,
}

impl Seen {
    /// Returns the conclusion from this run on a cut input. `given` is a run on the whole input,
    /// and `noise` is the difference in instructions from a second such run.
    pub(super) fn after_cut(&self, given: &Self, noise: Option<u64>) -> Cut {
        if self.execution.ending != given.execution.ending || !self.wrote_like(given) {
            Cut::Missed
        } else if noise == Some(0) && self.work_from(given) == Some(0) {
            Cut::Unread
        } else {
            Cut::Unclear
        }
    }

    pub(super) fn is_ok(&self) -> bool {
        self.execution.ending.is_success() && !self.execution.output_full
    }

    pub(super) fn wrote_like(&self, other: &Self) -> bool {
        self.written.stdout_bytes == other.written.stdout_bytes
            && self.written.stdout_sha256 == other.written.stdout_sha256
    }

    /// Whether the run ended and wrote like `other`, and executed at most `but_for` instructions
    /// more or less.
    pub(super) fn is_like(&self, other: &Self, but_for: u64) -> bool {
        self.execution.ending == other.execution.ending
            && self.wrote_like(other)
            && self.work_from(other).is_none_or(|work| work <= but_for)
    }

    /// Returns the length of the common beginning of both outputs in bytes, as far as the outputs
    /// were kept.
    fn begins_like(&self, other: &Self) -> usize {
        let [a, b] = [self, other].map(|seen| &seen.written.stdout_head);
        a.iter().zip(b).take_while(|(a, b)| a == b).count()
    }

    /// Returns the difference from `other` in instructions.
    pub(super) fn work_from(&self, other: &Self) -> Option<u64> {
        Some(self.instructions?.abs_diff(other.instructions?))
    }
}

impl Runs {
    pub(super) fn judge(&self) -> Finding {
        use InputUse::{Enough, ReadsToEnd, Starved, Unknown};
        let Self { given, near, far } = self;
        let (is_near_ok, is_far_ok) = (near.is_ok(), far.is_ok());
        if !given.is_ok() {
            let is_mended = is_near_ok && is_far_ok && near.wrote_like(far) && self.is_mended();
            return Finding::Settled(if is_mended { Starved } else { Unknown });
        }
        // If the work is the same, the program did not read on, and something like a clock made the
        // difference.
        let has_read_on = near.work_from(given) != Some(0);
        let changed = !given.wrote_like(near) && near.wrote_like(far) && is_far_ok;
        if is_near_ok && has_read_on && (changed || self.is_corrected()) {
            return Finding::StarvedByOutput;
        }
        let is_same = given.wrote_like(near) && near.wrote_like(far);
        match (is_near_ok, is_far_ok, self.judge_work()) {
            (true, true, Finding::Settled(Unknown)) if is_same => Finding::Settled(Enough),
            (true, true, finding) => finding,
            (false, false, _) => Finding::Settled(Unknown),
            _ => Finding::Settled(ReadsToEnd),
        }
    }

    /// Draws the conclusion from the work alone, if the output says nothing.
    pub(super) fn judge_work(&self) -> Finding {
        use InputUse::{Enough, ReadsToEnd, Unknown};
        let Self { given, near, far } = self;
        let (Some(near_work), Some(far_work)) = (near.work_from(given), far.work_from(near)) else {
            return Finding::Settled(Unknown);
        };
        let is_bounded = far_work.saturating_mul(FAR_PART) <= near_work;
        if near_work == 0 {
            Finding::Settled(Enough)
        } else if near_work > READING {
            if is_bounded { Finding::StarvedByWork } else { Finding::Settled(ReadsToEnd) }
        } else if !given.wrote_like(near) {
            Finding::Settled(Enough)
        } else if is_bounded {
            Finding::StarvedIfWordsMatter
        } else {
            Finding::StarvedIfDigitsMatter
        }
    }

    /// Whether the program answers while it reads, and its first answers differ from those that it
    /// gives to the input alone.
    fn is_corrected(&self) -> bool {
        let Self { given, near, far } = self;
        let answered = given.written.stdout_head.len().max(1);
        near.begins_like(far) >= ANSWERS && given.begins_like(near) < answered.div_ceil(2)
    }

    /// Returns `finding`, or what remains of it after a second run on the input as it is and a
    /// second run on the near part.
    pub(super) fn repeated(&self, finding: Finding, [given, near]: &[Seen; 2]) -> Finding {
        let writes_again = given.wrote_like(&self.given) && near.wrote_like(&self.near);
        let finding = match finding {
            Finding::StarvedByOutput if writes_again => return finding,
            Finding::StarvedByOutput => self.judge_work(),
            other => other,
        };
        let noises = [given.work_from(&self.given), near.work_from(&self.near)];
        let noise = noises.map(|noise| noise.unwrap_or(u64::MAX)).into_iter().fold(0, u64::max);
        let near_work = self.near.work_from(&self.given).unwrap_or(0);
        match finding {
            Finding::StarvedByWork if noise.saturating_mul(FAR_PART) <= near_work => finding,
            Finding::StarvedIfWordsMatter | Finding::StarvedIfDigitsMatter if noise == 0 => finding,
            Finding::Settled(_) => finding,
            _ => Finding::Settled(InputUse::Unknown),
        }
    }

    /// Judges whether the program lacks input, by a run whose near part has longer words.
    pub(super) fn judge_words(&self, longer: &Seen) -> InputUse {
        if longer.is_like(&self.near, WORD) { InputUse::Enough } else { InputUse::Starved }
    }

    /// Judges whether the program lacks input, by the run `other`, whose near part has other
    /// digits.
    pub(super) fn judge_digits(&self, other: &Seen) -> InputUse {
        if other.is_like(&self.near, 0) { InputUse::Enough } else { InputUse::Starved }
    }

    /// Whether the program, which failed on the input as it is, ends because of more input. If the
    /// failed run was stopped at a time limit, the program may just be slow, so the run on more
    /// input must be much shorter.
    fn is_mended(&self) -> bool {
        let stopped = matches!(
            self.given.execution.ending,
            Ending::Stopped(Breach::Time(_) | Breach::Wall(_))
        );
        let [given_ns, near_ns] =
            [&self.given, &self.near].map(|seen| seen.execution.sample.wall_ns);
        !stopped || near_ns.saturating_mul(QUICK_PART) <= given_ns
    }
}

#[cfg(test)]
mod tests;
