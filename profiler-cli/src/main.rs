//! `swiftprof`: the profiler at the terminal.

#![forbid(unsafe_code)]
mod args;
mod doctor;
mod exit;
mod palette;
mod render;
mod request;
use clap::Parser;
fn main() {
    let cli = args::Cli::parse();
    let _ = cli;
}
