//! Limits of an inference, for samples that anybody may send.

/// Most samples.
pub const MAX_SAMPLES: usize = 16;
/// Longest sample, in bytes. Samples are what a task's statement shows, not what it is judged with.
pub const MAX_SAMPLE_BYTES: usize = 64 << 10;
/// Most lines that the search looks at, those of every attempt counted.
pub(crate) const MAX_STEPS: u64 = 1 << 15;
/// Most numbers that a line may have before they must be an array.
pub(crate) const MAX_FIELDS: usize = 5;
/// Most columns of a record, such as an edge with its weight.
pub(crate) const MAX_COLUMNS: usize = 4;
/// Most parts of a layout, and of a case's layout.
pub(crate) const MAX_PARTS: usize = 8;
pub(crate) const MAX_CASE_PARTS: usize = 4;
/// Most bodies of a case that are tried at one place.
pub(crate) const MAX_BODIES: usize = 1024;
/// Most readings of one sequence of shapes.
pub(crate) const MAX_READINGS: usize = 256;
/// Most readings that a refusal shows.
pub(crate) const MAX_SHOWN: usize = 6;
/// Most nodes of a graph.
pub(crate) const MAX_NODES: usize = 1 << 16;
