//! Characters: strings and grids.

use crate::context::eval_context::EvalContext;
use crate::context::fields::Fields;
use crate::draw::random::{GOLDEN, Key};
use crate::expression::Code;
use crate::spec::{Grid, Pattern, Text};

/// The alphabet of a string that names none.
const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyz";
/// The period of a periodic string that names none.
const PERIOD: u64 = 2;

/// Values of characters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Strings<'p> {
    pub(crate) rows: u64,
    pub(crate) cols: u64,
    source: Source<'p>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Source<'p> {
    Random { key: Key, alphabet: &'p [u8] },
    Same(u8),
    Periodic { key: Key, alphabet: &'p [u8], period: u64 },
    Fibonacci([u8; 2]),
    ThueMorse([u8; 2]),
}

impl Strings<'_> {
    /// The characters of a row, by their place in it, handed to whoever writes them.
    pub(crate) fn row<T>(&self, row: u64, write: impl CharacterSink<T>) -> T {
        let begin = row * self.cols;
        match self.source {
            Source::Random { key, alphabet } => {
                write.write(self.cols, |i| letter(alphabet, key, begin + i))
            }
            Source::Same(c) => write.write(self.cols, |_| c),
            Source::Periodic { key, alphabet, period } => {
                // Without a division.
                let mut next = 0;
                write.write(self.cols, |_| {
                    let i = next;
                    next = if i + 1 == period { 0 } else { i + 1 };
                    letter(alphabet, key, i)
                })
            }
            Source::Fibonacci(two) => {
                write.write(self.cols, |i| if rises(i) { two[0] } else { two[1] })
            }
            Source::ThueMorse(two) => {
                write.write(self.cols, |i| if i.count_ones() % 2 == 0 { two[0] } else { two[1] })
            }
        }
    }
}

/// Takes as many characters as are named, from the first to the last.
pub(crate) trait CharacterSink<T> {
    fn write(self, count: u64, of: impl FnMut(u64) -> u8) -> T;
}

#[inline]
fn letter(alphabet: &[u8], key: Key, i: u64) -> u8 {
    let last = alphabet.len() as u64 - 1;
    usize::try_from(key.up_to(i, last)).ok().and_then(|i| alphabet.get(i)).copied().unwrap_or(b'?')
}

/// Whether letter i of the Fibonacci word is its first one. That is so where the multiples i + 1
/// and i + 2 of 1/φ have different whole parts, thus where the fraction of the later one is below
/// 1/φ. The fractions, in 2^-64, are wrong by less than i · 2^-64, and a multiple of 1/φ comes no
/// closer to a whole number than 1/(3 · i), by Hurwitz: so this is right for each place below 2^31.
#[inline]
fn rises(i: u64) -> bool {
    (i + 2).wrapping_mul(GOLDEN) < GOLDEN
}

impl Grid {
    pub(crate) fn read(&self, fields: &mut Fields<'_>) -> Grid<Code> {
        Grid {
            rows: fields.code("rows", &self.rows),
            cols: fields.code("cols", &self.cols),
            alphabet: fields.alphabet(&self.alphabet, 1),
        }
    }
}

impl Grid<Code> {
    pub(crate) fn evaluate<'p>(&'p self, context: &mut EvalContext<'_>) -> Option<Strings<'p>> {
        let (rows, cols) = (context.count("rows", &self.rows), context.count("cols", &self.cols));
        let source =
            Source::Random { key: context.key.with(1), alphabet: self.alphabet.as_bytes() };
        Some(Strings { rows: rows?, cols: cols?, source })
    }
}

impl Text {
    pub(crate) fn read(&self, fields: &mut Fields<'_>) -> Text<Code> {
        if self.period.is_some() && self.pattern != Pattern::Periodic {
            fields.refuse("period", "is for the pattern periodic alone");
        }
        let two = matches!(self.pattern, Pattern::Fibonacci | Pattern::ThueMorse);
        let alphabet = if self.alphabet.is_empty() { ALPHABET } else { &self.alphabet };
        Text {
            len: fields.code("len", &self.len),
            alphabet: fields.alphabet(alphabet, if two { 2 } else { 1 }),
            pattern: self.pattern,
            period: fields.maybe("period", self.period.as_ref()),
        }
    }
}

impl Text<Code> {
    pub(crate) fn evaluate<'p>(&'p self, context: &mut EvalContext<'_>) -> Option<Strings<'p>> {
        let len = context.count("len", &self.len);
        let period = match &self.period {
            Some(code) => context.count("period", code),
            None => Some(PERIOD),
        };
        let (len, period) = (len?, period?);
        if period == 0 && len > 0 {
            return context.refuse("period", "is 0");
        }
        let (key, alphabet) = (context.key.with(1), self.alphabet.as_bytes());
        let [first, second] = [0, 1].map(|i| alphabet.get(i).copied().unwrap_or(b'?'));
        let source = match self.pattern {
            Pattern::Random => Source::Random { key, alphabet },
            Pattern::AllSame => Source::Same(first),
            Pattern::Periodic => Source::Periodic { key, alphabet, period },
            Pattern::Fibonacci => Source::Fibonacci([first, second]),
            Pattern::ThueMorse => Source::ThueMorse([first, second]),
        };
        Some(Strings { rows: 1, cols: len, source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fibonacci_word_is_that_of_its_recurrence() {
        let (mut shorter, mut word) = (b"a".to_vec(), b"ab".to_vec());
        while word.len() < 3_000_000 {
            let next = [word.clone(), shorter].concat();
            (shorter, word) = (word, next);
        }
        let wrong = (0..).zip(&word).find(|&(i, &c)| rises(i) != (c == b'a'));
        assert_eq!(wrong, None);
    }
}
