//! The reported time of ten programs against what a person measures outside of any sandbox: plain
//! g++, a plain spawn on the same processor, wall clock less run delay. Outside, each program runs
//! both with a randomised address layout and with a fixed one.

use crate::failure::Failure;
use crate::tools::backend_args::BackendArgs;
use crate::tools::spread::Spread;
use nix::sched::{CpuSet, sched_setaffinity};
use nix::sys::personality::{self, Persona};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;
use profiler_core::cancel::cancel_signal;
use profiler_core::job::{DEFAULT_FLAGS, Draft, Job};
use profiler_core::report::Events;
use profiler_core::sandbox::{Cores, Pool};
use profiler_core::{Profiler, Turn, run_job};
use profiler_proto::v1::Interval;
use std::env::current_exe;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The folder of the programs. The first line of each names its n: `// n: 1000`.
const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/outside");
/// Folder of input and output: in memory, as in a sandbox.
const MEMORY: &str = "/dev/shm";
/// Prefix of the line that names n.
const SIZE: &str = "// n: ";
/// Default number of rounds.
pub(crate) const ROUNDS: usize = 3;
/// Number of runs outside of a sandbox in one round, with each layout.
const RUNS: usize = 20;
/// Share of the headline by which the reported interval is widened on each side before it is
/// compared with the time outside: a plain spawn takes part of a millisecond. If the least times
/// outside, before and after the job, differ by more than this share, the processor's speed
/// changed, and the round tells nothing about the report.
const TOLERANCE: f64 = 0.02;

/// Address layout of runs outside of a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Layout {
    Randomised,
    Fixed,
}

/// Arguments of plain runs. A process of its own makes them, because it changes its processor and
/// its personality.
#[derive(Debug, clap::Args)]
pub(crate) struct PlainRuns {
    /// The binary
    program: PathBuf,
    /// Its input
    input: PathBuf,
    /// Destination of its output
    output: PathBuf,
    /// The address layout
    #[arg(value_enum)]
    layout: Layout,
    /// The processor that it runs on
    core: Option<usize>,
}

/// A program, and its size.
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) source: String,
    pub(crate) n: u64,
}

/// Prints the reported time of every program next to the times outside.
pub(crate) async fn run(args: &BackendArgs, rounds: usize) -> Result<(), Failure> {
    let programs = programs()?;
    for backend in args.backends().await? {
        let cores = Cores::of_this_host(1).ok_or("no processor can be named")?;
        let pool = Pool::new(backend.clone(), 0).with_cores(Cores::of_this_host(1));
        let profiler = Profiler::new(pool, None);
        println!("{}: {rounds} rounds, milliseconds", backend.name());
        println!(
            "{:<14}{:>10}{:>22}   {:>20}   {:>20}   inside",
            "program", "reported", "interval", "randomised: ¼ ½ ¾", "fixed: ¼ ½ ¾"
        );
        let (mut held, mut told, mut all) = (0, 0, 0);
        for program in &programs {
            let folder = tempfile::tempdir_in(MEMORY)?;
            let (binary, input) = built(program, folder.path())?;
            for _ in 0..rounds {
                let plain = async |layout| {
                    let core = cores.take().await.core();
                    outside(&binary, &input, folder.path(), layout, core)
                };
                let before = plain(Layout::Randomised).await?;
                let (ms, interval) = reported(&profiler, program).await?;
                let after = plain(Layout::Randomised).await?;
                let fixed = plain(Layout::Fixed).await?;
                let verdict = verdict(ms, interval, before.permille(0), after.permille(0));
                held += u32::from(verdict == "yes");
                told += u32::from(verdict != "moved");
                all += 1;
                println!(
                    "{:<14}{:>10.2}   [{:>7.2}, {:>7.2}]   {}   {}   {}",
                    program.name,
                    ms,
                    interval.low,
                    interval.high,
                    quartiles(&after),
                    quartiles(&fixed),
                    verdict,
                );
            }
        }
        println!(
            "the interval ± {0:.0} % holds the least time outside: {held} of {told}; in the other {1} \
             of {all} rounds, the times before and after the job differ by more than {0:.0} %",
            TOLERANCE * 100.0,
            all - told
        );
        profiler.pool.close().await;
    }
    Ok(())
}

