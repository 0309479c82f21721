//! How much of a hand-made worst input the search reaches. Random inputs and every named choice
//! alone are its peers.

mod by_hand;
mod programs;

use crate::failure::Failure;
use by_hand::by_hand;
use clap::Args;
use profiler_core::build::Builder;
use profiler_core::job::{Draft, Job};
use profiler_core::limits::MAX_INPUT_BYTES;
use profiler_core::measure::ProgramSession;
use profiler_core::measure::worst::{WorstCase, WorstPlan};
use profiler_core::sandbox::{Choice, Instance, Pool};
use profiler_input::Scope;
use profiler_proto::file;
use profiler_search::{Cost, Genome, Search, Settings, Space};
use profiler_server::wire;
use programs::{PROGRAMS, Program};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// The shares of the hand-made worst that are counted.
const SHARES: [f64; 3] = [0.5, 0.8, 1.0];
/// A share of this much is the whole: start-up and reading differ a little.
const WHOLE: f64 = 0.995;
/// Enough for every search.
const EXECUTIONS: u32 = 100_000;

/// What to run.
#[derive(Debug, Args)]
pub(crate) struct WorstArgs {
    /// Times for each search, in seconds
    #[arg(long, value_delimiter = ',', default_values_t = [10, 60])]
    seconds: Vec<u64>,
    /// Only the programs whose names contain this
    #[arg(long)]
    only: Option<String>,
    /// Seed of the searches
    #[arg(long, default_value_t = 0)]
    seed: u32,
}

/// Shares of the hand-made worst, and how many inputs were tried.
struct Row {
    random: f64,
    named: f64,
    searched: Vec<(f64, u32, Duration)>,
}

/// Prints the table.
pub(crate) async fn run(args: &WorstArgs) -> Result<(), Failure> {
    let selected = Choice::Native.select("", Instance::fresh(), |_| {}).await?;
    let builder = Builder::new(selected.backend.clone(), None);
    let pool = Pool::new(selected.backend, 0);
    let columns: Vec<_> = args.seconds.iter().map(|it| format!("{it} s | inputs (s)")).collect();
    println!("| program | n | random | named | {} |", columns.join(" | "));
    println!("|---|---|---|---|{}", "---|---|".repeat(args.seconds.len()));
    let mut rows = Vec::new();
    for program in &PROGRAMS {
        if args.only.as_ref().is_some_and(|only| !program.name.contains(only.as_str())) {
            continue;
        }
        let row = measure(program, args, &builder, &pool).await?;
        let searched = row.searched.iter().map(|(share, tried, took)| {
            format!("{share:.2} | {tried} ({:.1})", took.as_secs_f64())
        });
        let searched: Vec<_> = searched.collect();
        let Row { random, named, .. } = row;
        let (name, n) = (program.name, program.n);
        println!("| {name} | {n} | {random:.2} | {named:.2} | {} |", searched.join(" | "));
        rows.push(row);
    }
    pool.close().await;
    for least in SHARES {
        let reached = |share: &dyn Fn(&Row) -> f64| {
            rows.iter().filter(|row| share(row) >= least.min(WHOLE)).count()
        };
        let searched = (0..args.seconds.len())
            .map(|at| format!("{} in {} s", reached(&|row| row.searched[at].0), args.seconds[at]));
        println!(
            "{least} of the hand-made worst, of {} programs: {} random, {} named, {}",
            rows.len(),
            reached(&|row| row.random),
            reached(&|row| row.named),
            searched.collect::<Vec<_>>().join(", ")
        );
    }
    Ok(())
}

async fn measure(
    program: &Program,
    args: &WorstArgs,
    builder: &Builder,
    pool: &Pool,
) -> Result<Row, Failure> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("worst");
    let source = fs::read(folder.join(program.name).with_extension("cpp"))?;
    let message = file::read(&folder.join(program.name).with_extension("yaml"))?;
    let message = message.into_iter().next().ok_or("no spec")?;
    let spec = wire::spec(message, "spec").map_err(|bad| format!("{}: {bad:?}", program.name))?;
    let space = Space::new(vec![spec], Scope::default(), MAX_INPUT_BYTES as u64);
    let draft = Draft { task_id: program.name.into(), source, ..Draft::default() };
    let job = Job::try_from(draft).map_err(|bad| format!("{}: {bad:?}", program.name))?;
    let mut session = ProgramSession::start(job, pool).await?;
    session.compile(builder).await?.map_err(|refused| refused.because)?;
    session.place_counter().await?;
    let hand = own(&mut session, &by_hand(program.name, program.n)).await?;
    let hand = hand.ok_or_else(|| format!("{}: fails on the hand-made input", program.name))?;
    let share = |count: u64| count as f64 / hand as f64;
    let random = random(&mut session, &space, program.n, args).await?;
    let named = named(&mut session, &space, program.n, args.seed).await?;
    let mut searched = Vec::new();
    for &seconds in &args.seconds {
        let time = Duration::from_secs(seconds);
        let plan = WorstPlan { n: program.n, seed: args.seed, executions: EXECUTIONS, time };
        let mut case = WorstCase::new(space.clone(), plan);
        case.run(&mut session, builder, |_| {}).await?;
        let worst = case.points().last().and_then(|point| point.worst?.own).unwrap_or(0);
        searched.push((share(worst), case.searched().executions(), case.took()));
    }
    session.end().await;
    Ok(Row { random: share(random), named: share(named), searched })
}

/// The instructions of the program's own code on an input.
async fn own(session: &mut ProgramSession, input: &[u8]) -> Result<Option<u64>, Failure> {
    let counted = session.count(input, Duration::from_secs(60)).await?;
    Ok(counted.own_instructions.filter(|_| counted.execution.ending.is_success()))
}

/// The most of as many random inputs as the first of the times allows.
async fn random(
    session: &mut ProgramSession,
    space: &Space,
    n: u64,
    args: &WorstArgs,
) -> Result<u64, Failure> {
    let (begun, mut most) = (Instant::now(), 0);
    let seconds = args.seconds.first().copied().unwrap_or(1);
    for seed in 0.. {
        if begun.elapsed() >= Duration::from_secs(seconds) {
            break;
        }
        if let Some(input) = space.input(&Genome::declared(0, args.seed.wrapping_add(seed)), n) {
            most = most.max(own(session, &input).await?.unwrap_or(0));
        }
    }
    Ok(most)
}

/// The most of all named choices alone, at the size itself.
async fn named(
    session: &mut ProgramSession,
    space: &Space,
    n: u64,
    seed: u32,
) -> Result<u64, Failure> {
    let mut search = Search::new(space.clone(), Settings { n, seed, executions: EXECUTIONS });
    let mut most = 0;
    while search.named_left() > 0 {
        let Some(trial) = search.ask() else { break };
        let counted = own(session, &trial.bytes).await?;
        most = most.max(counted.unwrap_or(0));
        search.tell(trial, counted.map(|whole| Cost { whole, ..Cost::default() }));
    }
    Ok(most)
}
