//! Reads the fields of one part of a spec, and records what is wrong with them at every n.

use crate::context::names::Names;
use crate::expression::Code;
use crate::limits::{MAX_ALPHABET, MAX_LITERAL_BYTES, MAX_WIDTH};
use crate::problem::{self, Cause, Problem, join};
use crate::spec::Range;

/// The fields below a path.
pub(crate) struct Fields<'c> {
    pub(crate) path: String,
    pub(crate) names: Names<'c>,
    /// Steps that evaluating these fields takes.
    pub(crate) steps: u64,
    pub(crate) problems: &'c mut Vec<Problem>,
}

impl Fields<'_> {
    pub(crate) fn refuse(&mut self, field: &str, problem: impl Into<String>) {
        let problem = Problem::new(join(&self.path, field), Cause::Spec, problem);
        problem::add(self.problems, problem);
    }

    /// A required expression.
    pub(crate) fn code(&mut self, field: &str, text: &str) -> Code {
        match Code::read(text, &|name| self.names.slot(name)) {
            Ok(code) => {
                self.steps += code.steps();
                code
            }
            Err(problem) => {
                self.refuse(field, problem);
                Code::default()
            }
        }
    }

    /// An optional expression.
    pub(crate) fn maybe(&mut self, field: &str, text: Option<&String>) -> Option<Code> {
        text.map(|text| self.code(field, text))
    }

    pub(crate) fn range(&mut self, field: &str, range: &Range) -> Range<Code> {
        Range {
            min: self.code(&join(field, "min"), &range.min),
            max: self.code(&join(field, "max"), &range.max),
        }
    }

    pub(crate) fn width(&mut self, width: u32) -> u32 {
        if width > MAX_WIDTH {
            self.refuse("width", format!("{width} digits are over the limit of {MAX_WIDTH}"));
        }
        width.min(MAX_WIDTH)
    }

    pub(crate) fn alphabet(&mut self, alphabet: &str, least: usize) -> String {
        if alphabet.len() > MAX_ALPHABET {
            let len = alphabet.len();
            self.refuse("alphabet", format!("{len} bytes are over the limit of {MAX_ALPHABET}"));
        } else if !alphabet.bytes().all(|c| c == b' ' || c.is_ascii_graphic()) {
            self.refuse("alphabet", "has a character that is not printable ASCII");
        } else if alphabet.is_empty() {
            self.refuse("alphabet", "is missing");
        } else if alphabet.len() < least {
            self.refuse("alphabet", format!("has fewer than {least} characters"));
        }
        alphabet.into()
    }

    pub(crate) fn literal(&mut self, field: &str, text: &str) -> String {
        if text.len() > MAX_LITERAL_BYTES {
            let bytes = text.len();
            self.refuse(field, format!("{bytes} bytes are over the limit of {MAX_LITERAL_BYTES}"));
        } else if text.contains(char::is_control) {
            self.refuse(field, "has a control character, such as the end of a line");
        }
        text.into()
    }
}
