//! The answer of a tool, of bounded size.

mod shortening;
mod text;

pub(crate) use shortening::clipped;
pub use text::MAX_TEXT_BYTES;

use crate::failure::Failure;
use serde_json::{Map, Value, json};
use shortening::{bytes, largest};

/// Maximum structured content of an answer, in bytes of JSON.
pub const MAX_STRUCTURED_BYTES: usize = 8_000;
/// Maximum length of a line of text, in bytes.
const MAX_SUMMARY_BYTES: usize = 600;
/// The key that says that an answer was shortened.
const SHORTENED: &str = "shortened";

/// The answer of a tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Answer {
    /// The answer in one line.
    pub(crate) summary: String,
    /// The next step, as the end of "next: "; empty if there is none.
    pub(crate) next: String,
    /// The figures.
    pub(crate) structured: Map<String, Value>,
    /// Links to resources with the rest of the data.
    pub(crate) links: Vec<Link>,
    /// Whether the call failed.
    pub(crate) is_error: bool,
}

/// A resource of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) media_type: &'static str,
}

impl Answer {
    /// An answer with a line of text and figures.
    pub(crate) fn new(summary: &str, figures: impl Into<Value>) -> Self {
        let structured = object(bounded(figures.into()));
        Self { summary: one_line(summary), structured, ..Self::default() }
    }

    /// Returns the essentials as text of at most [`MAX_TEXT_BYTES`].
    pub(crate) fn text(&self) -> String {
        let is_shortened = self.structured.contains_key(SHORTENED);
        text::text(&self.summary, (&self.structured, is_shortened), &self.next)
    }

    /// The same answer with the next step.
    pub(crate) fn then(self, next: impl Into<String>) -> Self {
        Self { next: next.into(), ..self }
    }
}

impl From<Failure> for Answer {
    fn from(failure: Failure) -> Self {
        let (summary, structured) = match failure {
            Failure::Arguments(problems) => {
                let text = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
                let listed: Vec<_> = problems
                    .iter()
                    .map(|it| json!({ "argument": it.argument, "problem": it.problem }))
                    .collect();
                (format!("wrong arguments: {text}"), json!({ "wrong_arguments": listed }))
            }
            Failure::Fault(cause) => {
                (format!("the profiler is at fault: {cause}"), json!({ "fault": cause }))
            }
        };
        Self { is_error: true, ..Self::new(&summary, structured) }
    }
}

/// Returns the entries of a JSON object; empty for any other value.
pub(crate) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(entries) => entries,
        _ => Map::new(),
    }
}

/// Returns the entries of a JSON object that are not null.
pub(crate) fn known(value: Value) -> Map<String, Value> {
    let mut entries = object(value);
    entries.retain(|_, value| !value.is_null());
    entries
}

fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    clipped(&words.join(" "), MAX_SUMMARY_BYTES)
}

/// Shortens figures to [`MAX_STRUCTURED_BYTES`]: halves the largest texts and lists until they fit.
/// Callers put the items first that matter most, because a list keeps its first half.
fn bounded(mut value: Value) -> Value {
    let mut is_shortened = false;
    while bytes(&value) > MAX_STRUCTURED_BYTES {
        let Some(part) = largest(&mut value) else { break };
        match part {
            Value::String(text) => *text = clipped(text, text.len() / 2),
            Value::Array(list) => list.truncate(list.len() / 2),
            _ => break,
        }
        if !is_shortened && let Value::Object(entries) = &mut value {
            entries.insert(SHORTENED.into(), true.into());
            is_shortened = true;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(answer: &Answer) -> usize {
        Value::Object(answer.structured.clone()).to_string().len()
    }

    #[test]
    fn fitting_answer_is_not_changed() {
        let figures = object(json!({ "n": [1, 2, 3], "text": "short" }));
        assert_eq!(Answer::new("one\n  line", figures.clone()).structured, figures);
        assert_eq!(Answer::new("one\n  line", figures).summary, "one line");
    }

    #[test]
    fn answer_fits_whatever_a_program_writes() {
        let rows: Vec<_> = (0..500).map(|n| json!({ "n": n, "why": "\u{1}".repeat(90) })).collect();
        let nested = json!({ "verdict": "kept", "rows": rows, "text": "é\"\\".repeat(9000) });
        let answer = Answer::new(&"x".repeat(5000), object(nested));
        assert!(size(&answer) <= MAX_STRUCTURED_BYTES, "{}", size(&answer));
        assert_eq!(answer.structured["verdict"], "kept");
        assert_eq!(answer.structured[SHORTENED], true);
        assert!(answer.structured["rows"].as_array().is_some_and(|rows| rows[0]["n"] == 0));
        assert!(answer.summary.len() <= MAX_SUMMARY_BYTES);
    }

    #[test]
    fn wrong_argument_is_an_error_that_says_what_is_allowed() {
        let answer = Answer::from(Failure::argument("growth", "must be one of: timed, full"));
        assert!(answer.is_error);
        assert_eq!(answer.summary, "wrong arguments: growth: must be one of: timed, full");
        assert_eq!(answer.structured["wrong_arguments"][0]["argument"], "growth");
    }
}
