//! The service: events, memory, load and crashes.

pub(crate) mod crash;
pub(crate) mod events;
pub(crate) mod load;
pub(crate) mod memory;
pub(crate) mod metrics;
pub(crate) mod secure;
pub(crate) mod server_process;
