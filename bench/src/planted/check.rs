//! Planted bugs that a stress test finds. Each file of `bench/check` has the spec of its task in
//! its first comment, a wrong program, and a right one if `BRUTE` is defined.

use crate::failure::Failure;
use clap::Args;
use profiler_core::build::Builder;
use profiler_core::job::{Draft, Job};
use profiler_core::measure::ProgramSession;
use profiler_core::measure::stress::{InputSeries, StressBudget, StressTest, TriedSizes};
use profiler_core::sandbox::{Choice, Instance, Pool};
use profiler_input::Scope;
use profiler_proto::file::{self, Format};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Largest small size, as by default at the command line.
const N_MAX: u64 = 10;
/// Number of inputs for each program, as by default at the command line.
const INPUTS: u32 = 1000;
/// Maximum number of characters shown of an input.
const SHOWN: usize = 60;

/// Arguments of the benchmark.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Time for each program, in seconds
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Only the programs whose names contain this
    #[arg(long)]
    only: Option<String>,
    /// First seed
    #[arg(long, default_value_t = 0)]
    seed: u32,
}

/// Prints which bugs are found, and on which inputs.
pub(crate) async fn run(args: &CheckArgs) -> Result<(), Failure> {
    let selected = Choice::Native.select("", Instance::fresh(), |_| {}).await?;
    let builder = Builder::new(selected.backend.clone(), None);
    let pool = Pool::new(selected.backend, 0);
    let (mut found, mut all) = (0, 0);
    println!("| program | input | of | n | values |\n|---|---|---|---|---|");
    for path in programs()? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if args.only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let test = check(&path, &name, args, &builder, &pool).await?;
        all += 1;
        let tried = test.tried;
        let Some(difference) = &test.difference else {
            println!("| {name} | not found | {tried} | | |");
            continue;
        };
        found += 1;
        let input = String::from_utf8_lossy(&difference.input.bytes).replace('\n', " / ");
        let shown: String = input.chars().take(SHOWN).collect();
        println!("| {name} | {} | {tried} | {} | {shown} |", difference.number, difference.input.n);
    }
    pool.close().await;
    println!("found {found} of {all} in {} s each, seed {}", args.seconds, args.seed);
    Ok(())
}

/// The programs, in the order of their names.
fn programs() -> Result<Vec<PathBuf>, Failure> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("check");
    let paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = paths.collect::<Result<Vec<_>, Failure>>()?;
    paths.sort();
    Ok(paths)
}

async fn check(
    path: &Path,
    name: &str,
    args: &CheckArgs,
    builder: &Builder,
    pool: &Pool,
) -> Result<StressTest, Failure> {
    let source = fs::read_to_string(path)?;
    let spec = source.split("*/").next().and_then(|text| text.strip_prefix("/*"));
    let specs = file::parse(spec.ok_or("no spec in the first comment")?, Format::Yaml)?;
    let sizes = TriedSizes::UpToAndBeyond(N_MAX);
    let specs = specs.into_iter().enumerate().collect();
    let inputs = InputSeries::try_new(specs, Scope::of_size(None), &sizes, args.seed)
        .map_err(|bad| format!("{name}: {bad:?}"))?;
    let time = Duration::from_secs(args.seconds);
    let mut test = StressTest::new(inputs, StressBudget { inputs: INPUTS, time });
    let mut wrong = start(name, &source, builder, pool).await?;
    let mut right = start(name, &format!("#define BRUTE\n{source}"), builder, pool).await?;
    test.run([&mut wrong, &mut right], |_, _| ()).await?;
    wrong.end().await;
    right.end().await;
    Ok(test)
}

async fn start(
    name: &str,
    source: &str,
    builder: &Builder,
    pool: &Pool,
) -> Result<ProgramSession, Failure> {
    let draft = Draft::new(name, source.as_bytes().to_vec());
    let job = Job::try_from(draft).map_err(|bad| format!("{name}: {bad:?}"))?;
    let mut session = ProgramSession::start(job, pool).await?;
    session.compile(builder).await?.map_err(|refused| refused.because)?;
    Ok(session)
}
