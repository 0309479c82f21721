//! Reads what a 64-bit little-endian ELF file says about itself; see elf(5).
//!
//! A compilation can be hostile, so the headers are checked and not trusted.

mod executable;
mod functions;
#[cfg(feature = "runner")]
mod line_table;
mod plt;
pub(crate) mod program;
pub(crate) mod read_at;
mod segments;

pub use executable::Linkage;
pub use functions::function_addresses;
#[cfg(feature = "runner")]
pub use line_table::LineTable;
pub use plt::library_names;
pub use program::{PROGRAM_HEADER_BYTES, Program, Segment};
pub use read_at::ReadAt;
pub use segments::segment_bytes;
