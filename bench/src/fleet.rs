//! Many hosts as one service: its speed, its fairness, how long a cancel takes, and what hosts
//! cost. `cargo xtask chaos` checks what survives when everything fails.

mod cancel;
mod disk;
mod fairness;
mod scale;
mod speed;

use crate::failure::Failure;
use clap::Args;
use std::path::PathBuf;

/// Many hosts as one service.
#[derive(Debug, Args)]
pub(crate) struct FleetArgs {
    /// One caller with many jobs and nine with few
    #[arg(long)]
    fairness: bool,
    /// Time that a cancel takes, on one host and through gateways
    #[arg(long, conflicts_with = "fairness")]
    cancel: bool,
    /// Messages, bytes and processor time of many hosts, at a given rate of jobs
    #[arg(long, conflicts_with_all = ["fairness", "cancel"])]
    scale: bool,
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
    cancels: cancel::CancelArgs,
    #[command(flatten)]
    scales: scale::ScaleArgs,
}

/// Runs the benchmark that is asked for.
pub(crate) async fn run(args: FleetArgs) -> Result<(), Failure> {
    let FleetArgs { fairness, cancel, scale, servers, workers, nats, speed, cancels, scales } =
        args;
    let servers: Vec<usize> =
        servers.iter().map(|number| number.parse()).collect::<Result<_, _>>()?;
    let workers: Vec<usize> = workers.into_iter().map(|number| number as usize).collect();
    let one = servers.first().copied().unwrap_or(1);
    if fairness {
        return Box::pin(fairness::run(&nats, one)).await;
    }
    if cancel {
        return Box::pin(cancel::run(&cancels, &nats, one)).await;
    }
    let or = |given: Vec<usize>, all: &[usize]| if given.is_empty() { all.to_vec() } else { given };
    if scale {
        let (servers, workers) = (or(servers, &[1]), or(workers, &[300, 1000]));
        return Box::pin(scale::run(&scales, &nats, &servers, &workers, speed.seconds)).await;
    }
    let (servers, workers) = (or(servers, &[1, 3]), or(workers, &[1, 10, 100, 300]));
    Box::pin(speed::run(&speed, &nats, &servers, &workers)).await
}
