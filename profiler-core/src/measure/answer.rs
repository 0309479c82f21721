//! The answer of a program to an input. Unless a checker says otherwise, answers are compared word
//! by word: blanks and line ends do not matter.

use crate::error::SandboxFault;
use crate::job::{Options, Tolerance};
use crate::measure::session::{InputOf, MeasureSession};
use crate::measure::verdict::judge;
use crate::report::Verdict;
use profiler_proto::v1::{Checker, Outcome, TestCase};
use runner_protocol::{Sample, WordDigest, Written};
use sha2::{Digest, Sha256};
use std::iter;

/// Maximum length of a wrong answer in the report, in bytes.
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
    pub(crate) fn first_rejected(&self, expected: &Self, options: &Options) -> Option<usize> {
        let are_whole = self.is_whole() && expected.is_whole();
        let is_rejected = |pair: [Option<&[u8]>; 2]| match pair {
            [Some(word), Some(expected)] => {
                !is_accepted(word, expected, options.checker, options.tolerance)
            }
            _ => are_whole,
        };
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
pub(super) fn first_rejected(
    [answer, expected]: [&[u8]; 2],
    checker: Checker,
    tolerance: Tolerance,
) -> Option<WordDifference> {
    let is_rejected = |pair: &[Option<&[u8]>; 2]| match *pair {
        [Some(word), Some(expected)] => !is_accepted(word, expected, checker, tolerance),
        _ => true,
    };
    let mut pairs = pairs(words(answer), words(expected)).zip(1..);
    let (pair, number) = pairs.find(|(pair, _)| is_rejected(pair))?;
    let words = pair.map(|word| word.map(<[u8]>::to_vec));
    Some(WordDifference { number, words })
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
mod tests {
    use super::*;

    fn ended(outcome: Outcome, text: &str) -> Answer {
        let written = Written {
            stdout_bytes: text.len() as u64,
            stdout_sha256: Sha256::digest(text).into(),
            stdout_head: text.into(),
            stdout_words_sha256: WordDigest::of(text.as_bytes()),
            ..Written::default()
        };
        let verdict = Verdict { outcome, ..Verdict::not_run() };
        Answer { verdict, written, sample: Sample::default() }
    }

    pub(super) fn whole(text: &str) -> Answer {
        ended(Outcome::Ok, text)
    }

    /// The same absolute and relative error.
    fn both(error: f64) -> Tolerance {
        Tolerance { absolute: error, relative: error }
    }

    fn expecting(output: &str) -> TestCase {
        TestCase { output: output.into(), ..TestCase::default() }
    }

    /// An answer that is cut after `kept` bytes.
    fn cut(text: &str, kept: usize) -> Answer {
        let mut answer = whole(text);
        answer.written.stdout_head.truncate(kept);
        answer
    }

    #[test]
    fn words_alone_count() {
        for (one, two, is_same) in [
            ("1 2\n3\n", "1 2\n3\n", true),
            ("1 2\n3\n", "\n 1\t2 3", true),
            ("", "\n", true),
            ("12", "1 2", false),
            ("1 2", "1 2 3", false),
            ("", "0", false),
        ] {
            assert_eq!(whole(one).agrees_with(&whole(two)), is_same, "{one:?} {two:?}");
            assert_eq!(cut(one, 0).agrees_with(&cut(two, 0)), is_same, "{one:?} {two:?}");
            for answer in [whole(one), cut(one, 0)] {
                let is_right = answer.is_right(&expecting(two), Checker::Words, both(0.0));
                assert_eq!(is_right, Some(is_same), "{one:?} {two:?}");
            }
        }
    }

    #[test]
    fn each_checker_allows_what_it_says() {
        use Checker::{Caseless, Exact, Numbers, Words};
        for (answer, expected, (checker, tolerance), is_right) in [
            ("1 2\n", "1 2\n", (Exact, 0.0), true),
            ("1 2", "1 2\n", (Exact, 0.0), false),
            ("Yes  NO", "YES no\n", (Caseless, 0.0), true),
            ("Yes", "YES", (Words, 0.0), false),
            ("yes no", "yes", (Caseless, 0.0), false),
            ("0.3333333", "0.33333333333", (Numbers, 1e-6), true),
            ("0.333", "0.33333333333", (Numbers, 1e-6), false),
            ("1000001", "1000000", (Numbers, 1e-6), true),
            ("1e3 ok", "1000.0 ok", (Numbers, 0.0), true),
            ("-0.0", "0", (Numbers, 0.0), true),
            ("nan", "1", (Numbers, 1.0), false),
            ("nan inf", "nan inf", (Numbers, 1e-6), true),
            ("inf", "1e308", (Numbers, 1.0), false),
            ("1 2", "1", (Numbers, 1.0), false),
            ("", "", (Numbers, 1e-6), true),
        ] {
            let said = whole(answer).is_right(&expecting(expected), checker, both(tolerance));
            assert_eq!(said, Some(is_right), "{answer:?} {expected:?} {checker:?}");
            let texts = [answer, expected].map(str::as_bytes);
            let has_right_words = first_rejected(texts, checker, both(tolerance)).is_none();
            assert_eq!(has_right_words, is_right || checker == Exact, "{answer:?} {expected:?}");
        }
    }

    #[test]
    fn first_rejected_word_has_its_number() {
        let found = |answer: &str, expected: &str| {
            let texts = [answer, expected].map(str::as_bytes);
            first_rejected(texts, Checker::Numbers, both(0.5)).unwrap()
        };
        let word = |text: &str| Some(text.as_bytes().to_vec());
        assert_eq!(found("1 2\n9", "1.5 2 3").number, 3);
        assert_eq!(found("1 2\n9", "1.5 2 3").words, [word("9"), word("3")]);
        assert_eq!(found("1", "1 2").words, [None, word("2")]);
    }

    #[test]
    fn absolute_and_relative_errors_are_allowed_each_for_itself() {
        for (answer, expected, [absolute, relative], is_right) in [
            ("1000.5", "1000", [0.5, 0.0], true),
            ("1000.6", "1000", [0.5, 0.0], false),
            ("-999.4", "-1000", [0.5, 0.0], false),
            ("1001", "1000", [0.0, 1e-3], true),
            ("0.0010001", "0.001", [0.0, 1e-3], true),
            ("0.00102", "0.001", [0.0, 1e-3], false),
            ("1e-9", "0", [0.0, 1e-3], false),
            ("1e-9", "0", [1e-6, 1e-3], true),
            ("1001", "1000", [1e-6, 1e-3], true),
        ] {
            let tolerance = Tolerance { absolute, relative };
            let said = whole(answer).is_right(&expecting(expected), Checker::Numbers, tolerance);
            assert_eq!(said, Some(is_right), "{answer} {expected} {tolerance:?}");
        }
    }

    #[test]
    fn digest_of_the_words_is_enough_to_judge() {
        let case = |output: &str| TestCase {
            output_words_sha256: WordDigest::of(output.as_bytes()).into(),
            ..TestCase::default()
        };
        for answer in [whole(" 1\n2"), cut("1 2", 0)] {
            assert_eq!(answer.is_right(&case("1 2\n"), Checker::Words, both(0.0)), Some(true));
            assert_eq!(answer.is_right(&case("1 3\n"), Checker::Words, both(0.0)), Some(false));
        }
    }

    #[test]
    fn cut_answer_is_judged_only_if_its_rest_does_not_matter() {
        use Checker::{Caseless, Exact, Numbers};
        for (checker, kept, expected, is_right) in [
            (Exact, 0, "YES 2 3", Some(true)),
            (Exact, 7, "YES 2 3\n", Some(false)),
            (Caseless, 0, "YES\n2 3\n", Some(true)),
            (Caseless, 5, "yes 2 3", None),
            (Caseless, 5, "no 2 3", Some(false)),
            (Caseless, 6, "yes", Some(false)),
            (Numbers, 0, "YES 2 3", Some(true)),
            (Numbers, 6, "YES 2.5 3", None),
            (Numbers, 6, "YES 9 3", Some(false)),
            // The last word that was kept may be the beginning of a longer one.
            (Numbers, 5, "YES 9 3", None),
        ] {
            let said = cut("YES 2 3", kept).is_right(&expecting(expected), checker, both(0.5));
            assert_eq!(said, is_right, "{checker:?} {kept} {expected:?}");
        }
    }

    #[test]
    fn first_difference_of_cut_answers_is_in_whole_words() {
        for (one, two, number) in [
            (cut("1 2 3 5", 5), cut("1 2 4 5", 5), None),
            (cut("1 2 3 5", 6), cut("1 2 4 5", 5), None),
            (cut("1 2 3 5", 6), cut("1 2 4 5", 6), Some(3)),
            (cut("1 2 35 5", 5), whole("1 2 31"), None),
            (cut("1 2 3 5", 5), whole("1"), Some(2)),
        ] {
            let found = one.first_difference(&two).map(|found| found.number);
            assert_eq!(found, number, "{one:?} {two:?}");
        }
    }

    #[test]
    fn another_ending_than_ok_is_a_difference() {
        let crashed = ended(Outcome::RuntimeError, "1");
        assert!(!whole("1").agrees_with(&crashed) && !crashed.agrees_with(&crashed));
        assert_eq!(crashed.is_right(&expecting("1"), Checker::Words, both(0.0)), None);
    }

    #[test]
    fn ending_is_repeated_by_the_same_ending() {
        let [crash, stop] =
            [Outcome::RuntimeError, Outcome::TimeLimit].map(|outcome| ended(outcome, ""));
        assert!(whole("1\n").is_repeated_by(&whole("1")));
        assert!(crash.is_repeated_by(&ended(Outcome::RuntimeError, "1")));
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
