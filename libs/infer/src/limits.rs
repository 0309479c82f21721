//! Limits of an inference, for samples that anybody may send.

/// Maximum number of samples.
pub const MAX_SAMPLES: usize = 16;
/// Longest sample, in bytes. Samples are what a task's statement shows, not what it is judged with.
pub const MAX_SAMPLE_BYTES: usize = 64 << 10;
/// Maximum number of lines that the search looks at, those of every attempt counted.
pub(crate) const MAX_STEPS: u64 = 1 << 15;
/// Maximum number of numbers that a line may have before they must be an array.
pub(crate) const MAX_FIELDS: usize = 5;
/// Maximum number of columns of a record, such as an edge with its weight.
pub(crate) const MAX_COLUMNS: usize = 4;
/// Maximum number of parts of a layout, and of a case's layout.
pub(crate) const MAX_PARTS: usize = 8;
pub(crate) const MAX_CASE_PARTS: usize = 4;
/// Maximum number of bodies of a case that are tried at one place.
pub(crate) const MAX_BODIES: usize = 1024;
/// Maximum number of readings of one sequence of shapes.
pub(crate) const MAX_READINGS: usize = 256;
/// Maximum number of readings that a refusal shows.
pub(crate) const MAX_SHOWN: usize = 6;
/// Maximum number of nodes of a graph.
pub(crate) const MAX_NODES: usize = 1 << 16;
