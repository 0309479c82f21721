//! A changed program.

use std::collections::BTreeSet;

/// A changed program, and what to say of the change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// Present state.
    pub(super) found: String,
    /// Replacement.
    pub(super) remedy: String,
    /// The first changed line, from 1; `None` if only the flags change.
    pub(super) line: Option<u32>,
    /// Text of that line, or the flag that gives way.
    pub(super) before: String,
    /// Its replacement.
    pub(super) after: String,
    /// Number of lines of the source that change.
    pub(super) changed_lines: u32,
    /// Lines whose cost the change is meant to reduce.
    pub(super) lines: BTreeSet<u32>,
    /// The changed source.
    pub(super) source: Vec<u8>,
    /// The changed flags.
    pub(super) flags: Vec<String>,
}
