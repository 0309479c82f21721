//! Characters: strings and grids.

use crate::context::eval_context::Evaluate;
use crate::context::fields::Fields;
use crate::draw::brackets::Brackets;
use crate::draw::random::{GOLDEN, RandomStream};
use crate::draw::shuffle::Shuffle;
use crate::draw::words::{Words, random_character};
use crate::limits::MAX_MARKS;
use crate::problem::join;
use crate::spec::{Grid, Pattern, Text};
use std::sync::Arc;

/// Default alphabet of a string.
const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyz";
/// Default period of a periodic string.
const PERIOD: i64 = 2;

/// Rows of characters.
#[derive(Debug, Clone)]
pub(crate) struct Strings {
    pub(crate) rows: u64,
    pub(crate) cols: u64,
    source: Source,
}

#[derive(Debug, Clone)]
enum Source {
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

pub(crate) fn grid(declared: &Grid, fields: &mut Fields<'_>) -> Evaluate<Strings> {
    let rows = fields.expression("rows", &declared.rows);
    let cols = fields.expression("cols", &declared.cols);
    let columns = cols.path.clone();
    let alphabet = fields.alphabet(&declared.alphabet, 1);
    let marks = marks(declared, fields);
    let path = join(&fields.path, "marks");
    let (symmetric, diagonal) = (declared.symmetric, diagonal(declared, fields));
    Box::new(move |context| {
        let (rows, cols) = (context.count(&rows), context.count(&cols));
        let (rows, cols) = (rows?, cols?);
        let (stream, alphabet) = (context.stream.substream(1), Arc::clone(&alphabet));
        if symmetric && rows != cols {
            let problem = format_args!("must be {rows}, as rows, for a symmetric grid, not {cols}");
            return context.refuse(&columns, problem);
        }
        if symmetric || diagonal.is_some() {
            let source = Source::Square { stream, alphabet, symmetric, diagonal };
            return Some(Strings { rows, cols, source });
        }
        let (cells, count) = (rows * cols, marks.len() as u64);
        if count == 0 || cells == 0 {
            return Some(Strings { rows, cols, source: Source::Random { stream, alphabet } });
        }
        if cells < count {
            let problem = format_args!("must be at most the {cells} cells, not {count}");
            return context.refuse(&path, problem);
        }
        let places = Shuffle::new(context.stream.substream(2), cells - 1);
        let mut marks: Vec<_> =
            (0..).zip(&marks).map(|(at, mark)| (places.value_at(at), *mark)).collect();
        marks.sort_unstable();
        let source = Source::Marked { stream, alphabet, marks: marks.into() };
        Some(Strings { rows, cols, source })
    })
}

/// The marks of a grid. One that random cells can have, too, is a problem.
fn marks(declared: &Grid, fields: &mut Fields<'_>) -> Vec<u8> {
    let marks = declared.marks.as_bytes();
    if marks.len() > MAX_MARKS {
        let count = marks.len();
        fields.refuse("marks", format!("must have at most {MAX_MARKS} bytes, not {count}"));
    } else if !marks.iter().all(u8::is_ascii_graphic) {
        fields.refuse("marks", "must have only printable ASCII characters, and no blanks");
    } else if let Some(both) = marks.iter().find(|mark| declared.alphabet.as_bytes().contains(mark))
    {
        let both = char::from(*both);
        fields.refuse("marks", format!("must not have {both:?}, which is in the alphabet"));
    }
    marks.iter().take(MAX_MARKS).copied().collect()
}

/// The character on the diagonal of a grid, if it has one.
fn diagonal(declared: &Grid, fields: &mut Fields<'_>) -> Option<u8> {
    let is_square = declared.symmetric || !declared.diagonal.is_empty();
    if is_square && !declared.marks.is_empty() {
        fields.refuse("marks", "cannot be used with symmetric or diagonal");
    }
    match declared.diagonal.as_bytes() {
        [] => None,
        [character] if character.is_ascii_graphic() => Some(*character),
        _ => {
            fields.refuse("diagonal", "must be one printable ASCII character, and no blank");
            None
        }
    }
}

impl Text {
    /// The alphabet, or the default one.
    pub fn letters(&self) -> &str {
        if self.alphabet.is_empty() { ALPHABET } else { &self.alphabet }
    }
}

pub(crate) fn text(declared: &Text, fields: &mut Fields<'_>) -> Evaluate<Strings> {
    let pattern = fields.known("pattern", declared.pattern);
    if !declared.period.is_empty() && pattern != Pattern::Periodic {
        fields.refuse("period", "requires the pattern periodic");
    }
    let two = matches!(pattern, Pattern::Fibonacci | Pattern::ThueMorse | Pattern::LastDiffers);
    let is_random = matches!(pattern, Pattern::Unspecified | Pattern::Random);
    for (field, is_set) in [
        ("rows", !declared.rows.is_empty()),
        ("min_len", !declared.min_len.is_empty()),
        ("distinct", declared.distinct),
    ] {
        if is_set && !is_random {
            fields.refuse(field, "requires the pattern random");
        }
    }
    let len = fields.expression("len", &declared.len);
    let rows = fields.expression_or("rows", &declared.rows, 1);
    let least = fields.maybe("min_len", &declared.min_len);
    let distinct = declared.distinct;
    let alphabet = fields.alphabet(declared.letters(), if two { 2 } else { 1 });
    let period = fields.expression_or("period", &declared.period, PERIOD);
    let pairs = if pattern == Pattern::Balanced { pairs(&alphabet, fields) } else { [].into() };
    let [first, second] = [0, 1].map(|i| alphabet.get(i).copied().unwrap_or(b'?'));
    Box::new(move |context| {
        let (count, repeated) = (context.count(&len), context.count(&period));
        let (rows, shortest) = (context.count(&rows), least.as_ref().map(|it| context.count(it)));
        let (count, repeated, rows) = (count?, repeated?, rows?);
        if repeated == 0 && count > 0 {
            return context.refuse(&period.path, "must be 1 or more, not 0");
        }
        if pattern == Pattern::Balanced && count % 2 == 1 {
            let problem = format_args!("must be even for balanced brackets, not {count}");
            return context.refuse(&len.path, problem);
        }
        let (stream, alphabet) = (context.stream.substream(1), Arc::clone(&alphabet));
        if distinct || shortest.is_some() {
            let (shortest, path) = (shortest.unwrap_or(Some(count))?, &len.path);
            if let (Some(least), 0, 1..) = (&least, shortest, rows) {
                return context.refuse(&least.path, "must be 1 or more, not 0");
            }
            let words = Words::new(stream, &alphabet, [shortest, count], distinct.then_some(rows));
            return match words {
                Some(words) => Some(Strings { rows, cols: count, source: Source::Words(words) }),
                None if rows == 0 => {
                    Some(Strings { rows, cols: count, source: Source::Same(first) })
                }
                None => context.refuse(path, format_args!("is too small for {rows} strings")),
            };
        }
        let source = match pattern {
            Pattern::Unspecified | Pattern::Random => Source::Random { stream, alphabet },
            Pattern::AllSame => Source::Same(first),
            Pattern::Periodic => Source::Periodic { stream, alphabet, period: repeated },
            Pattern::Fibonacci => Source::Fibonacci([first, second]),
            Pattern::ThueMorse => Source::ThueMorse([first, second]),
            Pattern::LastDiffers => Source::LastDiffers([first, second]),
            Pattern::Balanced => Source::Balanced { stream, pairs: Arc::clone(&pairs) },
        };
        Some(Strings { rows, cols: count, source })
    })
}

/// The opening and the closing brackets of an alphabet.
fn pairs(alphabet: &[u8], fields: &mut Fields<'_>) -> Arc<[[u8; 2]]> {
    let (pairs, rest) = alphabet.as_chunks();
    if pairs.is_empty() || !rest.is_empty() {
        let problem = "must have pairs of brackets for the pattern balanced, such as \"()[]\"";
        fields.refuse("alphabet", problem);
    }
    pairs.into()
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
