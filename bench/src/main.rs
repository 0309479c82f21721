//! The cost of the profiler, and the reliability of its figures. The machines are shared, so
//! figures are only comparable if they were taken in turn in one run.

#![forbid(unsafe_code)]

mod alarms;
mod checkers;
mod costs;
mod failure;
mod fleet;
mod growth;
mod noise;
mod planted;
mod service;
mod tools;
mod worst;

use clap::Parser;
use costs::{compile, executions, generate, instructions, job, overhead, test_cases, throughput};
use failure::Failure;
use noise::{estimators, jobs, outside};
use planted::{advice, check};
use profiler_chaos::worker::{self, WorkerArgs};
use service::{crash, events, load, memory, metrics, secure, server_process};
use tools::backend_args::BackendArgs;
use tools::busy_loops;

/// A benchmark.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask bench", disable_version_flag = true)]
enum Bench {
    /// One sandboxed run of an empty C++ main against a bare spawn, for each backend.
    Overhead,
    /// A default job of six programs, at the command line and in the service, against g++ and one
    /// run of each size by hand, and against `docker run` for each.
    Job(job::JobArgs),
    /// Compiling a first time and again, against plain g++.
    Compile {
        /// Docker's image.
        #[arg(long, default_value = sandbox_image::DEFAULT_TAG)]
        image: String,
    },
    /// Distance between the figures of two jobs of the same program, idle and next to busy loops.
    Noise {
        #[command(flatten)]
        args: BackendArgs,
        /// Rounds of all programs
        #[arg(long, default_value_t = jobs::ROUNDS)]
        rounds: usize,
        /// Compare ways to make one figure of repetitions instead
        #[arg(long)]
        estimators: bool,
    },
    /// The reported time against plain runs outside of any sandbox.
    Outside {
        #[command(flatten)]
        args: BackendArgs,
        /// Rounds of each program
        #[arg(long, default_value_t = outside::ROUNDS)]
        rounds: usize,
    },
    /// Test cases that are judged and counted in the service, against a plain loop of runs and
    /// go-judge.
    Tests {
        /// Rounds of all ways
        #[arg(long, default_value_t = test_cases::ROUNDS)]
        rounds: usize,
    },
    /// Measured runs a second inside one job, against bare spawns a second.
    Throughput(BackendArgs),
    /// Time that an event takes from the profiler to the client, over loopback.
    Events,
    /// The same latency on a server whose metrics are scraped, and on one without metrics, in turn.
    Metrics,
    /// Events, load and connections of a server with TLS, a token and metrics, and of one without,
    /// in turn.
    Secure,
    /// The server's resident memory, idle and after many jobs.
    Server,
    /// More callers at once than can be served: answered, refused, lost, and the server's memory.
    Load,
    /// Servers killed in the middle of a campaign: what is lost, run twice or left over.
    Crash,
    /// Cost of counting instructions, and whether counts repeat.
    Instructions(instructions::InstructionsArgs),
    /// Number of inputs a second that are made and counted, many in a process and one in a process
    Executions {
        /// Rounds of all programs
        #[arg(long, default_value_t = executions::ROUNDS)]
        rounds: usize,
    },
    /// Speed of generating inputs from specs, against printf and against programs that read
    /// them.
    Generate,
    /// Share of programs whose class of growth is right, wrong or undecided, and whether its
    /// confidence is calibrated
    Growth(growth::GrowthArgs),
    /// Warnings that accuse honest programs in default jobs, which are false alarms
    Alarms(alarms::AlarmsArgs),
    /// Outputs of 20 tasks with several right answers, judged by checkers and by an independent
    /// judge
    ///
    /// `PROFILER_TEST_TESTLIB` names testlib.h, which three more checkers include.
    Checkers(checkers::CheckersArgs),
    /// Known fixes that advice finds, and gains that it only believes
    Advice(advice::AdviceArgs),
    /// Planted bugs that a stress test finds
    Check(check::CheckArgs),
    /// Share of a hand-made worst input that `swiftprof worst` reaches
    Worst(worst::WorstArgs),
    /// Many hosts as one service: jobs a second, latency, fairness, and how long a cancel takes
    Fleet(fleet::FleetArgs),
    /// A worker process of `fleet`.
    #[command(hide = true)]
    FleetWorker(WorkerArgs),
    /// Plain runs of one program, for `outside`.
    #[command(hide = true)]
    PlainRuns(outside::PlainRuns),
    /// A busy loop, until stdin ends.
    #[command(hide = true)]
    Spin,
    /// A server whose sandboxes run nothing, until stdin ends.
    #[command(hide = true)]
    Serve,
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    match Bench::parse() {
        Bench::Overhead => overhead::run().await,
        Bench::Job(args) => job::run(&args).await,
        Bench::Compile { image } => compile::run(&image).await,
        Bench::Noise { args, estimators: true, .. } => estimators::run(&args).await,
        Bench::Noise { args, rounds, .. } => jobs::run(&args, rounds).await,
        Bench::Outside { args, rounds } => outside::run(&args, rounds).await,
        Bench::PlainRuns(args) => outside::plain_runs(&args),
        Bench::Tests { rounds } => test_cases::run(rounds).await,
        Bench::Throughput(args) => throughput::run(&args).await,
        Bench::Events => events::run().await,
        Bench::Metrics => metrics::run().await,
        Bench::Secure => secure::run().await,
        Bench::Server => memory::run().await,
        Bench::Load => load::run().await,
        Bench::Crash => crash::run().await,
        Bench::Instructions(args) => instructions::run(&args).await,
        Bench::Executions { rounds } => executions::run(rounds).await,
        Bench::Generate => generate::run(),
        Bench::Growth(args) => growth::run(&args).await,
        Bench::Alarms(args) => alarms::run(&args).await,
        Bench::Checkers(args) => checkers::run(&args).await,
        Bench::Advice(args) => advice::run(&args).await,
        Bench::Check(args) => check::run(&args).await,
        Bench::Worst(args) if args.peer => worst::peer::run(&args).await,
        Bench::Worst(args) => worst::run(&args).await,
        Bench::Fleet(args) => Box::pin(fleet::run(args)).await,
        Bench::FleetWorker(args) => worker::run(args).await,
        Bench::Spin => busy_loops::spin(),
        Bench::Serve => server_process::serve().await,
    }
}
