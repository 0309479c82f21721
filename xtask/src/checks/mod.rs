//! Checks of what the compiler does not see: dependencies, the wire contract, the Python client.

pub(crate) mod chart;
pub(crate) mod dependencies;
pub(crate) mod python;
pub(crate) mod wire;
