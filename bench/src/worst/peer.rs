//! AFL++ as a peer of the search: the share of a hand-made worst input that it reaches.
//!
//! AFL++ begins with random inputs of the spec, mutates bytes, and keeps inputs that reach new code
//! or repeat code about twice as often as any before. `PerfFuzz`, which keeps the input that
//! repeats a piece of code most, is in no registry of packages.

mod afl;

use super::by_hand::by_hand;
use super::programs::{self, FIRST, Program};
use super::valid::Valid;
use super::{WorstArgs, own};
use crate::failure::Failure;
use afl::Fuzzed;
use profiler_core::build::Builder;
use profiler_core::measure::ProgramSession;
use profiler_core::sandbox::{Choice, Instance, Pool};
use profiler_search::{Genome, Space};

/// Programs of the first set: an order, a string, backtracking, a tree, operations, a number.
const PEERS: [&str; 6] =
    ["quicksort_first", "find_string", "wildcards", "depths", "union_find", "collatz"];
/// Number of random inputs that AFL++ begins with. They have the size of the hand-made input.
const SEEDS: u32 = 12;

type Inputs = Vec<Vec<u8>>;

/// Prints the table.
pub(crate) async fn run(args: &WorstArgs) -> Result<(), Failure> {
    let selected = Choice::Native.select("", Instance::fresh(), |_| {}).await?;
    let builder = Builder::new(selected.backend.clone(), None);
    let pool = Pool::new(selected.backend, 0);
    println!("| program | n | s | seeds | valid | any | executions/s | queue | of it valid |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for program in FIRST.iter().filter(|program| PEERS.contains(&program.name)) {
        if args.only.as_ref().is_none_or(|only| program.name.contains(only.as_str())) {
            measure(program, args, &builder, &pool).await?;
        }
    }
    pool.close().await;
    Ok(())
}

/// Prints the rows of a program, one for each time.
async fn measure(
    program: &Program,
    args: &WorstArgs,
    builder: &Builder,
    pool: &Pool,
) -> Result<(), Failure> {
    let (job, space) = programs::read(program.folder, program.name)?;
    let mut session = ProgramSession::start(job, pool).await?;
    session.compile(builder).await?.map_err(|refused| refused.because)?;
    session.place_counter().await?;
    let hand = most(&mut session, &[by_hand(program.name, program.n)]).await?;
    let seeds = seeds(&space, program.n, args.seed);
    let random = most(&mut session, &seeds).await?;
    let source = programs::path(program.folder, program.name);
    for &seconds in &args.seconds {
        let Fuzzed { executions_per_second, queue } =
            afl::fuzz(&source, &seeds, seconds, args.seed)?;
        let kept = queue.len();
        let (valid, others) = parted(&space, program.n, &seeds, queue)?;
        let best = most(&mut session, &valid).await?;
        let any = most(&mut session, &others).await?.max(best);
        let share = |count: u64| count as f64 / hand as f64;
        println!(
            "| {} | {} | {seconds} | {:.2} | {:.2} | {:.2} | {executions_per_second} | {kept} | {} |",
            program.name,
            program.n,
            share(random),
            share(best),
            share(any),
            valid.len(),
        );
    }
    session.end().await;
    Ok(())
}

/// Makes the random inputs to begin with.
fn seeds(space: &Space, n: u64, seed: u32) -> Inputs {
    let input = |seed| space.input(&Genome::declared(0, seed), n);
    (seed..seed.saturating_add(SEEDS)).filter_map(input).collect()
}

/// Returns the inputs of size n that the spec allows, and of the others those that are no longer
/// than the longest seed: a longer input may cost more for its length alone.
fn parted(
    space: &Space,
    n: u64,
    seeds: &[Vec<u8>],
    queue: Inputs,
) -> Result<(Inputs, Inputs), Failure> {
    let all = Valid::new(space.declared(0).ok_or("no spec")?.clone(), n);
    let longest = seeds.iter().map(Vec::len).max().unwrap_or(0);
    let (valid, mut others): (Vec<_>, Vec<_>) = queue.into_iter().partition(|input| all.has(input));
    others.retain(|input| input.len() <= longest);
    Ok((valid, others))
}

/// Returns the most instructions of the program's own code on any of these inputs.
async fn most(session: &mut ProgramSession, inputs: &[Vec<u8>]) -> Result<u64, Failure> {
    let mut left: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
    let mut most = 0;
    while !left.is_empty() {
        let counts = own(session, &left).await?;
        left.drain(..counts.len());
        most = counts.into_iter().flatten().fold(most, u64::max);
    }
    Ok(most)
}
