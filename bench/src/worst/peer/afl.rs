//! Runs AFL++ on one core: it waits while the program runs.

use crate::failure::Failure;
use profiler_core::job::DEFAULT_FLAGS;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const COMPILER: &str = "afl-clang-fast++";
const FUZZER: &str = "afl-fuzz";
/// The time limit of a run, in milliseconds. Every hand-made input takes less than half of it. At
/// the search's 2 s, the peer would spend its time on invalid inputs that never end.
const LIMIT_MS: &str = "200";
/// Environment variables that turn off what AFL++ asks of a machine and cannot change on this one.
const SETTINGS: [&str; 5] = [
    "AFL_SKIP_CPUFREQ",
    "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES",
    "AFL_NO_AFFINITY",
    "AFL_NO_UI",
    "AFL_QUIET",
];
/// Subfolder in which AFL++ keeps its inputs and its figures.
const INSTANCE: &str = "default";
/// Name of the figure in the file of figures.
const SPEED: &str = "execs_per_sec";

/// Result of the fuzzing.
pub(super) struct Fuzzed {
    pub(super) executions_per_second: f64,
    /// The inputs that AFL++ kept, seeds among them. None of them exceeds the time limit.
    pub(super) queue: Vec<Vec<u8>>,
}

/// Compiles the program for AFL++. Then AFL++ mutates `seeds` for this many seconds.
pub(super) fn fuzz(
    source: &Path,
    seeds: &[Vec<u8>],
    seconds: u64,
    seed: u32,
) -> Result<Fuzzed, Failure> {
    let folder = tempfile::tempdir()?;
    let (program, given) = (folder.path().join("program"), folder.path().join("seeds"));
    finished(Command::new(COMPILER).args(DEFAULT_FLAGS).arg(source).arg("-o").arg(&program))?;
    fs::create_dir(&given)?;
    for (number, input) in seeds.iter().enumerate() {
        fs::write(given.join(number.to_string()), input)?;
    }
    let found = folder.path().join("found");
    let mut fuzzer = Command::new(FUZZER);
    fuzzer.envs(SETTINGS.map(|name| (name, "1"))).arg("-i").arg(&given).arg("-o").arg(&found);
    fuzzer.args(["-t", LIMIT_MS, "-V", &seconds.to_string(), "-s", &seed.to_string(), "--"]);
    finished(fuzzer.arg(&program))?;
    read(&found.join(INSTANCE))
}

fn read(found: &Path) -> Result<Fuzzed, Failure> {
    let mut queue = Vec::new();
    for entry in fs::read_dir(found.join("queue"))? {
        let path = entry?.path();
        if path.is_file() {
            queue.push(fs::read(path)?);
        }
    }
    let figures = fs::read_to_string(found.join("fuzzer_stats"))?;
    let named = figures.lines().filter_map(|line| line.split_once(':'));
    let speed = named.into_iter().find(|(name, _)| name.trim() == SPEED);
    let (_, speed) = speed.ok_or("AFL++ did not say how fast it was")?;
    Ok(Fuzzed { executions_per_second: speed.trim().parse()?, queue })
}

/// Runs a command of AFL++ to its end.
fn finished(command: &mut Command) -> Result<(), Failure> {
    let name = command.get_program().display().to_string();
    let ended = command.output().map_err(|why| format!("{name}, of the package afl++: {why}"))?;
    let Output { status, stdout, stderr } = ended;
    if status.success() {
        return Ok(());
    }
    let [told, errors] = [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    Err(format!("{name}: {status}\n{told}{errors}").into())
}
