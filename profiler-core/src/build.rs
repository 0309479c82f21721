//! Build from source to binary: the compiler, its limits and messages, and the cache of binaries.

mod builder;
mod cache;
pub mod compiler;
mod program;

pub(crate) use builder::put_files;
pub use builder::{Builder, Obtained};
pub use cache::BinaryCache;
pub use compiler::CompileLimits;
pub(crate) use program::{build_interactor, build_program, check_tools};
