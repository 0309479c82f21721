//! Limits of an inference, for samples that anybody may send.

/// Maximum number of samples.
pub const MAX_SAMPLES: usize = 16;
/// Longest sample, in bytes. Samples are the inputs in a task's statement, and not the tests of a
/// judge.
pub const MAX_SAMPLE_BYTES: usize = 64 << 10;
/// Maximum number of lines that the search looks at, summed over all attempts.
pub(crate) const MAX_STEPS: u64 = 1 << 15;
/// Maximum number of numbers of a line that are read as scalars instead of an array.
pub(crate) const MAX_FIELDS: usize = 5;
/// Maximum number of columns of a record, such as an edge with its weight.
pub(crate) const MAX_COLUMNS: usize = 4;
/// Maximum number of parts of a layout, and of a case's layout.
pub(crate) const MAX_PARTS: usize = 8;
pub(crate) const MAX_CASE_PARTS: usize = 4;
/// Maximum number of bodies of a case that are tried at one line.
pub(crate) const MAX_BODIES: usize = 1024;
/// Maximum number of readings of one sequence of shapes.
pub(crate) const MAX_READINGS: usize = 256;
/// Maximum number of readings that a refusal shows.
pub(crate) const MAX_SHOWN: usize = 6;
/// Maximum number of nodes of a graph.
pub(crate) const MAX_NODES: usize = 1 << 16;
