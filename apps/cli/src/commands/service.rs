//! Commands that serve the profiler, and commands that ask a server.

#[cfg(feature = "fleet")]
pub(crate) mod fleet;
pub(crate) mod mcp;
pub(crate) mod runs;
pub(crate) mod serve;
pub(crate) mod state;
mod variables;
#[cfg(feature = "fleet")]
pub(crate) mod worker;
