//! A sample input as lines of words.

use crate::limits::{MAX_SAMPLE_BYTES, MAX_SAMPLES};
use crate::refusal::Refusal;

/// A sample: its lines, each split at blanks. Empty lines at the end are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) lines: Vec<Vec<Word>>,
}

/// A word of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    /// The word as a number, if it is a number without a plus sign or leading zeros.
    pub(crate) number: Option<i64>,
}

impl Word {
    fn read(text: &str) -> Self {
        let number = text.parse::<i64>().ok().filter(|number| number.to_string() == text);
        Self { text: text.into(), number }
    }
}

/// Reads the samples. Refuses samples that no spec can write.
pub(crate) fn read_all(texts: &[&str]) -> Result<Vec<Sample>, Refusal> {
    if texts.is_empty() || texts.len() > MAX_SAMPLES {
        let problem = format!("give 1 to {MAX_SAMPLES} samples, not {}", texts.len());
        return Err(Refusal::Sample { number: texts.len(), line: 0, problem });
    }
    (1..).zip(texts).map(|(number, text)| read(number, text)).collect()
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
            if is_fraction(&word.text) {
                let problem = format!(
                    "{} is a decimal fraction, which no kind of variable writes",
                    word.text
                );
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
