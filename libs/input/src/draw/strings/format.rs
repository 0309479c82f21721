//! Strings of a form: characters of classes, numbers and fixed characters.

use crate::draw::random::RandomStream;
use crate::draw::shuffle::Shuffle;
use crate::draw::span::Span;
use crate::draw::strata::Strata;
use std::sync::Arc;

/// Maximum number of different beginnings of strings that differ or are sorted.
const MAX_BEGINNINGS: u64 = 1 << 48;
/// Maximum number of characters that a piece stands for.
const MAX_REPEATED: u64 = 1 << 16;

/// A piece of a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Fixed(u8),
    /// From `least` to `most` of these characters, which are in ascending order.
    Class {
        letters: Vec<u8>,
        least: u64,
        most: u64,
    },
    /// A number with at least this many digits.
    Number {
        range: Span,
        digits: usize,
    },
}

/// The pieces of a form, or the problem that its text has.
pub(crate) fn parse(text: &str) -> Result<Vec<Piece>, String> {
    let bytes = text.as_bytes();
    let (mut pieces, mut at) = (Vec::new(), 0);
    let until = |from: usize, end: u8| {
        let length = bytes[from..].iter().position(|byte| *byte == end);
        length.map(|length| from + length).ok_or(format!("has no {:?}", char::from(end)))
    };
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'\\' => {
                pieces.push(Piece::Fixed(*bytes.get(at).ok_or("ends with a backslash")?));
                at += 1;
            }
            b'[' => {
                let end = until(at, b']')?;
                let letters = letters(&bytes[at..end])?;
                at = end + 1;
                let (mut least, mut most) = (1, 1);
                if bytes.get(at) == Some(&b'{') {
                    let end = until(at, b'}')?;
                    let range = text.get(at + 1..end).unwrap_or_default();
                    let (from, to) = range.split_once(',').unwrap_or((range, range));
                    let count = |text: &str| {
                        text.parse::<u64>().map_err(|_| format!("{{{range}}} is no range"))
                    };
                    (least, most) = (count(from)?, count(to)?);
                    at = end + 1;
                }
                if least > most || most > MAX_REPEATED {
                    return Err(format!("repeats {least} to {most} times, which is not possible"));
                }
                pieces.push(Piece::Class { letters, least, most });
            }
            b'<' => {
                let end = until(at, b'>')?;
                let range = text.get(at..end).unwrap_or_default();
                let ends = range.split_once('-').and_then(|(from, to)| {
                    let range =
                        Span::new(from.parse::<u32>().ok()?.into(), to.parse::<u32>().ok()?.into());
                    Some((range?, if from.len() == to.len() { from.len() } else { 1 }))
                });
                let (range, digits) = ends.ok_or(format!("<{range}> is no range of numbers"))?;
                pieces.push(Piece::Number { range, digits });
                at = end + 1;
            }
            byte if byte.is_ascii_graphic() => pieces.push(Piece::Fixed(*byte)),
            _ => return Err("must have only printable ASCII characters".into()),
        }
    }
    if pieces.is_empty() { Err("is empty".into()) } else { Ok(pieces) }
}

/// The characters of a class, in ascending order.
fn letters(class: &[u8]) -> Result<Vec<u8>, String> {
    let (mut all, mut at) = (Vec::new(), 0);
    while let Some(first) = class.get(at) {
        if let (Some(b'-'), Some(last)) = (class.get(at + 1), class.get(at + 2)) {
            all.extend(*first..=*last);
            at += 3;
        } else {
            all.push(*first);
            at += 1;
        }
    }
    all.sort_unstable();
    all.dedup();
    let printable = !all.is_empty() && all.iter().all(u8::is_ascii_graphic);
    printable.then_some(all).ok_or("has a list without printable characters".into())
}

/// Whether a word has the form of the pieces.
pub(crate) fn fits(pieces: &[Piece], word: &[u8]) -> bool {
    let Some((piece, rest)) = pieces.split_first() else { return word.is_empty() };
    match piece {
        Piece::Fixed(byte) => {
            word.split_first().is_some_and(|(first, after)| first == byte && fits(rest, after))
        }
        Piece::Class { letters, least, most } => {
            let own = word.iter().take_while(|byte| letters.contains(byte)).count() as u64;
            (*least..=own.min(*most)).rev().any(|length| {
                let length = usize::try_from(length).unwrap_or(usize::MAX);
                word.get(length..).is_some_and(|after| fits(rest, after))
            })
        }
        Piece::Number { range, digits } => {
            let own = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let number =
                std::str::from_utf8(&word[..own]).ok().and_then(|it| it.parse::<i64>().ok());
            let padded = own == *digits || (own > *digits && word[0] != b'0');
            let inside = |number| (range.min..=range.number(range.width)).contains(&number);
            padded && number.is_some_and(inside) && fits(rest, &word[own..])
        }
    }
}

/// The order in which the beginnings of strings come.
#[derive(Debug, Clone, Copy)]
enum Ranks {
    Shuffled(Shuffle),
    Sorted(Strata),
}

/// Random strings of a form.
#[derive(Debug, Clone)]
pub(crate) struct Formatted {
    stream: RandomStream,
    pieces: Arc<[Piece]>,
    /// The number of characters and numbers at the beginning that follow from a string's rank.
    ranked: usize,
    ranks: Option<Ranks>,
}

