//! `swiftprof`: profiles C++ programs at the terminal, and serves the profiler.
//!
//! ```text
//! arguments ─ args ─┬─ job_request ─> job ─ commands::run ─> ending ─ profiler_export ─> stdout
//!                   └─ commands ────────────────────────────────────────────────────────> stdout
//! ```
//!
//! Results go to stdout, everything else to stderr. The exit code tells which one to read: see
//! [`exit::Exit`].

#![forbid(unsafe_code)]
// These macros panic if the reader of stderr has gone: see `stderr`.
#![deny(clippy::print_stderr)]

mod args;
mod commands;
mod exit;
mod job_request;
mod output;
mod progress;
mod sandbox;
mod saved_report;
#[cfg_attr(not(feature = "service"), path = "server/lacking.rs")]
mod server;
mod settings;
mod stderr;

#[cfg(feature = "service")]
use args::service::Service;
use args::{Cli, Command, Image};
use clap::{CommandFactory, Parser};
#[cfg(feature = "fleet")]
use commands::service::{fleet, worker};
#[cfg(feature = "service")]
use commands::service::{mcp, runs, serve, state};
use commands::{check, compare, doctor, input, perun, rank, report, run, setup, worst};
use exit::{Exit, Failure};
use job_request::Program;
use profiler_core::sandbox::Cores;
use std::env;
use std::path::PathBuf;
use std::process::ExitCode;
use tokio::runtime::Runtime;

/// The number of programs that one command line measures at the same time.
const ONE_PROGRAM: usize = 1;

fn main() -> ExitCode {
    let result = arguments().and_then(execute);
    let exit = result.unwrap_or_else(|failure| {
        failure.print();
        failure.exit()
    });
    exit.into()
}

/// The arguments of the command line, with options from config files.
fn arguments() -> Result<Cli, Failure> {
    let given = args::with_lines_joined(env::args_os().collect());
    let matches = Cli::command().get_matches_from(&given);
    let of_user = env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".config"));
    let extended = settings::extend(given, &matches, of_user.or_else(home))?;
    Ok(Cli::parse_from(extended))
}

fn execute(cli: Cli) -> Result<Exit, Failure> {
    match cli.command {
        Command::Run(args) => {
            let cores = cores(ONE_PROGRAM);
            let several = Program::of_sources(&args.files);
            let only = match args.files.as_slice() {
                [file] => Some(file.clone()),
                _ => several.as_ref().map(|program| program.main.clone()),
            };
            match only {
                Some(file) if args.watch => {
                    let run = || run::run(&file, several.as_ref(), &args, cores.clone());
                    block_on(run::after_each_change(&file, &args, run))
                }
                Some(file) => measure(run::run(&file, several.as_ref(), &args, cores)),
                None => measure(rank::rank(&args, cores)),
            }
        }
        Command::Compare(args) => measure(compare::compare(&args, cores(ONE_PROGRAM))),
        Command::Check(args) => measure(check::check(*args)),
        Command::Worst(args) => measure(worst::worst(*args)),
        Command::Report(args) => report::report(&args),
        #[cfg(feature = "service")]
        Command::Service(command) => service(command),
        Command::Image(Image::Build(args)) => block_on(setup::image_build::build(args)),
        Command::Input(args) => match &args.program {
            Some(program) => measure(input::confirm(program, &args, cores(ONE_PROGRAM))),
            None => block_on(input::input(&args)),
        },
        Command::Init { folder } => input::init(&folder),
        Command::Perun(command) => perun::run(&command),
        Command::Generate(args) => setup::generate::generate(&args),
        Command::Doctor { image, format } => block_on(doctor::examine(&image, format)),
        #[cfg(not(feature = "fleet"))]
        Command::Other(words) => Err(Failure::argument(
            words.first().map(|word| word.to_string_lossy()).unwrap_or_default(),
            "this build has no such command; a build with the default features also has serve, worker, \
             fleet, mcp, runs and state",
        )),
    }
}

#[cfg(feature = "service")]
fn service(command: Service) -> Result<Exit, Failure> {
    match command {
        Service::Runs(args) => block_on(runs::runs(args)),
        Service::State(args) => state::look_after(args),
        Service::Serve(args) => {
            let settings = serve::settings(&args)?;
            let config = settings.config()?;
            for address in &args.listen {
                profiler_server::identity::check(&config.identity, address)?;
            }
            if args.check_config {
                return serve::describe(&settings);
            }
            // A gateway measures nothing.
            let measures = config.fleet.url.is_none();
            let cores = measures.then(|| cores(config.concurrency)).flatten();
            block_on(serve::serve(args, settings, config, cores))
        }
        #[cfg(feature = "fleet")]
        Service::Worker(args) => {
            let settings = worker::settings(&args)?;
            if args.check_config {
                return serve::describe(&settings);
            }
            let config = settings.config()?;
            let cores = cores(args.cores(&config));
            block_on(worker::work(args, settings, config, cores))
        }
        #[cfg(feature = "fleet")]
        Service::Fleet(args) => block_on(fleet::show(args)),
        Service::Mcp(args) => {
            let cores = if args.endpoint.is_none() { cores(ONE_PROGRAM) } else { None };
            let runtime = Runtime::new().map_err(Failure::broken("start threads"))?;
            let exit = runtime.block_on(mcp::serve(args, cores));
            // Do not wait for a thread that may be reading stdin, which can stay open.
            runtime.shutdown_background();
            exit
        }
    }
}

/// Divides this host's processors. From here on, this process stays off the measured cores. Threads
/// inherit that, so this must come before the runtime starts any.
fn cores(slots: usize) -> Option<Cores> {
    let cores = Cores::of_this_host(slots);
    if let Some(cores) = &cores {
        cores.keep_off();
    }
    cores
}

/// Runs a command that measures programs here, and then precompiles what makes later ones faster.
fn measure(command: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    block_on(async {
        let exit = command.await?;
        if !matches!(exit, Exit::Stopped(_)) {
            sandbox::precompile().await;
        }
        Ok(exit)
    })
}

/// Runs a command on a new runtime.
fn block_on(command: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    Runtime::new().map_err(Failure::broken("start threads"))?.block_on(command)
}
