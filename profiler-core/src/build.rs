//! From source to binary: the compiler, its limits and messages, and the cache of binaries.

mod cache;
pub mod compiler;
mod obtain;
mod program;

pub use cache::BinaryCache;
pub use obtain::obtain;
pub(crate) use program::{build_interactor, build_program};
