//! Limits on files, because a profile may come from anywhere.

/// Maximum size of a file, in bytes.
pub const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;
/// Maximum nesting of lists and objects in a file.
pub const MAX_DEPTH: usize = 32;
/// Maximum nesting of lists and objects in a resource or a model. Each level can double the text of
/// a flattened value.
pub const MAX_RESOURCE_DEPTH: usize = 6;
/// Maximum number of resources of a profile.
pub const MAX_RESOURCES: usize = 1_000_000;
/// Maximum total size of resources and models after their chunks are copied into them, in bytes:
/// their texts, and [`VALUE_BYTES`] for each value.
pub const MAX_EXPANDED_BYTES: usize = 512 * 1024 * 1024;
/// The assumed size of a value without its text, in bytes.
pub const VALUE_BYTES: usize = 64;
/// Maximum number of cells of a data frame.
pub const MAX_CELLS: usize = 50_000_000;
/// Maximum number of entries of all maps of a heap map. Live allocations are repeated in each
/// snapshot.
pub const MAX_MAP_ENTRIES: usize = 5_000_000;
/// Maximum number of snapshots, if resources carry snapshot numbers.
pub const MAX_SNAPSHOTS: u64 = 1_000_000;
/// Maximum number of snapshots that a heap map adds because no resource carries their number. Live
/// allocations are repeated in each of them.
pub const MAX_MISSING_SNAPSHOTS: u64 = 10_000;
/// Minimum span of addresses of a heap or heat map. A smaller span is widened.
pub const MIN_SPAN_ADDRESSES: i128 = 500;
/// Maximum span of addresses of a heap or heat map. A larger span is cut.
pub const MAX_SPAN_ADDRESSES: i128 = 1_000_000;
