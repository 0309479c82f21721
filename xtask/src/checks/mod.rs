//! Checks of other languages than Rust: the wire contract and the Python client.

pub(crate) mod python;
pub(crate) mod wire;
