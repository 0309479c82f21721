//! The answer of a program to an input. Unless a checker says otherwise, answers are compared word
//! by word: blanks and line ends do not matter.

use crate::error::SandboxFault;
use crate::job::Tolerance;
use crate::measure::session::{InputOf, MeasureSession};
use crate::measure::verdict::judge;
use crate::report::Verdict;
use profiler_proto::v1::{Checker, Outcome, TestCase};
use runner_protocol::{Sample, WordDigest, Written};
use sha2::{Digest, Sha256};
use std::iter;

/// Maximum length of a wrong answer in the report, and of its input, in bytes.
pub(super) const ANSWER_BYTES: usize = 4 << 10;
/// Maximum length of an answer quoted in a warning, in characters.
const QUOTED: usize = 60;

/// Answer of a program to one input.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Outcome of the run, and the evidence for it.
    pub verdict: Verdict,
    /// Output of the program: all of stdout up to [`runner_protocol::MAX_STDOUT_HEAD_BYTES`].
    pub written: Written,
    /// Time and memory of the run.
    pub sample: Sample,
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
        input: impl Into<InputOf<'_>>,
    ) -> Result<Self, SandboxFault> {
        let ran = session.answer(input).await?;
        let run = ran.repetitions.first();
        let run = run.ok_or_else(|| SandboxFault::Lost("the program was not run".into()))?;
        let verdict = judge(run, &session.job.limits, &ran.written.stderr_tail);
        Ok(Self { verdict, written: ran.written, sample: run.sample })
    }

    /// Whether the program ended OK.
    pub fn is_ok(&self) -> bool {
        self.verdict.outcome == Outcome::Ok
    }

    /// Whether two programs agree on an input: both ended OK and wrote the same words.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let is_same = self.written.stdout_words_sha256 == other.written.stdout_words_sha256;
        self.is_ok() && other.is_ok() && is_same
    }

    /// Whether the checker accepts the answer to a test case. `None` if the program did not end OK,
    /// or if the checker would need the part of the answer that was not kept.
    pub(crate) fn is_right(
        &self,
        case: &TestCase,
        checker: Checker,
        tolerance: Tolerance,
    ) -> Option<bool> {
        if !self.is_ok() {
            return None;
        }
        let expected = case.output.as_bytes();
        let has_same_words = || match case.output_words_sha256.as_slice() {
            [] => self.written.stdout_words_sha256 == WordDigest::of(expected),
            digest => self.written.stdout_words_sha256 == digest,
        };
        match checker {
            Checker::Unspecified | Checker::Words => Some(has_same_words()),
            Checker::Exact => {
                let sha256: [u8; 32] = Sha256::digest(expected).into();
                Some(self.written.stdout_sha256 == sha256)
            }
            Checker::Caseless | Checker::Numbers if has_same_words() => Some(true),
            Checker::Caseless | Checker::Numbers => self.has_words(expected, |word, expected| {
                is_accepted(word, expected, checker, tolerance)
            }),
        }
    }

    /// Whether each word of the answer `is_equal` to the word of `expected` at the same place.
    /// `None` if this holds for the words that were kept, and others are unknown.
    fn has_words(&self, expected: &[u8], is_equal: impl Fn(&[u8], &[u8]) -> bool) -> Option<bool> {
        let mut expected = words(expected);
        let is_next =
            |word: &[u8]| expected.next().is_some_and(|expected| is_equal(word, expected));
        if !self.whole_words().all(is_next) {
            return Some(false);
        }
        self.is_whole().then(|| expected.next().is_none())
    }

    /// Whether two runs of one program on one input ended and answered alike.
    pub fn is_repeated_by(&self, again: &Self) -> bool {
        let failed_again = !self.is_ok() && self.verdict.outcome == again.verdict.outcome;
        failed_again || self.agrees_with(again)
    }

    /// The first word at which the kept parts of two answers differ.
    pub fn first_difference(&self, other: &Self) -> Option<WordDifference> {
        let mut pairs = pairs(self.whole_words(), other.whole_words()).zip(1..);
        let ([one, two], number) = pairs.find(|([one, two], _)| one != two)?;
        // After the kept part of an answer that was cut, no word is known.
        let are_known = (one.is_some() || self.is_whole()) && (two.is_some() || other.is_whole());
        let words = [one, two].map(|word| word.map(<[u8]>::to_vec));
        are_known.then_some(WordDifference { number, words })
    }

    /// Returns the number of the first word that the checker rejects, from 1; `None` if it is not
    /// in the kept part of an answer.
    pub(crate) fn first_rejected(
        &self,
        expected: &Self,
        checker: Checker,
        tolerance: Tolerance,
    ) -> Option<usize> {
        let are_whole = self.is_whole() && expected.is_whole();
        let is_rejected = |pair| is_rejected(pair, checker, tolerance).unwrap_or(are_whole);
        let mut pairs = pairs(self.whole_words(), expected.whole_words());
        pairs.position(is_rejected).map(|at| at + 1)
    }

    /// Whether all of stdout was kept.
    fn is_whole(&self) -> bool {
        self.written.stdout_bytes == self.written.stdout_head.len() as u64
    }

    /// The words of the kept part. The last word of an answer that was cut may be cut too, and is
    /// left out.
    fn whole_words(&self) -> impl Iterator<Item = &[u8]> {
        let kept = &self.written.stdout_head;
        let last_blank = kept.iter().rposition(u8::is_ascii_whitespace).unwrap_or(0);
        words(if self.is_whole() { kept } else { &kept[..last_blank] })
    }
}

