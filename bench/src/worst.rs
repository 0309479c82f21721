//! Share of a hand-made worst input that the search reaches, compared with random inputs and with
//! each named choice alone.

mod by_hand;
pub(crate) mod peer;
pub(crate) mod programs;
mod valid;

use crate::failure::Failure;
use by_hand::by_hand;
use clap::Args;
use profiler_core::build::Builder;
use profiler_core::job::{WorstGoal, WorstPlan};
use profiler_core::measure::ProgramSession;
use profiler_core::measure::worst::WorstCase;
use profiler_core::sandbox::{Choice, Instance, Pool};
use profiler_search::{Cost, Genome, Search, Settings, Space};
use programs::{FIRST, Program, SECOND};
use runner_protocol::{InputCount, MAX_SERIES_INPUTS};
use std::time::{Duration, Instant};

/// The shares of the hand-made worst that are counted.
const SHARES: [f64; 3] = [0.5, 0.8, 1.0];
/// Share from which on the whole counts as reached: start-up and reading differ a little.
const WHOLE: f64 = 0.995;
/// Maximum number of executions, which no search reaches in its time.
const EXECUTIONS: u32 = 1_000_000;

/// Arguments of the worst-input benchmark.
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
    /// The second set of programs, at which the search was not tuned
    #[arg(long)]
    second: bool,
    /// AFL++ on six programs of the first set instead of the search
    #[arg(long, conflicts_with = "second")]
    pub(crate) peer: bool,
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
    let (set, programs) = if args.second { ("second", &SECOND[..]) } else { ("first", &FIRST[..]) };
    println!("The {set} set of programs:\n");
    let columns: Vec<_> = args.seconds.iter().map(|it| format!("{it} s | inputs (s)")).collect();
    println!("| program | n | random | named | {} |", columns.join(" | "));
    println!("|---|---|---|---|{}", "---|---|".repeat(args.seconds.len()));
    let mut rows = Vec::new();
    for program in programs {
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
    let (job, space) = programs::read(program.folder, program.name)?;
    let mut session = ProgramSession::start(job, pool).await?;
    session.compile(builder).await?.map_err(|refused| refused.because)?;
    session.place_counter().await?;
    let hand = by_hand(program.name, program.n);
    let hand = own(&mut session, &[&hand]).await?.first().copied().flatten();
    let hand = hand.ok_or_else(|| format!("{}: fails on the hand-made input", program.name))?;
    let share = |count: u64| count as f64 / hand as f64;
    let random = random(&mut session, &space, program.n, args).await?;
    let named = named(&mut session, &space, program.n, args.seed).await?;
    let mut searched = Vec::new();
    for &seconds in &args.seconds {
        let time = Duration::from_secs(seconds);
        let goal = WorstGoal::Instructions;
        let plan = WorstPlan { n: program.n, seed: args.seed, executions: EXECUTIONS, time, goal };
        let mut case = WorstCase::new(space.clone(), plan);
        case.run(&mut session, &mut [], builder, |_| {}).await?;
        let worst = case.points.last().and_then(|point| point.worst?.own).unwrap_or(0);
        searched.push((share(worst), case.search.executions(), case.took));
    }
    session.end().await;
    Ok(Row { random: share(random), named: share(named), searched })
}

/// Counts the instructions of the program's own code on each of the first of these inputs.
async fn own(session: &mut ProgramSession, inputs: &[&[u8]]) -> Result<Vec<Option<u64>>, Failure> {
    let counts = session.count_first(inputs, Duration::from_secs(60)).await?;
    let own = |it: InputCount| it.own_instructions.filter(|_| it.ending.is_success());
    Ok(counts.into_iter().map(own).collect())
}

/// Returns the most instructions on any of the random inputs for which the first of the times is
/// enough.
async fn random(
    session: &mut ProgramSession,
    space: &Space,
    n: u64,
    args: &WorstArgs,
) -> Result<u64, Failure> {
    let (begun, mut most) = (Instant::now(), 0);
    let seconds = args.seconds.first().copied().unwrap_or(1);
    let mut inputs = Vec::new();
    let mut seeds = args.seed..;
    while begun.elapsed() < Duration::from_secs(seconds) {
        let missing = MAX_SERIES_INPUTS - inputs.len();
        let more = seeds.by_ref().take(missing);
        inputs.extend(more.filter_map(|seed| space.input(&Genome::declared(0, seed), n)));
        let borrowed: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
        let counts = own(session, &borrowed).await?;
        inputs.drain(..counts.len());
        most = counts.into_iter().flatten().fold(most, u64::max);
    }
    Ok(most)
}

/// Returns the most instructions on any input with a single named choice, at the size itself.
async fn named(
    session: &mut ProgramSession,
    space: &Space,
    n: u64,
    seed: u32,
) -> Result<u64, Failure> {
    let mut search = Search::new(space.clone(), Settings { n, seed, executions: EXECUTIONS });
    let mut most = 0;
    while search.named_left() > 0 {
        let left = u32::try_from(search.named_left()).unwrap_or(u32::MAX);
        let mut trials = search.generation(left);
        if trials.is_empty() {
            break;
        }
        while !trials.is_empty() {
            let inputs: Vec<&[u8]> = trials.iter().map(|trial| &trial.bytes[..]).collect();
            let counts = own(session, &inputs).await?;
            for (trial, counted) in trials.drain(..counts.len()).zip(counts) {
                most = most.max(counted.unwrap_or(0));
                search.tell(trial, counted.map(|whole| Cost { whole, ..Cost::default() }));
            }
        }
    }
    Ok(most)
}
