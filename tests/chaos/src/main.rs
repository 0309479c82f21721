//! `cargo xtask chaos`, and the processes that it starts.

#![forbid(unsafe_code)]

use clap::Parser;
use profiler_chaos::{gateway, trial, worker};
use std::error::Error;

/// A process of the trial.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask", disable_version_flag = true)]
enum Process {
    /// Kill, stop and part processes of a fleet at random, and check every history
    Chaos(trial::TrialArgs),
    /// A worker.
    #[command(hide = true)]
    FleetWorker(worker::WorkerArgs),
    /// A gateway.
    #[command(hide = true)]
    FleetGateway(gateway::GatewayArgs),
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    match Process::parse() {
        Process::Chaos(args) => Box::pin(trial::run(&args)).await,
        Process::FleetWorker(args) => worker::run(args).await,
        Process::FleetGateway(args) => gateway::run(args).await,
    }
}
