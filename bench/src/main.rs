//! What the profiler costs, against the plain command, in one run: these machines are shared, so only
//! figures that were taken in turn can be compared.

#![forbid(unsafe_code)]

mod compile;
mod job;
mod overhead;
mod series;

use clap::Parser;
use std::error::Error;

/// Why a benchmark could not be run.
type Failure = Box<dyn Error + Send + Sync>;

/// A benchmark.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench", disable_version_flag = true)]
enum Bench {
    /// One sandboxed run of an empty C++ main against a bare spawn, for each backend.
    Overhead,
    /// One job of seven sizes against the plan's literal way: `docker run` for the compile and for
    /// every size.
    Job,
    /// Compiling a first time and again, against plain g++.
    Compile {
        /// Docker's image.
        #[arg(long, default_value = sandbox_image::DEFAULT_TAG)]
        image: String,
    },
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    match Bench::parse() {
        Bench::Overhead => overhead::run().await,
        Bench::Job => job::run().await,
        Bench::Compile { image } => compile::run(&image).await,
    }
}
