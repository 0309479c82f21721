//! Strings of a few parts, of which some are repeated.

use crate::limits::{MAX_RULE_BYTES, MAX_RULE_ITEMS};
use std::fmt;

/// Part of a string of any length.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TextPart {
    /// The indices of its characters in the alphabet.
    pub word: Vec<u8>,
    /// Whether it is repeated. All repeated parts have the same share of the string.
    pub repeats: bool,
}

const REPEATED: char = '*';

impl fmt::Display for TextPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.word.iter().try_for_each(|letter| write!(f, "{}", char::from(b'a' + letter % 26)))?;
        f.write_str(if self.repeats { "*" } else { "" })
    }
}

impl TextPart {
    fn read(text: &str) -> Option<Self> {
        let (word, repeats) = match text.strip_suffix(REPEATED) {
            Some(word) => (word, true),
            None => (text, false),
        };
        let is_word = !word.is_empty() && word.bytes().all(|letter| letter.is_ascii_lowercase());
        is_word.then(|| Self { word: word.bytes().map(|letter| letter - b'a').collect(), repeats })
    }

    /// The word's characters. Letters beyond an alphabet's end begin it again.
    pub(crate) fn over(&self, alphabet: &[u8]) -> Vec<u8> {
        let all = alphabet.len().max(1);
        let character = |letter: &u8| alphabet.get(usize::from(*letter) % all);
        self.word.iter().map(|letter| character(letter).copied().unwrap_or(b'?')).collect()
    }
}

/// Reads the parts of a rule. The error is the problem of the text.
pub(crate) fn read(text: &str) -> Result<Vec<TextPart>, String> {
    let words: Vec<&str> = text.split_whitespace().take(MAX_RULE_ITEMS + 1).collect();
    if words.is_empty() || words.len() > MAX_RULE_ITEMS || text.len() > MAX_RULE_BYTES {
        return Err(format!("must have 1 to {MAX_RULE_ITEMS} parts in {MAX_RULE_BYTES} bytes"));
    }
    let parts: Option<Vec<_>> = words.iter().map(|word| TextPart::read(word)).collect();
    parts.ok_or_else(|| "must have parts of the letters a to z, such as `a* b`".into())
}

/// The index after the last character of each part, in a string of `len` characters. If no part is
/// repeated, the last one is.
pub(crate) fn ends(parts: &[TextPart], len: u64) -> Vec<u64> {
    let last = parts.len().saturating_sub(1);
    let any = parts.iter().any(|part| part.repeats);
    let repeats = |at: usize| parts[at].repeats || (!any && at == last);
    let once: u64 =
        (0..parts.len()).filter(|at| !repeats(*at)).map(|at| parts[at].word.len() as u64).sum();
    let shares = (0..parts.len()).filter(|at| repeats(*at)).count() as u64;
    let (mut end, mut share) = (0, 0);
    let ends = parts.iter().enumerate().map(|(at, part)| {
        if repeats(at) {
            let rest = len.saturating_sub(once);
            share += 1;
            end += rest * share / shares - rest * (share - 1) / shares;
        } else {
            end += part.word.len() as u64;
        }
        end
    });
    ends.collect()
}
