//! From source to binary: the compiler, its limits and messages, and the cache of binaries.

mod cache;
pub mod compiler;
mod obtain;

pub use cache::BinaryCache;
pub use obtain::obtain;
