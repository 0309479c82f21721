//! A changed program.

use profiler_proto::v1::TriedChange;
use std::collections::BTreeSet;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Change {
    /// Description of the change, without the result of a trial.
    pub(super) described: TriedChange,
    /// Lines whose cost the change is meant to reduce.
    pub(super) lines: BTreeSet<u32>,
    pub(super) source: Vec<u8>,
    pub(super) flags: Vec<String>,
}
