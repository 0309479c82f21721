//! `swiftprof`: measures C++ programs at the terminal, and serves the profiler.
//!
//! Results go to stdout, everything else to stderr. The exit code says which of the two to read: see
//! [`exit::Exit`].

#![forbid(unsafe_code)]

mod args;
mod compare;
mod doctor;
mod exit;
mod image;
mod input;
mod perun;
mod progress;
mod request;
mod run;
mod sandbox;
mod serve;
mod terminal;

use args::{Cli, Command, Image};
use clap::Parser;
use exit::{Exit, Failure};
use profiler_core::sandbox::Cores;
use std::process::ExitCode;
use tokio::runtime::Runtime;

/// Programs that one command line measures at the same time.
const ONE_PROGRAM: usize = 1;

fn main() -> ExitCode {
    let ended = match Cli::parse().command {
        Command::Run(args) => block_on(run::run(*args, cores(ONE_PROGRAM))),
        Command::Compare(args) => block_on(compare::compare(*args, cores(ONE_PROGRAM))),
        Command::Serve(args) => serve::settings(&args).and_then(|config| {
            let cores = cores(config.concurrency);
            block_on(serve::serve(args, config, cores))
        }),
        Command::Image(Image::Build(args)) => block_on(image::build(args)),
        Command::Input(args) => input::write(&args),
        Command::Perun(command) => perun::run(&command),
        Command::Doctor(args) => block_on(doctor::examine(&args)),
    };
    ended.unwrap_or_else(|failure| complain(&failure)).into()
}

/// The division of this host's processors. From here on this process keeps off those that are measured;
/// threads that are started later inherit that.
fn cores(slots: usize) -> Option<Cores> {
    let cores = Cores::of_this_host(slots);
    if let Some(cores) = &cores {
        cores.keep_off();
    }
    cores
}

/// Runs a command on threads that are started now.
fn block_on(command: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    Runtime::new().map_err(Failure::broken("start threads"))?.block_on(command)
}

/// Says on stderr why there is no result.
fn complain(failure: &Failure) -> Exit {
    for line in failure.to_string().lines() {
        eprintln!("swiftprof: {line}");
    }
    failure.exit()
}
