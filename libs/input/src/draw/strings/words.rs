//! Strings of random lengths, which can all differ.

use crate::draw::random::RandomStream;
use crate::draw::shuffle::Shuffle;
use std::sync::Arc;

/// Maximum number of different beginnings of strings. More are not needed for any count of rows.
const MAX_BEGINNINGS: u64 = 1 << 48;

/// Character `i` of a random string.
#[inline]
pub(crate) fn random_character(alphabet: &[u8], stream: RandomStream, i: u64) -> u8 {
    let last = alphabet.len() as u64 - 1;
    usize::try_from(stream.up_to(i, last))
        .ok()
        .and_then(|i| alphabet.get(i))
        .copied()
        .unwrap_or(b'?')
}

/// Random strings.
#[derive(Debug, Clone)]
pub(crate) struct Words {
    stream: RandomStream,
    alphabet: Arc<[u8]>,
    /// The smallest number of characters.
    least: u64,
    /// The first characters of each string, if all strings differ.
    beginnings: Option<Beginnings>,
}

/// A number for each string. Its digits are the string's first characters.
#[derive(Debug, Clone)]
struct Beginnings {
    letters: Arc<[u8]>,
    digits: u64,
    numbers: Shuffle,
}

impl Words {
    /// Strings of `least` to `most` characters. `distinct` is the number of strings if all differ.
    /// `None` if there are no such strings.
    pub(crate) fn new(
        stream: RandomStream,
        alphabet: &Arc<[u8]>,
        [least, most]: [u64; 2],
        distinct: Option<u64>,
    ) -> Option<Self> {
        let (stream, alphabet) = (stream.substream(1), Arc::clone(alphabet));
        if least == 0 || least > most {
            return None;
        }
        let Some(rows) = distinct else {
            return Some(Self { stream, alphabet, least, beginnings: None });
        };
        let mut letters = alphabet.to_vec();
        letters.sort_unstable();
        letters.dedup();
        let base = letters.len() as u64;
        let (mut digits, mut count) = (0, 1_u64);
        while digits < most && (digits < least || count < rows) {
            if base < 2 || count > MAX_BEGINNINGS / base {
                break;
            }
            (digits, count) = (digits + 1, count * base);
        }
        let numbers = Shuffle::new(stream.substream(2), count - 1);
        let beginnings = Some(Beginnings { letters: letters.into(), digits, numbers });
        (count >= rows).then(|| Self { stream, alphabet, least: least.max(digits), beginnings })
    }

    /// The length of a string.
    pub(crate) fn length(&self, row: u64, most: u64) -> u64 {
        self.least + self.stream.substream(3).up_to(row, most - self.least)
    }

    /// Character `i` of a string, whose random characters are those from number `begin` on.
    pub(crate) fn character(&self, row: u64, begin: u64, i: u64) -> u8 {
        match &self.beginnings {
            Some(Beginnings { letters, digits, numbers }) if i < *digits => {
                let base = letters.len() as u64;
                let digit = (0..i).fold(numbers.value_at(row), |rest, _| rest / base) % base;
                usize::try_from(digit).map_or(b'?', |digit| letters[digit])
            }
            _ => random_character(&self.alphabet, self.stream, begin + i),
        }
    }
}
