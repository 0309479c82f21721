//! Strings of a few parts.

use crate::random::Random;
use profiler_input::TextPart;

/// Words of the parts that are all tried.
const WORDS: [&[u8]; 4] = [&[0], &[1], &[0, 1], &[1, 0]];
/// Largest number of parts that are all tried.
const MAX_PARTS: usize = 3;
/// Maximum number of parts, and of letters in a part, of a bred string.
const MAX_BRED_PARTS: usize = 6;
const MAX_LETTERS: usize = 4;
/// The last letter that is drawn. Shorter alphabets begin again.
const LAST_LETTER: u8 = 3;

/// The rule of these parts.
pub(crate) fn text(parts: &[TextPart]) -> String {
    parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// All short lists of parts of which at least one is repeated.
pub(crate) fn shortest() -> Vec<Vec<TextPart>> {
    let each = WORDS
        .into_iter()
        .flat_map(|word| [true, false].map(|repeats| TextPart { word: word.to_vec(), repeats }));
    let each: Vec<TextPart> = each.collect();
    let (mut all, mut longest) = (Vec::new(), vec![Vec::new()]);
    for _ in 0..MAX_PARTS {
        let longer = longest.iter().flat_map(|parts: &Vec<TextPart>| {
            each.iter().map(move |part| [&parts[..], std::slice::from_ref(part)].concat())
        });
        longest = longer.collect();
        all.extend(longest.iter().filter(|it| it.iter().any(|part| part.repeats)).cloned());
    }
    all
}

/// Random parts.
pub(crate) fn draw(random: &mut Random) -> Vec<TextPart> {
    (0..=random.below(MAX_PARTS)).map(|_| part(random)).collect()
}

fn part(random: &mut Random) -> TextPart {
    let word = (0..=random.below(2)).map(|_| random.byte(LAST_LETTER)).collect();
    TextPart { word, repeats: random.chance(65) }
}

/// A copy with a random change.
pub(crate) fn nudged(parts: &[TextPart], random: &mut Random) -> Vec<TextPart> {
    let mut parts = parts.to_vec();
    let at = random.below(parts.len());
    match random.below(6) {
        0 if parts.len() < MAX_BRED_PARTS => parts.insert(at, part(random)),
        1 if parts.len() > 1 => {
            parts.remove(at);
        }
        2 => parts[at].repeats = !parts[at].repeats,
        3 if parts[at].word.len() < MAX_LETTERS => parts[at].word.push(random.byte(LAST_LETTER)),
        4 => {
            let letter = random.below(parts[at].word.len());
            parts[at].word[letter] = random.byte(LAST_LETTER);
        }
        _ => parts[at] = part(random),
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn shortest_lists_are_different_and_have_a_repeated_part() {
        let all: Vec<String> = shortest().iter().map(|parts| text(parts)).collect();
        let different: HashSet<&String> = all.iter().collect();
        assert_eq!(different.len(), all.len());
        assert_eq!(all.len(), 4 + (64 - 16) + (512 - 64));
        for wanted in ["a*", "b a*", "a* b*", "a* b a*", "ab*"] {
            assert!(different.contains(&wanted.to_owned()), "{wanted}");
        }
    }

    #[test]
    fn changed_parts_stay_short() {
        let mut random = Random::new(5);
        let mut parts = draw(&mut random);
        for _ in 0..500 {
            parts = nudged(&parts, &mut random);
            let words = parts.iter().map(|part| part.word.len());
            assert!(words.clone().all(|letters| (1..=MAX_LETTERS).contains(&letters)));
            assert!((1..=MAX_BRED_PARTS).contains(&words.count()));
        }
    }
}