/// Returns the first word at which a checker rejects a whole answer, and the expected word there.
/// Blanks and line ends do not matter.
pub(super) fn rejected_word(
    [answer, expected]: [&[u8]; 2],
    checker: Checker,
    tolerance: Tolerance,
) -> Option<WordDifference> {
    let is_rejected = |pair| is_rejected(pair, checker, tolerance).unwrap_or(true);
    let mut pairs = pairs(words(answer), words(expected)).zip(1..);
    let (pair, number) = pairs.find(|(pair, _)| is_rejected(*pair))?;
    let words = pair.map(|word| word.map(<[u8]>::to_vec));
    Some(WordDifference { number, words })
}

/// Whether a checker rejects a word of an answer; `None` if only one of the answers has a word.
fn is_rejected(pair: [Option<&[u8]>; 2], checker: Checker, tolerance: Tolerance) -> Option<bool> {
    let [Some(word), Some(expected)] = pair else { return None };
    Some(!is_accepted(word, expected, checker, tolerance))
}

/// Whether a checker accepts a word in place of the expected one.
fn is_accepted(word: &[u8], expected: &[u8], checker: Checker, tolerance: Tolerance) -> bool {
    match checker {
        Checker::Unspecified | Checker::Words | Checker::Exact => word == expected,
        Checker::Caseless => word.eq_ignore_ascii_case(expected),
        Checker::Numbers => is_near(word, expected, tolerance),
    }
}

/// Whether a word is equal to the expected one, or both are finite numbers and the error is at most
/// `tolerance`, absolute or relative, as in testlib's `doubleCompare`.
fn is_near(word: &[u8], expected: &[u8], Tolerance { absolute, relative }: Tolerance) -> bool {
    let number = |word: &[u8]| {
        let number: f64 = std::str::from_utf8(word).ok()?.parse().ok()?;
        number.is_finite().then_some(number)
    };
    let is_close =
        |(given, right): (f64, f64)| (given - right).abs() <= absolute.max(relative * right.abs());
    word == expected || number(word).zip(number(expected)).is_some_and(is_close)
}

/// Pairs the words of two answers by their places, until both answers have ended.
fn pairs<'a>(
    mut one: impl Iterator<Item = &'a [u8]>,
    mut two: impl Iterator<Item = &'a [u8]>,
) -> impl Iterator<Item = [Option<&'a [u8]>; 2]> {
    iter::from_fn(move || Some([one.next(), two.next()]).filter(|pair| *pair != [None; 2]))
}

/// The words of an answer.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Quotes the beginning of an answer on one line. A single word stays as it is. Blanks around the
/// answer are left out, unless they are what is wrong.
pub(super) fn quoted(text: &[u8], keeps_blanks: bool) -> String {
    let text = String::from_utf8_lossy(text);
    let text = if keeps_blanks { &text } else { text.trim() };
    if text.is_empty() {
        return "nothing".into();
    }
    let begin: String = text.chars().take(QUOTED).collect();
    if begin.len() < text.len() {
        return format!("{begin:?}…");
    }
    let quoted = format!("{text:?}");
    let is_word = !text.contains(char::is_whitespace) && quoted == format!("\"{text}\"");
    if is_word { begin } else { quoted }
}

#[cfg(test)]
mod tests;
