//! The cost of one sandboxed run of an empty C++ main, including set-up and clean-up, compared with
//! a bare spawn.

use crate::failure::Failure;
use crate::tools::series::{self, Series};
use profiler_core::build::CompileLimits;
use profiler_core::job::DEFAULT_FLAGS;
use profiler_core::job::{Draft, Job};
use profiler_core::sandbox::Cores;
use profiler_core::sandbox::{Choice, Instance, Sandbox};
use runner_protocol::ask::Repeat;
use runner_protocol::{Budget, Compile, File, Input, NamedFiles, Run, Stop, Subject, Variant};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Source of the program.
pub(crate) const SOURCE: &str = "int main() {}\n";
const ROUNDS: usize = 15;
/// Runs in one round.
const RUNS: u32 = 100;
/// Longer than any round takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Prints the cost of a run.
pub(crate) async fn run() -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let program = built(folder.path(), SOURCE)?;
    let cores = Cores::of_this_host(1).ok_or("no processor can be named")?;
    let permit = cores.take().await;
    let mut rows = vec![Series::new("bare spawn")];
    let mut sandboxes = Vec::new();
    for choice in [Choice::Native, Choice::Docker] {
        match started(choice, &cores).await {
            Ok((name, sandbox)) => {
                rows.push(Series::new(format!("{name}, one run")));
                rows.push(Series::new(format!("{name}, as reported (wall_ms)")));
                sandboxes.push(sandbox);
            }
            Err(failure) => println!("left out: {failure}"),
        }
    }
    for _ in 0..ROUNDS {
        let mut row = rows.iter_mut();
        let mut add = |took| row.next().into_iter().for_each(|series| series.add(took));
        add(spawned(&program)?);
        for sandbox in &mut sandboxes {
            let (took, reported) = sandboxed(sandbox, permit.core()).await?;
            add(took);
            add(reported);
        }
    }
    series::print("empty C++ main, milliseconds a run", &rows);
    for sandbox in sandboxes {
        sandbox.end().await;
    }
    Ok(())
}

/// Compiles a program in the folder, as a job does but on the host.
pub(crate) fn built(folder: &Path, source: &str) -> Result<std::path::PathBuf, Failure> {
    let (file, program) = (folder.join("main.cpp"), folder.join("main.out"));
    fs::write(&file, source)?;
    let flags = DEFAULT_FLAGS;
    let status = Command::new("g++").args(flags).arg(&file).arg("-o").arg(&program).status()?;
    if !status.success() {
        return Err(format!("g++: {status}").into());
    }
    Ok(program)
}

async fn started(choice: Choice, cores: &Cores) -> Result<(&'static str, Sandbox), Failure> {
    let selected = choice.select(sandbox_image::DEFAULT_TAG, Instance::fresh(), |_| {}).await?;
    let mut sandbox = selected.backend.start().await?;
    sandbox.channel.keep_to(cores.rest()).await?;
    sandbox.channel.put(File::Source, SOURCE.as_bytes()).await?;
    let flags = DEFAULT_FLAGS.map(String::from).into();
    let (variant, limits) = (Variant::Plain, CompileLimits::default().for_runner());
    let request = Compile { variant, flags, limits, may_use_header: true };
    let compiled = sandbox.channel.ask(request, PATIENCE).await?;
    if compiled.binary.is_none() {
        return Err(format!("did not compile: {compiled:?}").into());
    }
    Ok((selected.backend.name(), sandbox))
}

/// Returns the mean time of a round of bare spawns.
pub(crate) fn spawned(program: &Path) -> Result<Duration, Failure> {
    let begun = Instant::now();
    for _ in 0..RUNS {
        Command::new(program).stdin(Stdio::null()).stdout(Stdio::null()).status()?;
    }
    Ok(begun.elapsed() / RUNS)
}

/// Returns the means of a round of sandboxed runs: their cost, and their reported time. The warm-up
/// of a batch is measured alone and subtracted.
async fn sandboxed(
    sandbox: &mut Sandbox,
    core: Option<u32>,
) -> Result<(Duration, Duration), Failure> {
    let (warm_up, _) = batch(sandbox, core, 0).await?;
    let (all, reported) = batch(sandbox, core, RUNS).await?;
    Ok((all.saturating_sub(warm_up) / RUNS, reported / RUNS))
}

async fn batch(
    sandbox: &mut Sandbox,
    core: Option<u32>,
    repetitions: u32,
) -> Result<(Duration, Duration), Failure> {
    let draft = Draft::new("bench", SOURCE);
    let request = Repeat(Run {
        subject: Subject::Build(Variant::Plain),
        warm_up: true,
        gnu_time: true,
        core,
        input: Input::Size(1),
        files: NamedFiles::default(),
        limits: Job::try_from(draft)?.limits.for_runner(),
        stop: Stop {
            least: repetitions,
            most: repetitions,
            precision_ppm: 0,
            budget: Budget::Whole(u64::try_from(PATIENCE.as_nanos())?),
        },
        stdout_head: 0,
        interactor: None,
        counts_lines: false,
    });
    let begun = Instant::now();
    let ran = sandbox.channel.ask(request, PATIENCE).await?;
    let took = begun.elapsed();
    if ran.repetitions.len() != repetitions as usize {
        return Err(format!("only {} of {repetitions} runs", ran.repetitions.len()).into());
    }
    let reported = ran.repetitions.iter().map(|e| Duration::from_nanos(e.sample.wall_ns)).sum();
    Ok((took, reported))
}
