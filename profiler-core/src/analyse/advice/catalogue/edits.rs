//! Conversion of edits to a change.

pub(super) use crate::analyse::advice::change::Edit;

use crate::analyse::advice::change::{Change, edited};
use crate::analyse::advice::tokens::Code;
use profiler_proto::v1::TriedChange;
use std::collections::BTreeSet;

/// Maximum number of characters that a report shows of a line of the source.
const LINE_CHARS: usize = 200;

/// A change to the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SourceChange {
    pub(super) found: String,
    pub(super) remedy: String,
    /// Edits, at least one.
    pub(super) edits: Vec<Edit>,
    /// Header that the changed source must include.
    pub(super) header: Option<&'static str>,
    /// The lines whose cost the change is meant to reduce.
    pub(super) lines: BTreeSet<u32>,
}

impl SourceChange {
    /// Applies the edits, and returns the change with the whole changed source.
    pub(super) fn into_change(mut self, code: &Code<'_>, flags: &[String]) -> Change {
        self.edits.sort_by_key(|edit| edit.at.start);
        let mut changed = edited(code.text, &self.edits).unwrap_or_default();
        let first = self.edits.first().map_or(0, |edit| edit.at.start);
        let above = code.text[..first].matches('\n').count();
        let line = |text: &str| -> String {
            let line = text.split('\n').nth(above).unwrap_or_default();
            line.trim().chars().take(LINE_CHARS).collect()
        };
        let (before, after) = (line(code.text), line(&changed));
        let both = code.text.split('\n').zip(changed.split('\n'));
        let differ = both.zip(1..).filter(|((a, b), _)| a != b);
        let edited_lines: Vec<u32> = differ.map(|(_, line)| line).collect();
        let is_included = |header| code.includes(header) || code.includes("bits/stdc++.h");
        let header = self.header.filter(|header| !is_included(header));
        if let Some(header) = header {
            changed.insert_str(0, &format!("#include <{header}>\n"));
        }
        let described = TriedChange {
            found: self.found,
            remedy: self.remedy,
            line: u32::try_from(above + 1).ok(),
            before,
            after,
            changed_lines: u32::try_from(edited_lines.len()).unwrap_or(u32::MAX),
            edited_lines,
            ..TriedChange::default()
        };
        let (source, flags) = (changed.into_bytes(), flags.to_vec());
        let Self { lines, edits, .. } = self;
        Change { described, lines, source, flags, edits, header }
    }
}
