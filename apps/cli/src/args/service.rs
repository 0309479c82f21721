//! The commands that serve the profiler, and those that ask a server.

#[cfg(feature = "fleet")]
mod fleet;
mod mcp;
pub(crate) mod runs;
mod serve;

#[cfg(feature = "fleet")]
pub(crate) use fleet::{FleetArgs, WorkerArgs};
pub(crate) use mcp::McpArgs;
pub(crate) use serve::ServeArgs;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Service {
    /// Serve the profiler over gRPC
    Serve(ServeArgs),
    /// Measure the runs of a fleet
    #[cfg(feature = "fleet")]
    Worker(WorkerArgs),
    /// Show the pools, hosts and queues of a fleet
    #[cfg(feature = "fleet")]
    Fleet(FleetArgs),
    /// Serve the profiler to an agent over stdio, by the Model Context Protocol
    Mcp(McpArgs),
    /// List, show, follow, cancel and delete the runs of a server
    Runs(runs::RunsArgs),
    /// Maintain the folder of a server: size, pruning, backup, verification, export
    State(runs::StateArgs),
}
