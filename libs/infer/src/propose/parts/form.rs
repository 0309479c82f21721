//! The form that all words of a list have: "[A-Z][a-z]{1,7}", "<00-23>:<00-59>".

/// Minimum number of words whose order is no accident.
const MIN_SORTED: usize = 4;
/// Smallest upper bound of the letters of different words, so that there are enough of them.
const MIN_LETTERS: usize = 4;
/// The last day that every month has.
const LAST_DAY: u32 = 28;
/// Maximum number of digits of a number.
const MAX_DIGITS: usize = 9;

/// The kind of characters in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Run {
    Upper,
    Lower,
    Digits,
    Other(char),
}

fn run_of(character: char) -> Run {
    match character {
        'A'..='Z' => Run::Upper,
        'a'..='z' => Run::Lower,
        '0'..='9' => Run::Digits,
        other => Run::Other(other),
    }
}

/// The runs of a word.
fn runs(word: &str) -> Vec<(Run, &str)> {
    let mut all = Vec::new();
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let run = run_of(first);
        let length = match run {
            Run::Other(_) => first.len_utf8(),
            _ => rest.find(|next| run_of(next) != run).unwrap_or(rest.len()),
        };
        let (here, after) = rest.split_at(length);
        all.push((run, here));
        rest = after;
    }
    all
}

/// Whether each word is after the one before, which is no accident.
pub(super) fn are_sorted(words: &[&str]) -> bool {
    let has_digits = words.iter().all(|word| word.contains(|c: char| c.is_ascii_digit()));
    let least = if has_digits { MIN_SORTED / 2 } else { MIN_SORTED };
    words.len() >= least && words.is_sorted_by(|one, next| one < next)
}

/// The form of the words, if they have one that is more than an alphabet. `distinct` words need
/// enough letters.
pub(super) fn of(words: &[&str], distinct: bool, sorted: bool) -> Option<String> {
    let all: Vec<Vec<(Run, &str)>> = words.iter().map(|word| runs(word)).collect();
    let first = all.first()?;
    let same = |other: &Vec<(Run, &str)>| {
        other.len() == first.len() && other.iter().zip(first).all(|(one, two)| one.0 == two.0)
    };
    let is_plain = first.len() < 2 && !matches!(first.first(), Some((Run::Digits, _)));
    if !all.iter().all(same) || (is_plain && !sorted) {
        return None;
    }
    let pieces = (0..first.len()).map(|at| {
        let texts: Vec<&str> = all.iter().map(|runs| runs[at].1).collect();
        piece(first[at].0, &texts, distinct || sorted)
    });
    let mut pieces = pieces.collect::<Option<Vec<_>>>()?;
    let numbers = || first.iter().filter(|(run, _)| *run == Run::Digits);
    if numbers().count() == 3 && numbers().any(|(_, digits)| digits.len() == 4) {
        for piece in &mut pieces {
            piece.last = piece.last.map(|last| if last > 99 { last } else { last.min(LAST_DAY) });
        }
    }
    Some(pieces.iter().map(Piece::text).collect())
}

/// A piece of a form.
struct Piece {
    run: Run,
    /// The smallest and the largest length.
    lengths: (usize, usize),
    first: Option<u32>,
    last: Option<u32>,
}

fn piece(run: Run, texts: &[&str], distinct: bool) -> Option<Piece> {
    let lengths = || texts.iter().map(|text| text.len());
    let (least, most) = (lengths().min()?, lengths().max()?);
    let numbers = || texts.iter().filter_map(|text| text.parse::<u32>().ok());
    if run != Run::Digits {
        let most = if distinct && least < most { most.max(MIN_LETTERS) } else { most };
        return Some(Piece { run, lengths: (least, most), first: None, last: None });
    }
    let is_short = most <= MAX_DIGITS;
    let padded = texts.iter().any(|text| text.len() > 1 && text.starts_with('0'));
    (is_short && (least == most || !padded)).then(|| Piece {
        run,
        lengths: (least, most),
        first: numbers().min(),
        last: numbers().max(),
    })
}

impl Piece {
    fn text(&self) -> String {
        let (least, most) = self.lengths;
        let repeated = match (least, most) {
            (1, 1) => String::new(),
            (least, most) if least == most => format!("{{{least}}}"),
            _ => format!("{{{least},{most}}}"),
        };
        match self.run {
            Run::Upper => format!("[A-Z]{repeated}"),
            Run::Lower => format!("[a-z]{repeated}"),
            Run::Other(other @ ('[' | '<' | '\\')) => format!("\\{other}"),
            Run::Other(other) => other.into(),
            Run::Digits => {
                let digits = if least == most { least } else { 1 };
                let [from, to] = [self.first, self.last].map(Option::unwrap_or_default);
                format!("<{:0digits$}-{to:0digits$}>", from.min(to))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_the_same_runs_have_a_form() {
        let form = |words: &[&str]| of(words, false, false);
        assert_eq!(form(&["Oslo", "Rome", "Bergen"]).as_deref(), Some("[A-Z][a-z]{3,5}"));
        assert_eq!(form(&["09:30", "23:05"]).as_deref(), Some("<09-23>:<05-30>"));
        assert_eq!(form(&["2:0", "10:19"]).as_deref(), Some("<2-10>:<0-19>"));
        assert_eq!(
            form(&["1999-12-31", "2000-02-29"]).as_deref(),
            Some("<1999-2000>-<02-12>-<28-28>")
        );
        assert_eq!(form(&["a@bc", "de@f"]).as_deref(), Some("[a-z]{1,2}@[a-z]{1,2}"));
        assert_eq!(form(&["x[1]", "y[2]"]).as_deref(), Some("[a-z]\\[<1-2>]"));
        for words in [&["abc", "de"][..], &["Ab", "ab"], &["01:2", "1:2"]] {
            assert_eq!(form(words), None, "{words:?}");
        }
        assert!(are_sorted(&["a", "b", "c", "d"]) && !are_sorted(&["a", "b", "c"]));
    }
}
