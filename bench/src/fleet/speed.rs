//! Jobs per second and the latency of events, by the number of workers, callers and servers. The
//! sandboxes run nothing, so everything that is measured is the fleet's own.

mod caller;
mod cell;
mod table;

use crate::failure::Failure;
use crate::fleet::disk::synced_writes;
use cell::{Cell, Figures};
use clap::Args;
use profiler_chaos::engine::folder;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Arguments of the speed benchmark.
#[derive(Debug, Args)]
pub(crate) struct SpeedArgs {
    /// Rounds of all rows of the table
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Time that a row is measured in a round
    #[arg(long, default_value_t = 5)]
    pub(super) seconds: u64,
    /// Callers that submit at one time
    #[arg(long, value_delimiter = ',', default_value = "1,100")]
    callers: Vec<usize>,
}

/// Measures every cell round by round, and prints a table.
pub(crate) async fn run(
    args: &SpeedArgs,
    program: &Path,
    servers: &[usize],
    workers: &[usize],
) -> Result<(), Failure> {
    let mut cells = Vec::new();
    for &servers in servers {
        for &workers in workers {
            cells.extend(args.callers.iter().map(|&callers| Cell { servers, workers, callers }));
        }
    }
    let mut measured: BTreeMap<usize, Vec<Figures>> = BTreeMap::new();
    let mut disk = Vec::new();
    for round in 0..args.rounds {
        disk.push(synced_writes(folder()?.path())?);
        for (at, cell) in cells.iter().enumerate() {
            let figures = cell.measure(program, Duration::from_secs(args.seconds));
            let figures = Box::pin(figures).await?;
            eprintln!("round {round}: {cell:?}, {:.1} jobs/s", figures.jobs_a_second);
            measured.entry(at).or_default().push(figures);
        }
    }
    table::print(args.rounds, args.seconds, &disk);
    for (cell, figures) in cells.iter().zip(measured.values()) {
        table::print_row(cell, figures);
    }
    Ok(())
}
