//! Answer of a program to an input. Answers are compared word by word: blanks and line ends do not
//! matter.

use crate::error::SandboxFault;
use crate::measure::session::MeasureSession;
use crate::measure::verdict::judge;
use crate::report::{Outcome, Verdict};
use runner_protocol::Written;

/// Answer of a program to one input.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Outcome of the run, and the evidence for it.
    pub verdict: Verdict,
    /// Output of the program: all of stdout up to [`runner_protocol::MAX_STDOUT_HEAD_BYTES`].
    pub written: Written,
}

/// Whether two programs answer the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// Both ended OK, and wrote the same words.
    Same,
    /// One wrote other words, or did not end OK.
    Different,
    /// The kept parts of both answers agree, but an answer is longer than that.
    Unknown,
}

/// The first word at which two answers differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordDifference {
    /// The word's number in both answers, from 1.
    pub number: usize,
    /// The word of each answer; `None` where the answer has ended.
    pub words: [Option<Vec<u8>>; 2],
}

impl Answer {
    /// Runs the program once on `input`.
    pub(crate) async fn of_run(
        session: &mut MeasureSession<'_>,
        input: &[u8],
    ) -> Result<Self, SandboxFault> {
        let ran = session.run_with_input(input).await?;
        let run = ran.repetitions.first();
        let run = run.ok_or_else(|| SandboxFault::Lost("the program was not run".into()))?;
        let verdict = judge(run, &session.job.limits, &ran.written.stderr_tail);
        Ok(Self { verdict, written: ran.written })
    }

    /// Whether the program ended OK.
    pub fn is_ok(&self) -> bool {
        self.verdict.outcome == Outcome::Ok
    }

    /// Whether two programs agree about an input.
    pub fn agreement(&self, other: &Self) -> Agreement {
        if !self.is_ok() || !other.is_ok() {
            return Agreement::Different;
        }
        let [one, two] =
            [self, other].map(|it| (it.written.stdout_bytes, it.written.stdout_sha256));
        if one == two {
            Agreement::Same
        } else if self.first_difference(other).is_some() {
            Agreement::Different
        } else if self.is_whole() && other.is_whole() {
            Agreement::Same
        } else {
            Agreement::Unknown
        }
    }

    /// Whether two runs of one program on one input ended and answered alike.
    pub fn is_repeated_by(&self, again: &Self) -> bool {
        let failed_again = !self.is_ok() && self.verdict.outcome == again.verdict.outcome;
        failed_again || self.agreement(again) == Agreement::Same
    }

    /// The first word at which the kept parts of two answers differ.
    pub fn first_difference(&self, other: &Self) -> Option<WordDifference> {
        let [mut ours, mut theirs] = [self, other].map(Self::whole_words);
        for number in 1.. {
            let words = [ours.next(), theirs.next()];
            let has_ended = |answer: &Self, word: Option<_>| answer.is_whole() && word.is_none();
            match words {
                [Some(one), Some(two)] if one == two => {}
                [None, None] => break,
                [one, two]
                    if (one.is_some() || has_ended(self, one))
                        && (two.is_some() || has_ended(other, two)) =>
                {
                    let words = words.map(|word| word.map(<[u8]>::to_vec));
                    return Some(WordDifference { number, words });
                }
                _ => break,
            }
        }
        None
    }

    /// Whether all of stdout was kept.
    pub fn is_whole(&self) -> bool {
        self.written.stdout_bytes == self.written.stdout_head.len() as u64
    }

    /// The words of what was kept. The last word of an answer that was cut may be cut too, and is
    /// left out.
    fn whole_words(&self) -> impl Iterator<Item = &[u8]> {
        let kept = &self.written.stdout_head;
        let last_blank = kept.iter().rposition(u8::is_ascii_whitespace).unwrap_or(0);
        words(if self.is_whole() { kept } else { &kept[..last_blank] })
    }
}

/// The words of an answer.
pub(crate) fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::Agreement::{Different, Same, Unknown};
    use super::*;
    use crate::report::{Evidence, KilledBy};

    fn ended(outcome: Outcome, head: &str, cut: u64) -> Answer {
        let evidence = Evidence {
            met: None,
            killed_by: KilledBy::Itself,
            signal: None,
            exit_code: None,
            hint: None,
        };
        let mut stdout_sha256 = [0; 32];
        for (at, byte) in head.bytes().enumerate() {
            stdout_sha256[at % 32] ^= byte.rotate_left(u32::try_from(at / 32).unwrap());
        }
        let written = Written {
            stdout_bytes: head.len() as u64 + cut,
            stdout_head: head.into(),
            stdout_sha256,
            stderr_tail: Vec::new(),
        };
        Answer { verdict: Verdict { outcome, evidence }, written }
    }

    fn whole(text: &str) -> Answer {
        ended(Outcome::Ok, text, 0)
    }

    fn cut(head: &str) -> Answer {
        ended(Outcome::Ok, head, 100)
    }

    #[test]
    fn words_alone_count() {
        for (one, two, agreement) in [
            ("1 2\n3\n", "1 2\n3\n", Same),
            ("1 2\n3\n", "\n 1\t2 3", Same),
            ("", "\n", Same),
            ("12", "1 2", Different),
            ("1 2", "1 2 3", Different),
            ("", "0", Different),
        ] {
            assert_eq!(whole(one).agreement(&whole(two)), agreement, "{one:?} {two:?}");
            assert_eq!(whole(two).agreement(&whole(one)), agreement, "{two:?} {one:?}");
        }
    }

    #[test]
    fn cut_answers_differ_by_whole_words_alone() {
        for (one, two, agreement) in [
            (cut("1 2 3"), cut("1 2 3"), Same),
            (cut("1 2 3"), cut("1 2 4"), Unknown),
            (cut("1 2 3 "), cut("1 2 4"), Unknown),
            (cut("1 2 3 "), cut("1 2 4 "), Different),
            (cut("1 2 3"), whole("1 2 31"), Unknown),
            (cut("1 2 3"), whole("1"), Different),
            (cut("12"), whole("1"), Unknown),
        ] {
            assert_eq!(one.agreement(&two), agreement, "{one:?} {two:?}");
            assert_eq!(two.agreement(&one), agreement, "{two:?} {one:?}");
        }
    }

    #[test]
    fn another_ending_than_ok_is_a_difference() {
        let crashed = ended(Outcome::RuntimeError, "1", 0);
        assert_eq!(whole("1").agreement(&crashed), Different);
        assert_eq!(crashed.agreement(&crashed), Different);
    }

    #[test]
    fn ending_is_repeated_by_the_same_ending() {
        let [crash, stop] =
            [Outcome::RuntimeError, Outcome::TimeLimit].map(|outcome| ended(outcome, "", 0));
        assert!(whole("1\n").is_repeated_by(&whole("1")));
        assert!(crash.is_repeated_by(&ended(Outcome::RuntimeError, "1", 0)));
        assert!(!crash.is_repeated_by(&stop));
        assert!(!crash.is_repeated_by(&whole("1")) && !whole("1").is_repeated_by(&whole("2")));
    }

    #[test]
    fn first_difference_has_its_number_and_both_words() {
        let found = whole("1 2 3").first_difference(&whole("1 2")).unwrap();
        assert_eq!((found.number, found.words), (3, [Some(b"3".to_vec()), None]));
        assert_eq!(whole("1 2").first_difference(&whole("1\n2\n")), None);
    }
}
