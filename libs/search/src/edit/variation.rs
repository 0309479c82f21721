//! Variations of an input: words change places, numbers become others of the input or their
//! neighbours, and letters become others of the input.

use super::words::{MAX_BYTES, number, words};
use crate::random::Random;

/// Probability in percent of a further edit.
const FURTHER: usize = 40;
/// Probability in percent that the first line, which often has sizes, is edited.
const HEAD: usize = 10;

/// The words of an input by line, each with a number if it is one.
struct Text {
    lines: Vec<Vec<String>>,
    /// All numbers.
    numbers: Vec<i64>,
    /// All letters of other words.
    letters: Vec<char>,
}

/// Returns a variation of an input, for each seed another one. `None` if the input is too long, or
/// no text. A spec may not allow the variation.
pub fn varied(input: &[u8], seed: u32) -> Option<String> {
    let input = std::str::from_utf8(input).ok().filter(|text| text.len() <= MAX_BYTES)?;
    let mut text = Text::of(input)?;
    let mut random = Random::new(seed);
    text.edit(&mut random);
    while random.chance(FURTHER) {
        text.edit(&mut random);
    }
    let lines: Vec<String> = text.lines.iter().map(|words| words.join(" ")).collect();
    let end = if input.ends_with('\n') { "\n" } else { "" };
    Some(lines.join("\n") + end)
}

impl Text {
    /// `None` if there is nothing to edit.
    fn of(input: &str) -> Option<Self> {
        let lines = input.lines().map(|line| line.split(' ').map(Into::into).collect()).collect();
        let numbers = words(input).filter_map(|word| number(word.text)).collect();
        let texts = words(input).filter(|word| number(word.text).is_none());
        let letters = texts.flat_map(|word| word.text.chars()).collect();
        let text = Self { lines, numbers, letters };
        (!text.numbers.is_empty() || !text.letters.is_empty()).then_some(text)
    }

    /// Edits a random line.
    fn edit(&mut self, random: &mut Random) {
        let Self { lines, numbers, letters } = self;
        let is_head = lines.len() < 2 || random.chance(HEAD);
        let at = if is_head { 0 } else { 1 + random.below(lines.len() - 1) };
        let Some(line) = lines.get_mut(at) else { return };
        let (one, other) = (random.below(line.len()), random.below(line.len()));
        match random.below(8) {
            0 | 1 => line.swap(one, other),
            2 => line.reverse(),
            3 => line[one..].reverse(),
            4 => {
                let word = line[one].clone();
                line.fill(word);
            }
            _ => match number(&line[one]) {
                Some(old) => line[one] = another(old, numbers, random).to_string(),
                None => line[one] = spelled(&line[one], letters, random),
            },
        }
    }
}

/// A number in place of `old`: mostly another one of the input, or its neighbour.
fn another(old: i64, numbers: &[i64], random: &mut Random) -> i64 {
    let mut pick = || random.pick(numbers).copied().unwrap_or(old);
    let (one, other) = (pick(), pick());
    match random.below(12) {
        0 => old.saturating_add(1),
        1 => old.saturating_sub(1),
        2 => old.saturating_neg(),
        3 | 4 => one.saturating_add(1),
        5 | 6 => one.saturating_sub(1),
        7 => one.saturating_add(other),
        8 => random.signed(2) - 1,
        _ => one,
    }
}

/// A word with another letter, or reversed.
fn spelled(word: &str, letters: &[char], random: &mut Random) -> String {
    let mut spelled: Vec<char> = word.chars().collect();
    let at = random.below(spelled.len());
    match (random.below(4), spelled.get_mut(at), random.pick(letters)) {
        (0, ..) => spelled.reverse(),
        (_, Some(letter), Some(other)) => *letter = *other,
        _ => {}
    }
    spelled.into_iter().collect()
}
