//! What a file may ask of its reader. A profile comes from anywhere.

/// Bytes of a file.
pub const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;
/// Lists and objects inside one another, in a file.
pub const MAX_DEPTH: usize = 32;
/// Lists and objects inside one another, in a resource or a model. Each level doubles the text that a
/// flattened value can have.
pub const MAX_RESOURCE_DEPTH: usize = 6;
/// Resources of a profile.
pub const MAX_RESOURCES: usize = 1_000_000;
/// Bytes that resources and models may have together, once what they share is put into each of them: their
/// texts, and [`VALUE_BYTES`] for each value.
pub const MAX_EXPANDED_BYTES: usize = 512 * 1024 * 1024;
/// Bytes that a value is taken to have beside its text.
pub const VALUE_BYTES: usize = 64;
/// Cells of a data frame.
pub const MAX_CELLS: usize = 50_000_000;
/// Allocations in all maps of a heap map together: what is live is repeated in each snapshot.
pub const MAX_MAP_ENTRIES: usize = 5_000_000;
/// Snapshots of a profile whose resources carry the number of theirs.
pub const MAX_SNAPSHOTS: u64 = 1_000_000;
/// Snapshots that a heap map shows though the file has nothing of them: their numbers are left out by resources that
/// carry the number of theirs. What is live is repeated in each.
pub const MAX_MISSING_SNAPSHOTS: u64 = 10_000;
/// The least addresses that a heap or heat map spans; a smaller span is widened.
pub const MIN_SPAN_ADDRESSES: i128 = 500;
/// The most addresses that a heap or heat map spans; a larger span is cut.
pub const MAX_SPAN_ADDRESSES: i128 = 1_000_000;