impl Formatted {
    /// `rows` strings. `None` if there are not that many different ones.
    pub(crate) fn new(
        stream: RandomStream,
        pieces: &Arc<[Piece]>,
        rows: u64,
        [distinct, sorted]: [bool; 2],
    ) -> Option<Self> {
        let (stream, pieces) = (stream.substream(1), Arc::clone(pieces));
        if !distinct && !sorted {
            return Some(Self { stream, pieces, ranked: 0, ranks: None });
        }
        let (mut ranked, mut count) = (0, 1_u64);
        for base in pieces.iter().flat_map(bases) {
            if count > MAX_BEGINNINGS / base {
                break;
            }
            (ranked, count) = (ranked + 1, count * base);
        }
        if distinct && count < rows {
            return None;
        }
        let ranks = if sorted {
            Ranks::Sorted(Strata::new(stream, Span { min: 0, width: count - 1, step: 1 }, rows))
        } else {
            Ranks::Shuffled(Shuffle::new(stream.substream(2), count - 1))
        };
        Some(Self { stream, pieces, ranked, ranks: Some(ranks) })
    }

    /// Maximum number of characters.
    pub(crate) fn longest(pieces: &[Piece]) -> u64 {
        let length = |piece: &Piece| match piece {
            Piece::Fixed(_) => 1,
            Piece::Class { most, .. } => *most,
            Piece::Number { range, digits } => {
                let digits = u8::try_from(*digits).unwrap_or(u8::MAX);
                range.bytes(digits).saturating_sub(1)
            }
        };
        pieces.iter().map(length).sum()
    }

    /// The characters of a row.
    pub(crate) fn row(&self, row: u64) -> Vec<u8> {
        let stream = self.stream.substream(3).substream(row);
        let mut ranked = self.ranked_choices(row).into_iter();
        let (mut bytes, mut drawn) = (Vec::new(), 0);
        for piece in &*self.pieces {
            let mut choose = |last: u64| {
                drawn += 1;
                stream.up_to(drawn, last)
            };
            match piece {
                Piece::Fixed(byte) => bytes.push(*byte),
                Piece::Number { range, digits } => {
                    let number = ranked.next().unwrap_or_else(|| choose(range.width));
                    bytes.extend(format!("{:01$}", range.number(number), digits).bytes());
                }
                Piece::Class { letters, least, most } => {
                    let own = (ranked.len() as u64).min(*most);
                    let length = if own > 0 { (*least).max(own) } else { *least };
                    let length = length + choose(*most - length);
                    for at in 0..length {
                        let next = if at < own { ranked.next() } else { None };
                        let letter = next.unwrap_or_else(|| choose(letters.len() as u64 - 1));
                        let letter = usize::try_from(letter).unwrap_or_default();
                        bytes.push(letters[letter]);
                    }
                }
            }
        }
        bytes
    }

    /// The choices at the beginning that make the row differ from others or be after them.
    fn ranked_choices(&self, row: u64) -> Vec<u64> {
        let Some(ranks) = &self.ranks else { return Vec::new() };
        let mut rank = match ranks {
            Ranks::Shuffled(order) => order.value_at(row),
            Ranks::Sorted(strata) => strata.number(row).unsigned_abs(),
        };
        let bases: Vec<u64> = self.pieces.iter().flat_map(bases).take(self.ranked).collect();
        let digits = bases.iter().rev().map(|base| {
            let digit = rank % base;
            rank /= base;
            digit
        });
        let mut digits: Vec<u64> = digits.collect();
        digits.reverse();
        digits
    }
}

/// The numbers of choices for a piece: for each character, or for the number.
fn bases(piece: &Piece) -> impl Iterator<Item = u64> + use<> {
    let (base, count) = match piece {
        Piece::Fixed(_) => (1, 0),
        Piece::Class { letters, most, .. } => (letters.len() as u64, *most),
        Piece::Number { range, .. } => (range.width + 1, 1),
    };
    (0..count).map(move |_| base)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(format: &str, count: u64, flags: [bool; 2]) -> Option<Vec<String>> {
        let pieces: Arc<[Piece]> = parse(format).unwrap().into();
        let all = Formatted::new(RandomStream::new(1), &pieces, count, flags)?;
        let longest = Formatted::longest(&pieces);
        let rows = (0..count).map(|row| {
            let bytes = all.row(row);
            assert!(fits(&pieces, &bytes), "{format}");
            assert!(bytes.len() as u64 <= longest, "{format}");
            String::from_utf8(bytes).unwrap()
        });
        Some(rows.collect())
    }

    #[test]
    fn strings_have_their_form() {
        for time in rows("<00-23>:<00-59>", 200, [false; 2]).unwrap() {
            let (hour, minute) = time.split_once(':').unwrap();
            assert!(time.len() == 5 && hour.parse::<u8>().unwrap() < 24, "{time}");
            assert!(minute.parse::<u8>().unwrap() < 60, "{time}");
        }
        let names = rows("[A-Z][a-z]{1,3}", 200, [false; 2]).unwrap();
        assert!(names.iter().all(|name| (2..=4).contains(&name.len())), "{names:?}");
        assert!(names.iter().all(|name| name.as_bytes()[0].is_ascii_uppercase()), "{names:?}");
        assert_eq!(rows("\\<<7-7>", 1, [false; 2]).unwrap(), ["<7"]);
    }

    #[test]
    fn strings_differ_or_are_sorted() {
        let mut all = rows("[ab]{2}<1-2>", 8, [true, false]).unwrap();
        assert!(!all.is_sorted(), "{all:?}");
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 8, "{all:?}");
        assert_eq!(rows("[ab]{2}", 5, [true, false]), None);
        for format in ["[a-c]{1,9}@[a-z]{2}", "<1990-1999>-<01-12>-<01-28>"] {
            let all = rows(format, 100, [true, true]).unwrap();
            assert!(all.is_sorted_by(|one, next| one < next), "{all:?}");
        }
    }

    #[test]
    fn problems_of_a_form_are_named() {
        for text in
            ["", "[", "[]", "[a]{2", "[a]{3,2}", "[a]{x}", "<1", "<2-1>", "<a-b>", "\\", " "]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
