//! Limits on an inference, because anybody can send samples.

/// Maximum number of samples.
pub const MAX_SAMPLES: usize = 16;
/// Longest sample, in bytes. Samples are the example inputs in a task's statement, not the tests of
/// a judge.
pub const MAX_SAMPLE_BYTES: usize = 64 << 10;
/// Maximum number of attempts of the search. Long attempts count more than once.
pub(crate) const MAX_STEPS: u64 = 1 << 16;
/// Number of words that an attempt can read for each time that it counts.
pub(crate) const WORDS_A_STEP: u64 = 32;
/// Maximum number of words on a line that is read as scalars and texts instead of an array.
pub(crate) const MAX_FIELDS: usize = 5;
/// Maximum number of columns in a record, such as an edge with its weight.
pub(crate) const MAX_COLUMNS: usize = 6;
/// Maximum number of parts in a layout.
pub(crate) const MAX_PARTS: usize = 8;
/// Maximum number of parts in a case's layout.
pub(crate) const MAX_CASE_PARTS: usize = 6;
/// Maximum number of layouts of a case that are tried at one line.
pub(crate) const MAX_BODIES: usize = 128;
/// Maximum number of readings of the cases that have one layout.
pub(crate) const MAX_BODY_READINGS: usize = 8;
/// Maximum number of fits of which a spec is made.
pub(crate) const MAX_COMPLETE: usize = 256;
/// Maximum number of unfinished fits that the search takes up if the same can follow them.
pub(crate) const MAX_ALIKE: usize = 4;
/// The same for the layouts of a case, of which only one case is known.
pub(crate) const MAX_ALIKE_BODIES: usize = 16;
/// Maximum number of meanings of a part.
pub(crate) const MAX_MEANINGS: usize = 8;
/// Maximum number of readings of one sequence of shapes.
pub(crate) const MAX_READINGS: usize = 256;
/// Maximum number of proposals whose inputs have the same lines.
pub(crate) const MAX_OF_LAYOUT: usize = 2;
/// Maximum number of proposals.
pub const MAX_PROPOSALS: usize = 8;
