//! The price of a default job, compared with compiling the program and running it by hand.

mod backlog;
mod programs;
mod ways;

use crate::failure::Failure;
use crate::tools::host_load::{HostLoad, load};
use crate::tools::series::{self, Series};
use clap::Args;
use profiler_tests::swiftprof::Served;
use programs::{Case, PROGRAMS, Program, STARVED};
use std::time::Instant;
use ways::{Stages, Way, watched};

/// Arguments of the benchmark.
#[derive(Debug, Args)]
pub(crate) struct JobArgs {
    /// Programs, by name [default: all]
    names: Vec<String>,
    /// Rounds of each program
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

/// Prints the price of a default job of each program, of two jobs that need little, and of many
/// jobs at once.
pub(crate) async fn run(args: &JobArgs) -> Result<(), Failure> {
    if let Some(name) = args.names.iter().find(|name| PROGRAMS.iter().all(|p| p.name != **name)) {
        return Err(format!("there is no program {name}").into());
    }
    println!("load before: {:.2}", load()?);
    let begun = HostLoad::now()?;
    let servers = [Served::start("native", &[]).await, Served::start("docker", &[]).await];
    let is_chosen = |program: &&Program| {
        args.names.is_empty() || args.names.iter().any(|name| name == program.name)
    };
    for program in PROGRAMS.iter().filter(is_chosen) {
        measure(program, &servers, args.rounds).await?;
    }
    let sort = PROGRAMS.iter().find(|program| program.name == "sort").ok_or("no sort")?.case()?;
    small_jobs(&sort, &servers[0], args.rounds).await?;
    backlog::run(&sort, &servers[0]).await?;
    for server in servers {
        server.stop().await;
    }
    println!("\nsteal during the runs: {:.2} %", 100.0 * begun.steal()?);
    Ok(())
}

/// Prints the wall-clock and the processor time of each way to profile `program`, and the stages of
/// the service.
async fn measure(program: &Program, servers: &[Served; 2], rounds: usize) -> Result<(), Failure> {
    let case = program.case()?;
    let ours = ["native", "docker"].into_iter().zip(servers).flat_map(|(backend, server)| {
        [false, true].into_iter().flat_map(move |is_cached| {
            [Way::CommandLine { backend, is_cached }, Way::Service { backend, server, is_cached }]
        })
    });
    let ways: Vec<Way<'_>> = [Way::ByHand, Way::Plan].into_iter().chain(ours).collect();
    let mut wall: Vec<Series> = ways.iter().map(|way| Series::new(way.to_string())).collect();
    let mut processor = wall.clone();
    let mut stages = vec![Vec::new(); ways.len()];
    for round in 0..rounds {
        for (at, way) in ways.iter().enumerate() {
            way.get_ready(&case).await?;
            let (host, begun) = (HostLoad::now()?, Instant::now());
            let tag = format!("{} {at} {round}", std::process::id());
            let reached = way.run(&case, &tag).await?;
            wall[at].add(begun.elapsed());
            processor[at].add(host.processor_time()?);
            stages[at].extend(reached);
        }
    }
    println!();
    series::print(&format!("{}, wall clock", program.name), &wall);
    series::print(&format!("{}, processor time of the host", program.name), &processor);
    for (way, reached) in ways.iter().zip(&stages).filter(|(_, reached)| !reached.is_empty()) {
        print_stages(&format!("{}, {way}", program.name), reached);
    }
    Ok(())
}

fn print_stages(title: &str, runs: &[Stages]) {
    let mut parts =
        ["the whole", "until compiled", "sizes", "input, counts, growth"].map(Series::new);
    for Stages { compiled, measured, ended } in runs {
        let took = [
            *ended,
            *compiled,
            measured.saturating_sub(*compiled),
            ended.saturating_sub(*measured),
        ];
        parts.iter_mut().zip(took).for_each(|(part, took)| part.add(took));
    }
    series::print(title, &parts);
}

/// Prints the time of one size that is run once, and the time after the compile until a program
/// that lacks its input is reported.
async fn small_jobs(sort: &Case, server: &Served, rounds: usize) -> Result<(), Failure> {
    let client = server.client().await;
    let mut one_size = Series::new("one size, one run, no growth");
    let mut starved = Series::new("starved, after the compile");
    watched(client.submit(sort.one_size()).await?).await?;
    let lacks_input = STARVED.case()?;
    for round in 0..rounds {
        server.until_warm().await;
        one_size.add(watched(client.submit(sort.one_size()).await?).await?.ended);
        server.until_warm().await;
        let job = lacks_input.job(&format!("{} {round}", std::process::id()));
        let Stages { compiled, ended, .. } = watched(client.submit(job).await?).await?;
        starved.add(ended.saturating_sub(compiled));
    }
    println!();
    series::print("the service, natively; sort.cpp compiled before", &[one_size]);
    series::print("the service, natively", &[starved]);
    Ok(())
}
