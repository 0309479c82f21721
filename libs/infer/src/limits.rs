//! Limits on an inference, because anybody can send samples.

/// Maximum number of samples.
pub const MAX_SAMPLES: usize = 16;
/// Longest sample, in bytes. Samples are the example inputs in a task's statement, not the tests of
/// a judge.
pub const MAX_SAMPLE_BYTES: usize = 64 << 10;
/// Maximum number of lines that the search reads, summed over all attempts. Each attempt counts as
/// one more line.
pub(crate) const MAX_STEPS: u64 = 1 << 15;
/// Maximum number of words on a line that is read as scalars and texts instead of an array.
pub(crate) const MAX_FIELDS: usize = 5;
/// Maximum number of columns in a record, such as an edge with its weight.
pub(crate) const MAX_COLUMNS: usize = 4;
/// Maximum number of parts in a layout.
pub(crate) const MAX_PARTS: usize = 8;
/// Maximum number of parts in a case's layout.
pub(crate) const MAX_CASE_PARTS: usize = 4;
/// Maximum number of layouts of a case that are tried at one line.
pub(crate) const MAX_BODIES: usize = 1024;
/// Maximum number of readings of one sequence of shapes.
pub(crate) const MAX_READINGS: usize = 256;
/// Maximum number of readings that a refusal shows.
pub(crate) const MAX_SHOWN: usize = 6;
/// Maximum number of nodes in a graph.
pub(crate) const MAX_NODES: usize = 1 << 16;
