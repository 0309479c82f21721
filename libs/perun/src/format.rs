//! Reads and writes Perun's profile format.
//!
//! A file has its resources in one of three shapes: in `snapshots` (the documented one), in a list
//! (`global`, `resources`), or as columns with a `resource_type_map` (since Perun 0.17). All of
//! them can refer to `chunks` and have flattened keys. [`Profile::resources`] hides the
//! differences.
//!
//! A file is preserved: unknown keys, the order of keys, and numbers are written as they were read.
//!
//! ```text
//! expand ──> profile ──> reader ──> chunk, nest, resource_type ──> resource
//! ```

mod chunk;
mod expand;
mod nest;
mod profile;
mod reader;
mod resource;
mod resource_type;

pub use profile::Profile;
pub(crate) use profile::{BOUNDS, bounds};
pub use resource::{Place, Resource};
