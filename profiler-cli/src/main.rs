//! `swiftprof`: measures C++ programs at the terminal, and serves the profiler.
//!
//! Results go to stdout, everything else to stderr. The exit code says which of the two to read: see
//! [`exit::Exit`].

#![forbid(unsafe_code)]

mod args;
mod doctor;
mod exit;
mod image;
mod palette;
mod progress;
mod render;
mod request;
mod run;
mod sandbox;
mod serve;

use args::{Cli, Command, Image};
use clap::Parser;
use exit::{Exit, Failure};
use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    let ended = match Cli::parse().command {
        Command::Run(args) => run::run(*args).await,
        Command::Serve(args) => serve::serve(args).await,
        Command::Image(Image::Build(args)) => image::build(args).await,
        Command::Doctor(args) => doctor::examine(&args).await,
    };
    ended.unwrap_or_else(|failure| complain(&failure)).into()
}

/// Says on stderr why there is no result.
fn complain(failure: &Failure) -> Exit {
    for line in failure.to_string().lines() {
        eprintln!("swiftprof: {line}");
    }
    failure.exit()
}
