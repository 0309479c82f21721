//! Whether the inputs held all that the program reads.

use super::warning::{Warning, WarningCode};

/// Effect of further input on the program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InputUse {
    /// Nothing: it needs no more than its input.
    Enough,
    /// Reads to the end of its input, wherever that is.
    ReadsToEnd,
    /// Does other work or gives another answer, up to a certain amount of further input: its input
    /// lacked something.
    Starved,
    /// Ends badly, takes longer than the check allows, or works differently each time: nothing is
    /// known.
    #[default]
    Unknown,
}

/// The result of an experiment at one small size: the same program on its input, and on its input
/// continued.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct InputCheck {
    /// Effect of further input on the program.
    pub input_use: InputUse,
    /// The size, which need not be a requested one.
    pub size: u64,
    /// The input of the largest measured size, if nobody declared the inputs: n and a newline.
    pub default_input: Option<String>,
    /// Lower bound of the number of bytes at the end of its declared input that the program does
    /// without, if it needs no more than its input: 0 if it reads the last word. Absent if that is
    /// not known.
    pub unread_bytes: Option<u64>,
}

impl InputCheck {
    /// Whether the program was measured on the default input, which lacks what it reads. Its
    /// figures then say nothing of its task.
    pub fn is_without_input(&self) -> bool {
        self.input_use == InputUse::Starved && self.default_input.is_some()
    }

    /// The warning about a program that lacked input.
    pub(crate) fn warning(&self) -> Option<Warning> {
        let problem = match &self.default_input {
            Some(fed) => format!(
                "the program was fed only {fed:?} ({} bytes) and asked for more, so its figures \
                 say nothing of its task: declare its input with an InputSpec, or give an \
                 interactor if it talks to a judge",
                fed.len()
            ),
            None => format!(
                "the program asked for more than its declared input holds (tried at n = {}): the \
                 declaration may lack something",
                self.size
            ),
        };
        (self.input_use == InputUse::Starved)
            .then(|| Warning::new(WarningCode::InputExhausted, problem))
    }
}
