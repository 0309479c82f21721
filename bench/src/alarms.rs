//! Honest programs in default jobs: a warning that accuses one of them is a false alarm.

mod corpora;
mod finding;
mod part;
mod table;

use crate::failure::Failure;
use crate::tools::backend_args::BackendArgs;
use crate::tools::busy_loops::Load;
use clap::Args;
use corpora::{FLAGS, Honest};
use finding::Finding;
use part::Part;
use profiler_core::build::BinaryCache;
use profiler_core::cancel::cancel_signal;
use profiler_core::report::Events;
use profiler_core::sandbox::{Cores, Pool};
use profiler_core::{Profiler, Turn, run_job};
use profiler_proto::{Word, v1};
use profiler_wire as wire;

/// Arguments of the benchmark.
#[derive(Debug, Args)]
pub(crate) struct AlarmsArgs {
    /// Programs whose paths contain one of these texts [default: all]
    names: Vec<String>,
    /// Rounds of all programs
    #[arg(long, default_value_t = 1)]
    rounds: usize,
    /// Busy loops next to the jobs: 5 are 250 % of two processors
    #[arg(long, default_value_t = 0)]
    load: usize,
    /// Part of the programs, such as 2/3 for the second of three
    #[arg(long, default_value = "1/1", value_name = "I/K")]
    part: Part,
    #[command(flatten)]
    backends: BackendArgs,
}

/// Runs the programs and prints the warnings that they get.
pub(crate) async fn run(args: &AlarmsArgs) -> Result<(), Failure> {
    let mut programs = corpora::all()?;
    programs.retain(|program| {
        args.names.is_empty() || args.names.iter().any(|name| program.name.contains(name))
    });
    let programs = args.part.of(programs);
    if programs.is_empty() {
        return Err("no program is chosen".into());
    }
    for backend in args.backends.backends().await? {
        let folder = tempfile::tempdir()?;
        let cache = BinaryCache::in_folder(folder.path().to_owned());
        // Nothing else is started during a measurement: every job starts its own sandbox.
        let pool = Pool::new(backend.clone(), 0).with_cores(Cores::of_this_host(1));
        let profiler = Profiler::new(pool, Some(cache));
        let load = Load::start(args.load)?;
        let (mut findings, mut failures) = (Vec::new(), Vec::new());
        let rounds = (0..args.rounds).flat_map(|_| FLAGS);
        let jobs = rounds.flat_map(|flags| programs.iter().map(move |program| (program, flags)));
        for (index, (program, flags)) in jobs.enumerate() {
            let title = format!("{}, {}", program.name, flags[0]);
            eprintln!("job {}: {title}", index + 1);
            match profiled(&profiler, program, flags).await {
                Ok(report) => findings.push(Finding::new(title, &report, program.varies)),
                Err(failure) => failures.push(format!("{title}: {failure}")),
            }
        }
        drop(load);
        let sets = FLAGS.map(|flags| flags.join(" ")).join(", or ");
        println!("\n# {}: {} programs, {} rounds,", backend.name(), programs.len(), args.rounds);
        println!("{} busy loops, flags {sets}\n", args.load);
        table::print(&findings, &failures);
        profiler.pool.close().await;
    }
    Ok(())
}

/// Runs one program in a default job. A failure of the job is a text.
async fn profiled(
    profiler: &Profiler,
    program: &Honest,
    flags: [&str; 2],
) -> Result<v1::ProfileReport, String> {
    let job = wire::job(program.job_with(flags), &wire::Defaults::default());
    let job = job.map_err(|bad| bad.to_string())?;
    // Nothing receives the events: the queue holds all events of a job.
    let (mut events, _watcher) = Events::new("bench");
    let (_stopper, mut stopped) = cancel_signal();
    let done = run_job(&job, profiler, &mut events, &mut stopped, Turn::now()).await;
    done.map_err(|error| format!("{}: {}", error.code().word(), error.message))
}