/// Returns `yes` or `no`: whether the interval contains the least time outside. Returns `moved` if
/// the times before and after the job differ too much to tell.
fn verdict(ms: f64, interval: Interval, before: f64, after: f64) -> &'static str {
    let least = before.min(after);
    if (before - after).abs() > TOLERANCE * least {
        return "moved";
    }
    let slack = TOLERANCE * ms;
    let [low, high] = [interval.low - slack, interval.high + slack];
    if (low..=high).contains(&least) { "yes" } else { "no" }
}

/// Returns the programs, by name.
pub(crate) fn programs() -> Result<Vec<Program>, Failure> {
    let mut programs = Vec::new();
    for entry in fs::read_dir(PROGRAMS)? {
        let path = entry?.path();
        let source = fs::read_to_string(&path)?;
        let first = source.lines().next().and_then(|line| line.strip_prefix(SIZE));
        let n = first.ok_or_else(|| format!("{}: names no n", path.display()))?.parse()?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into();
        programs.push(Program { name, source, n });
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(programs)
}

/// Compiles the program and writes its input. Returns the paths of the binary and the input.
fn built(program: &Program, folder: &Path) -> Result<(PathBuf, PathBuf), Failure> {
    let (source, binary) = (folder.join("main.cpp"), folder.join("main.out"));
    let input = folder.join("input");
    fs::write(&source, &program.source)?;
    fs::write(&input, format!("{}\n", program.n))?;
    let status =
        Command::new("g++").args(DEFAULT_FLAGS).arg(&source).arg("-o").arg(&binary).status()?;
    if !status.success() {
        return Err(format!("{}: g++: {status}", program.name).into());
    }
    Ok((binary, input))
}

/// Returns the headline with its interval, in milliseconds.
async fn reported(profiler: &Profiler, program: &Program) -> Result<(f64, Interval), Failure> {
    let mut draft = Draft::new("bench", program.source.clone());
    draft.request.input_sizes = vec![program.n];
    let job = Job::try_from(draft)?;
    let (mut events, _watcher) = Events::new("bench");
    let (_stopper, mut stopped) = cancel_signal();
    let done = run_job(&job, profiler, &mut events, &mut stopped, Turn::now()).await;
    let report = done.map_err(|error| error.message)?;
    let headline = report.sizes.first().and_then(|size| size.figures?.headline);
    let found = headline.and_then(|headline| Some((headline.ms, headline.interval?)));
    Ok(found.ok_or_else(|| format!("{} has no figures", program.name))?)
}

/// Returns the times of plain runs, in milliseconds.
fn outside(
    binary: &Path,
    input: &Path,
    folder: &Path,
    layout: Layout,
    core: Option<u32>,
) -> Result<Spread, Failure> {
    let mut runs = Command::new(current_exe()?);
    let word = if layout == Layout::Fixed { "fixed" } else { "randomised" };
    runs.arg("plain-runs").arg(binary).arg(input).arg(folder.join("output")).arg(word);
    runs.args(core.map(|core| core.to_string()));
    let output = runs.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("plain runs: {}", output.status).into());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| line.parse::<f64>().ok()).collect())
}

/// Makes plain runs and prints the time of each, in milliseconds.
pub(crate) fn plain_runs(args: &PlainRuns) -> Result<(), Failure> {
    if let Some(core) = args.core {
        let mut set = CpuSet::new();
        set.set(core)?;
        sched_setaffinity(Pid::from_raw(0), &set)?;
    }
    if args.layout == Layout::Fixed {
        personality::set(Persona::ADDR_NO_RANDOMIZE)?;
    }
    for run in 0..=RUNS {
        let mut command = Command::new(&args.program);
        command.stdin(File::open(&args.input)?).stdout(File::create(&args.output)?);
        let begun = Instant::now();
        let mut child = command.spawn()?;
        let pid = child.id();
        let ended = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
        waitid(Id::Pid(Pid::from_raw(i32::try_from(pid)?)), ended)?;
        let wall_ms = begun.elapsed().as_secs_f64() * 1e3;
        let schedule = fs::read_to_string(format!("/proc/{pid}/schedstat"))?;
        let delay_ns: f64 = schedule.split(' ').nth(1).unwrap_or_default().parse()?;
        child.wait()?;
        // The first run fills caches.
        if run > 0 {
            println!("{}", wall_ms - delay_ns / 1e6);
        }
    }
    Ok(())
}

fn quartiles(spread: &Spread) -> String {
    let [low, middle, high] = [250, 500, 750].map(|rank| spread.permille(rank));
    format!("{low:>6.2} {middle:>6.2} {high:>6.2}")
}
