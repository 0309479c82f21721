//! Reads the fields of one part of a spec, and records the problems that they have at every n.

use crate::context::names::Names;
use crate::expression::{Code, Expression};
use crate::limits::{MAX_ALPHABET, MAX_DECIMALS, MAX_LITERAL_BYTES, MAX_WIDTH};
use crate::problem::{self, Cause, Problem, join};
use std::sync::Arc;

/// Reader of the fields below a path.
pub(crate) struct Fields<'c> {
    pub(crate) path: String,
    pub(crate) names: Names<'c>,
    /// Number of steps of one evaluation of these fields.
    pub(crate) steps: u64,
    pub(crate) problems: &'c mut Vec<Problem>,
}

impl Fields<'_> {
    /// Extends the path to the message in `field`. The caller resets the path.
    pub(crate) fn below(&mut self, field: &str) -> &mut Self {
        self.path = join(&self.path, field);
        self
    }

    pub(crate) fn refuse(&mut self, field: &str, problem: impl Into<String>) {
        let problem = Problem::new(join(&self.path, field), Cause::Spec, problem);
        problem::add(self.problems, problem);
    }

    /// Compiles a required expression. An empty text is a problem.
    pub(crate) fn expression(&mut self, field: &str, text: &str) -> Expression {
        let code = Code::read(text, &|name| self.names.slot(name)).unwrap_or_else(|problem| {
            self.refuse(field, problem);
            Code::default()
        });
        self.steps += code.steps();
        Expression { path: join(&self.path, field), code }
    }

    /// Compiles an optional expression. An empty text is `None`.
    pub(crate) fn maybe(&mut self, field: &str, text: &str) -> Option<Expression> {
        (!text.is_empty()).then(|| self.expression(field, text))
    }

    /// Compiles an optional expression. An empty text is the default.
    pub(crate) fn expression_or(&mut self, field: &str, text: &str, default: i64) -> Expression {
        let given = self.maybe(field, text);
        let code = Code::constant(default);
        given.unwrap_or_else(|| Expression { path: join(&self.path, field), code })
    }

    /// Compiles the ends of a range.
    pub(crate) fn range(&mut self, field: &str, min: &str, max: &str) -> [Expression; 2] {
        [("min", min), ("max", max)].map(|(end, text)| self.expression(&join(field, end), text))
    }

    /// The value of an enum. An unknown value is a problem.
    pub(crate) fn known<E: TryFrom<i32> + Default>(&mut self, field: &str, value: i32) -> E {
        E::try_from(value).unwrap_or_else(|_| {
            self.refuse(field, format!("unknown value {value}"));
            E::default()
        })
    }

    pub(crate) fn width(&mut self, width: u32) -> u8 {
        if width > MAX_WIDTH {
            self.refuse("width", format!("must be at most {MAX_WIDTH}, not {width}"));
        }
        u8::try_from(width).unwrap_or(u8::MAX)
    }

    pub(crate) fn decimals(&mut self, decimals: u32) -> u8 {
        if decimals > MAX_DECIMALS {
            self.refuse("decimals", format!("must be at most {MAX_DECIMALS}, not {decimals}"));
        }
        u8::try_from(decimals.min(MAX_DECIMALS)).unwrap_or_default()
    }

    pub(crate) fn alphabet(&mut self, alphabet: &str, least: usize) -> Arc<[u8]> {
        if alphabet.len() > MAX_ALPHABET {
            let len = alphabet.len();
            self.refuse("alphabet", format!("must have at most {MAX_ALPHABET} bytes, not {len}"));
        } else if !alphabet.bytes().all(|c| c == b' ' || c.is_ascii_graphic()) {
            self.refuse("alphabet", "must have only printable ASCII characters");
        } else if alphabet.is_empty() {
            self.refuse("alphabet", "is missing");
        } else if alphabet.len() < least {
            self.refuse("alphabet", format!("must have at least {least} characters"));
        }
        alphabet.as_bytes().into()
    }

    pub(crate) fn literal(&mut self, field: &str, text: &str) -> Arc<str> {
        if text.len() > MAX_LITERAL_BYTES {
            let bytes = text.len();
            self.refuse(field, format!("must have at most {MAX_LITERAL_BYTES} bytes, not {bytes}"));
        } else if text.contains(char::is_control) {
            self.refuse(field, "must not have control characters, such as line ends");
        }
        text.into()
    }
}
