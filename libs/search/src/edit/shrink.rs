//! Smaller values for an input that makes a program fail. An edit replaces equal words at once, so
//! that what is equal stays equal.

use super::words::{MAX_BYTES, Word, number, words};
use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Maximum number of edited inputs that are proposed.
const MAX_PROPOSED: u32 = 400;
/// Numbers and letters that replace others first.
const SMALL: [i64; 5] = [0, 1, 2, 3, -1];
const LETTERS: [char; 2] = ['a', 'b'];

/// An input that fails, and the edits of it that were not tried.
#[derive(Debug, Clone)]
pub struct Shrink {
    input: String,
    /// The edited input that was proposed last.
    proposed: String,
    /// Number of inputs that were proposed.
    count: u32,
    pending: VecDeque<Edit>,
    /// Hashes of the inputs that were proposed.
    seen: HashSet<u64>,
}

#[derive(Debug, Clone, Copy)]
enum Edit {
    /// Each number `from` becomes `to`. Without the `head`, only those after the first line.
    Equal { from: i64, to: i64, head: bool },
    /// All numbers after the first line become smaller by this.
    Shift(i64),
    /// The word with this index becomes this number.
    Word(usize, i64),
    /// Each letter `.0` of words that are no numbers becomes `.1`.
    Letter(char, char),
}

impl Shrink {
    /// The edits of this input. `None` if it is too long, or no text.
    pub fn new(input: &[u8]) -> Option<Self> {
        let input = String::from_utf8(input.to_vec()).ok()?;
        if input.len() > MAX_BYTES {
            return None;
        }
        let (pending, seen) = (edits(&input), HashSet::from([hash(&input)]));
        Some(Self { input, proposed: String::new(), count: 0, pending, seen })
    }

    /// Returns the next input to try: one that is `allowed` and was not proposed before. `None` if
    /// there is none, or if enough were proposed.
    pub fn propose(&mut self, allowed: impl Fn(&str) -> bool) -> Option<&str> {
        while self.count < MAX_PROPOSED {
            let edit = self.pending.pop_front()?;
            let edited = edit.apply(&self.input);
            if self.seen.insert(hash(&edited)) && allowed(&edited) {
                self.count += 1;
                self.proposed = edited;
                return Some(&self.proposed);
            }
        }
        None
    }

    /// Records that the input that was proposed last fails too.
    pub fn keep(&mut self) {
        self.input = std::mem::take(&mut self.proposed);
        self.pending = edits(&self.input);
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// All edits that make something smaller, those of many words first.
fn edits(text: &str) -> VecDeque<Edit> {
    let numbers: Vec<_> =
        words(text).filter_map(|word| Some((word.at, word.line, number(word.text)?))).collect();
    let mut edits = VecDeque::new();
    let least = numbers.iter().filter(|(_, line, _)| *line > 0).map(|(.., number)| *number).min();
    edits.extend(least.into_iter().flat_map(|it| [it, it.saturating_sub(1)]).map(Edit::Shift));
    let mut distinct: Vec<_> = numbers.iter().map(|(.., number)| *number).collect();
    distinct.sort_unstable_by_key(|number| std::cmp::Reverse(size(*number)));
    distinct.dedup();
    for from in distinct {
        let smaller = smaller(from).into_iter();
        edits.extend(
            smaller.flat_map(|to| [true, false].map(|head| Edit::Equal { from, to, head })),
        );
    }
    for (at, _, from) in numbers {
        edits.extend(smaller(from).into_iter().map(|to| Edit::Word(at, to)));
    }
    let texts = words(text).filter(|word| number(word.text).is_none());
    let mut letters: Vec<char> = texts.flat_map(|word| word.text.chars()).collect();
    letters.sort_unstable();
    letters.dedup();
    for &from in letters.iter().rev() {
        let others = LETTERS.iter().chain(&letters).filter(|to| **to < from);
        edits.extend(others.map(|to| Edit::Letter(from, *to)));
    }
    edits
}

/// The order of numbers: 0, 1, -1, 2, -2 and so on.
fn size(number: i64) -> (u64, bool) {
    (number.unsigned_abs(), number < 0)
}

/// Smaller numbers, the smallest first: small ones, and those at a distance of a power of two.
fn smaller(from: i64) -> Vec<i64> {
    let bits = u64::BITS - from.unsigned_abs().leading_zeros();
    let near = (0..bits.saturating_sub(1)).map(|bit| from - from.signum() * (1 << bit));
    let all = SMALL.into_iter().chain([from.saturating_neg(), from / 2]).chain(near);
    let mut all: Vec<_> = all.filter(|to| size(*to) < size(from)).collect();
    all.sort_unstable_by_key(|to| size(*to));
    all.dedup();
    all
}

impl Edit {
    fn apply(self, text: &str) -> String {
        let mut edited = String::with_capacity(text.len());
        let mut line = 0;
        for word in words(text) {
            if word.at > 0 {
                edited.push(if word.line > line { '\n' } else { ' ' });
            }
            line = word.line;
            match self.replacement(&word) {
                Some(number) => edited.push_str(&number.to_string()),
                None => match self {
                    Self::Letter(from, to) if number(word.text).is_none() => {
                        edited.extend(word.text.chars().map(|c| if c == from { to } else { c }));
                    }
                    _ => edited.push_str(word.text),
                },
            }
        }
        if text.ends_with('\n') {
            edited.push('\n');
        }
        edited
    }

    fn replacement(self, word: &Word<'_>) -> Option<i64> {
        let old = number(word.text)?;
        match self {
            Self::Equal { from, to, head } if old == from && (head || word.line > 0) => Some(to),
            Self::Shift(by) if word.line > 0 => old.checked_sub(by),
            Self::Word(at, to) if word.at == at => Some(to),
            _ => None,
        }
    }
}
