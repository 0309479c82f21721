//! Many hosts as one service: its speed, its fairness, how long a cancel takes, and what is left
//! when everything fails.

mod cancel;
mod chaos;
mod disk;
mod engine;
mod fairness;
pub(crate) mod gateway;
mod hosts;
mod jobs;
mod journal;
mod model;
mod speed;
pub(crate) mod worker;

use crate::failure::Failure;
use clap::Args;
use std::path::PathBuf;

/// Many hosts as one service.
#[derive(Debug, Args)]
pub(crate) struct FleetArgs {
    /// Kill, stop and part processes at random, and check every history
    #[arg(long)]
    chaos: bool,
    /// One caller with many jobs and nine with few
    #[arg(long, conflicts_with = "chaos")]
    fairness: bool,
    /// How long a cancel takes, on one host and through gateways
    #[arg(long, conflicts_with_all = ["chaos", "fairness"])]
    cancel: bool,
    /// Servers of NATS: 1 or 3; both, where the benchmark compares them
    #[arg(long, value_delimiter = ',', value_parser = clap::builder::PossibleValuesParser::new(["1", "3"]))]
    servers: Vec<String>,
    /// Workers; several numbers, where the benchmark compares them
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    workers: Vec<u32>,
    /// The server of NATS
    #[arg(long, env = "PROFILER_TEST_NATS", value_name = "PROGRAM")]
    nats: PathBuf,
    #[command(flatten)]
    speed: speed::SpeedArgs,
    #[command(flatten)]
    trial: chaos::ChaosArgs,
    #[command(flatten)]
    cancels: cancel::CancelArgs,
}

/// Runs the benchmark that is asked for.
pub(crate) async fn run(args: FleetArgs) -> Result<(), Failure> {
    let FleetArgs { chaos, fairness, cancel, servers, workers, nats, speed, trial, cancels } = args;
    let servers: Vec<usize> =
        servers.iter().map(|number| number.parse()).collect::<Result<_, _>>()?;
    let workers: Vec<usize> = workers.into_iter().map(|number| number as usize).collect();
    let one = servers.first().copied().unwrap_or(1);
    if chaos {
        let workers = workers.first().copied().unwrap_or(50);
        return Box::pin(chaos::run(&trial, &nats, one, workers)).await;
    }
    if fairness {
        return Box::pin(fairness::run(&nats, one)).await;
    }
    if cancel {
        return Box::pin(cancel::run(&cancels, &nats, one)).await;
    }
    let or = |given: Vec<usize>, all: &[usize]| if given.is_empty() { all.to_vec() } else { given };
    let (servers, workers) = (or(servers, &[1, 3]), or(workers, &[1, 10, 100, 300]));
    Box::pin(speed::run(&speed, &nats, &servers, &workers)).await
}
