//! Perun's profile format, read and written.
//!
//! A file holds its resources in one of three shapes: in `snapshots` (the description's), in a list (`global`,
//! `resources`), or as columns beside a `resource_type_map` (what Perun 0.17 and later write). Each of them can
//! refer to its `chunks`, and have flattened keys. [`Profile::resources`] shows all of them as one.
//!
//! What is read is kept as it is: unknown keys, the order of keys, and numbers come out again.

mod chunk;
mod expand;
mod flatten;
mod nest;
mod profile;
mod reader;
mod resource;
mod resource_type;
mod share;

pub use profile::Profile;
pub use resource::{Place, Resource};
