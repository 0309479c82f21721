//! Limits on files, because a profile may come from anywhere.

/// The size of a file, in bytes.
pub const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;
/// The nesting of lists and objects in a file.
pub const MAX_DEPTH: usize = 32;
/// The nesting of lists and objects in a resource or a model. Each level can double the text of a
/// flattened value.
pub const MAX_RESOURCE_DEPTH: usize = 6;
/// The number of resources of a profile.
pub const MAX_RESOURCES: usize = 1_000_000;
/// The total size of resources and models after their chunks are copied into them, in bytes: their
/// texts, and [`VALUE_BYTES`] for each value.
pub const MAX_EXPANDED_BYTES: usize = 512 * 1024 * 1024;
/// The assumed size of a value without its text, in bytes.
pub const VALUE_BYTES: usize = 64;
/// The number of cells of a data frame.
pub const MAX_CELLS: usize = 50_000_000;
/// The number of entries of all maps of a heap map. Live allocations are repeated in each snapshot.
pub const MAX_MAP_ENTRIES: usize = 5_000_000;
/// The number of snapshots, for resources that carry a snapshot number.
pub const MAX_SNAPSHOTS: u64 = 1_000_000;
/// The number of snapshots that a heap map adds because no resource carries their number. Live
/// allocations are repeated in each.
pub const MAX_MISSING_SNAPSHOTS: u64 = 10_000;
/// The least span of addresses of a heap or heat map. A smaller span is widened.
pub const MIN_SPAN_ADDRESSES: i128 = 500;
/// The greatest span of addresses of a heap or heat map. A larger span is cut.
pub const MAX_SPAN_ADDRESSES: i128 = 1_000_000;
