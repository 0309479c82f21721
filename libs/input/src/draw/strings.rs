//! Rows of characters: strings, and the rows of grids.

mod brackets;
pub(crate) mod format;
pub(crate) mod parts;
pub(crate) mod words;

use crate::draw::random::{GOLDEN, RandomStream};
use brackets::Brackets;
use format::Formatted;
use std::sync::Arc;
use words::{Words, random_character};

/// Rows of characters.
#[derive(Debug, Clone)]
pub(crate) struct Strings {
    pub(crate) rows: u64,
    pub(crate) cols: u64,
    pub(crate) source: Source,
}

/// The way in which the characters are drawn.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    Random {
        stream: RandomStream,
        alphabet: Arc<[u8]>,
    },
    /// Random characters, except in the cells that have marks, in rising order.
    Marked {
        stream: RandomStream,
        alphabet: Arc<[u8]>,
        marks: Arc<[(u64, u8)]>,
    },
    /// Random characters in a square, which can be symmetric, and have one character on the
    /// diagonal.
    Square {
        stream: RandomStream,
        alphabet: Arc<[u8]>,
        symmetric: bool,
        diagonal: Option<u8>,
    },
    Words(Words),
    /// Strings of a form.
    Formatted(Formatted),
    Same(u8),
    Periodic {
        stream: RandomStream,
        alphabet: Arc<[u8]>,
        period: u64,
    },
    Fibonacci([u8; 2]),
    ThueMorse([u8; 2]),
    LastDiffers([u8; 2]),
    Balanced {
        stream: RandomStream,
        pairs: Arc<[[u8; 2]]>,
    },
    /// Words, each repeated up to the end of its part.
    Parts(Arc<[Vec<u8>]>, Arc<[u64]>),
}

impl Strings {
    /// Passes the characters of a row to a sink.
    pub(crate) fn row<T>(&self, row: u64, sink: impl CharacterSink<T>) -> T {
        let begin = row * self.cols;
        match &self.source {
            Source::Random { stream, alphabet } => {
                sink.write(self.cols, |i| random_character(alphabet, *stream, begin + i))
            }
            Source::Marked { stream, alphabet, marks } => {
                let mut next = marks.partition_point(|(cell, _)| *cell < begin);
                sink.write(self.cols, |i| match marks.get(next) {
                    Some((cell, mark)) if *cell == begin + i => {
                        next += 1;
                        *mark
                    }
                    _ => random_character(alphabet, *stream, begin + i),
                })
            }
            Source::Square { stream, alphabet, symmetric, diagonal } => {
                sink.write(self.cols, |col| match diagonal {
                    Some(character) if col == row => *character,
                    _ if *symmetric && col < row => {
                        random_character(alphabet, *stream, col * self.cols + row)
                    }
                    _ => random_character(alphabet, *stream, begin + col),
                })
            }
            Source::Words(words) => {
                sink.write(words.length(row, self.cols), |i| words.character(row, begin, i))
            }
            Source::Formatted(all) => {
                let bytes = all.row(row);
                sink.write(bytes.len() as u64, |i| {
                    usize::try_from(i).ok().and_then(|i| bytes.get(i)).copied().unwrap_or_default()
                })
            }
            Source::Same(c) => sink.write(self.cols, |_| *c),
            Source::Periodic { stream, alphabet, period } => {
                // A counter avoids a division for each character.
                let mut next = 0;
                sink.write(self.cols, |_| {
                    let i = next;
                    next = if i + 1 == *period { 0 } else { i + 1 };
                    random_character(alphabet, *stream, i)
                })
            }
            Source::Fibonacci(two) => {
                sink.write(self.cols, |i| if is_first_character(i) { two[0] } else { two[1] })
            }
            Source::ThueMorse(two) => {
                sink.write(self.cols, |i| if i.count_ones() % 2 == 0 { two[0] } else { two[1] })
            }
            Source::LastDiffers(two) => {
                sink.write(self.cols, |i| if i + 1 < self.cols { two[0] } else { two[1] })
            }
            Source::Parts(words, ends) => {
                let (mut part, mut next) = (0, 0);
                sink.write(self.cols, |i| {
                    while part + 1 < ends.len() && i >= ends[part] {
                        (part, next) = (part + 1, 0);
                    }
                    let word = &words[part];
                    let character = word[next];
                    next = if next + 1 == word.len() { 0 } else { next + 1 };
                    character
                })
            }
            Source::Balanced { stream, pairs } => {
                let mut brackets = Brackets::new(*stream, pairs, self.cols);
                sink.write(self.cols, |_| brackets.next())
            }
        }
    }
}

/// Destination of `count` characters, which are written from the first to the last.
pub(crate) trait CharacterSink<T> {
    fn write(self, count: u64, byte_at: impl FnMut(u64) -> u8) -> T;
}

/// Whether character i of the Fibonacci word is the first character of the alphabet. It is if ⌊(i +
/// 1)/φ⌋ and ⌊(i + 2)/φ⌋ differ, that is, if the fractional part of (i + 2)/φ is below 1/φ.
/// Fractional parts are in units of 2^-64, with an error below i · 2^-64. By Hurwitz's theorem, i/φ
/// differs from every whole number by more than 1/(3 · i), which exceeds the error. So the result
/// is right for every i below 2^31.
#[inline]
fn is_first_character(i: u64) -> bool {
    (i + 2).wrapping_mul(GOLDEN) < GOLDEN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fibonacci_word_is_that_of_its_recurrence() {
        let (mut shorter, mut word) = (b"a".to_vec(), b"ab".to_vec());
        while word.len() < 3_000_000 {
            let next = [word.clone(), shorter].concat();
            (shorter, word) = (word, next);
        }
        let wrong = (0..).zip(&word).find(|&(i, &c)| is_first_character(i) != (c == b'a'));
        assert_eq!(wrong, None);
    }
}
