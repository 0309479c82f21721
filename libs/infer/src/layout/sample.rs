//! A sample input as lines of words.

use crate::limits::{MAX_SAMPLE_BYTES, MAX_SAMPLES};
use crate::refusal::Refusal;
use profiler_input::limits::MAX_DECIMALS;

/// A sample: its lines, each split at blanks. Empty lines at the end are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) lines: Vec<Vec<Word>>,
}

/// A word of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    /// The word as a number, if it is a number without a plus sign or leading zeros. A decimal
    /// fraction counts units of its last place.
    pub(crate) number: Option<i64>,
    /// Number of decimal places, the same for all fractions; 0 for a whole number.
    pub(crate) decimals: u32,
}

impl Word {
    fn read(text: &str) -> Self {
        let number = text.parse::<i64>().ok().filter(|number| number.to_string() == text);
        Self { text: text.into(), number, decimals: 0 }
    }
}

/// A number in units of the last of `decimals` decimal places. Places that are not written are 0.
pub(crate) fn decimal(word: &str, decimals: u32) -> Option<i64> {
    let (whole, places) = word.split_once('.').unwrap_or((word, ""));
    let missing = usize::try_from(decimals).ok()?.checked_sub(places.len())?;
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let are_digits = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit());
    if digits.is_empty() || !are_digits(digits) || !are_digits(places) {
        return None;
    }
    format!("{whole}{places}{}", "0".repeat(missing)).parse().ok()
}

/// The number of decimal places that a word has; `None` if it is no decimal fraction.
fn places(word: &str) -> Option<u32> {
    let (_, places) = word.split_once('.')?;
    let count =
        u32::try_from(places.len()).ok().filter(|count| (1..=MAX_DECIMALS).contains(count))?;
    decimal(word, count).map(|_| count)
}

/// Reads the samples. Refuses samples that no spec can write.
pub(crate) fn read_all(texts: &[&str]) -> Result<Vec<Sample>, Refusal> {
    if texts.is_empty() || texts.len() > MAX_SAMPLES {
        let problem = format!("give 1 to {MAX_SAMPLES} samples, not {}", texts.len());
        return Err(Refusal::Sample { number: texts.len(), line: 0, problem });
    }
    let samples = (1..).zip(texts).map(|(number, text)| read(number, text));
    let mut samples: Vec<Sample> = samples.collect::<Result<_, _>>()?;
    let words = || samples.iter().flat_map(|sample| sample.lines.iter().flatten());
    let decimals = words().filter_map(|word| places(&word.text)).max().unwrap_or_default();
    let all = samples.iter_mut().flat_map(|sample| sample.lines.iter_mut().flatten());
    for word in all.filter(|word| places(&word.text).is_some()) {
        word.number = decimal(&word.text, decimals);
        word.decimals = decimals;
    }
    Ok(samples)
}

fn read(number: usize, text: &str) -> Result<Sample, Refusal> {
    let refuse = |line, problem: String| Err(Refusal::Sample { number, line, problem });
    if text.len() > MAX_SAMPLE_BYTES {
        let problem = format!("must have at most {MAX_SAMPLE_BYTES} bytes, not {}", text.len());
        return refuse(0, problem);
    }
    let text = text.trim_end();
    if text.is_empty() {
        return refuse(0, "must not be empty".into());
    }
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let words: Vec<_> = line.split_ascii_whitespace().map(Word::read).collect();
        for word in &words {
            if !word.text.bytes().all(|byte| byte.is_ascii_graphic()) {
                let problem = format!("{:?} has characters other than printable ASCII", word.text);
                return refuse(number, problem);
            }
            if is_fraction(&word.text) && places(&word.text).is_none() {
                let problem =
                    format!("{} is a decimal fraction that no kind of variable writes", word.text);
                return refuse(number, problem);
            }
        }
        lines.push(words);
    }
    Ok(Sample { lines })
}

fn is_fraction(text: &str) -> bool {
    text.contains('.') && text.contains(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok()
}
