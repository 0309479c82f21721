//! The wire contract: the messages of `swiftsolve.profiler.v1` as they are in the .proto files
//! next to this crate, the stubs (features `client` and `server`), the descriptor set, and the JSON
//! mapping (feature `json`). The bindings are committed: `cargo xtask codegen` regenerates them.

#![forbid(unsafe_code)]

#[cfg(feature = "stubs")]
mod codec;
#[cfg(feature = "json")]
pub mod file;
pub mod formats;
#[cfg(feature = "growth")]
mod growth;
#[cfg(feature = "json")]
pub mod json;
pub mod options;
mod report;
#[cfg(feature = "json")]
pub mod task;
#[cfg(all(feature = "json", feature = "growth"))]
pub mod v0_1;

pub use report::{Figure, OUTPUTS_NOT_JUDGED, SIZE_FIGURES, SizeFigure, Value, Word};

/// The messages and stubs of `swiftsolve.profiler.v1`.
#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic, reason = "generated")]
pub mod v1;

/// The encoded `FileDescriptorSet` of the package and of everything that it imports, including
/// comments.
pub static DESCRIPTOR: &[u8] = include_bytes!("gen/descriptor.bin");
