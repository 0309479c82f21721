//! A changed program.

use profiler_proto::v1::TriedChange;
use std::collections::BTreeSet;
use std::ops::Range;

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Change {
    /// Description of the change, without the result of a trial.
    pub(super) described: TriedChange,
    /// Lines whose cost the change is meant to reduce.
    pub(super) lines: BTreeSet<u32>,
    pub(super) source: Vec<u8>,
    pub(super) flags: Vec<String>,
    /// Edits of the original source that make this one.
    pub(super) edits: Vec<Edit>,
    /// Header that the change includes.
    pub(super) header: Option<&'static str>,
}

/// Replacement of a range of the source. The new text has no line ends, so lines keep their
/// numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    /// Range of the replaced text, as byte offsets in the source.
    pub(super) at: Range<usize>,
    pub(super) with: String,
}

impl Edit {
    /// Makes an edit that inserts text at the byte offset `at`.
    pub(super) fn insert(at: usize, with: &str) -> Self {
        Self { at: at..at, with: with.into() }
    }
}

/// Applies edits, which are in the order of their places. `None` if two of them overlap.
pub(super) fn edited(text: &str, edits: &[Edit]) -> Option<String> {
    let (mut changed, mut from) = (String::new(), 0);
    for Edit { at, with } in edits {
        changed.push_str(text.get(from..at.start)?);
        changed.push_str(with);
        from = at.end;
    }
    changed.push_str(text.get(from..)?);
    Some(changed)
}
