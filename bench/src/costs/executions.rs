//! Inputs per second that are made from a spec and counted on one core, and the parts of a count:
//! with many inputs in one process of the counter, and with a process for each.

use crate::failure::Failure;
use crate::tools::processor_time;
use crate::tools::spread::Spread;
use crate::worst::programs;
use profiler_core::build::Builder;
use profiler_core::measure::ProgramSession;
use profiler_core::sandbox::{Choice, Instance, Pool};
use profiler_search::{Genome, Space};
use runner_protocol::{InputCount, MAX_SERIES_INPUTS};
use std::time::{Duration, Instant};

/// The programs of `bench/executions`, and sizes at which they take about 0.2 ms.
pub(crate) const PROGRAMS: [(&str, u64); 5] =
    [("sort", 400), ("counts", 400), ("shortest", 600), ("common", 220), ("depths", 400)];
/// Default number of rounds of all programs.
pub(crate) const ROUNDS: usize = 15;
/// Number of inputs in one round: as many as fit one process.
const INPUTS: usize = MAX_SERIES_INPUTS;
/// Number of inputs in one round that are counted in a process of their own.
const ALONE: usize = 4;
/// Longer than any count takes.
const LIMIT: Duration = Duration::from_secs(10);
/// The size at which a program does next to nothing.
const SMALLEST: u64 = 2;

/// A program, and its figures of each round.
struct Row {
    name: &'static str,
    n: u64,
    session: ProgramSession,
    space: Space,
    seed: u32,
    bytes: usize,
    /// Inputs per second, made and counted in one process.
    many: Vec<f64>,
    /// Inputs per second, each counted in a process of its own.
    alone: Vec<f64>,
    /// Processor time of all inputs that were made and counted in one process, of the host, the
    /// runner and the programs.
    used: Duration,
    /// Microseconds per input: to make it, and to count it in a process that counts many.
    make_us: Vec<f64>,
    count_us: Vec<f64>,
    /// Microseconds to count one input in a process of its own, at the smallest size.
    start_us: Vec<f64>,
}

/// Prints the table.
pub(crate) async fn run(rounds: usize) -> Result<(), Failure> {
    let selected = Choice::Native.select("", Instance::fresh(), |_| {}).await?;
    let builder = Builder::new(selected.backend.clone(), None);
    let pool = Pool::new(selected.backend, 0);
    let mut rows = Vec::new();
    for (name, n) in PROGRAMS {
        rows.push(Row::start(name, n, &builder, &pool).await?);
    }
    for _ in 0..rounds {
        for row in &mut rows {
            row.round().await?;
        }
    }
    println!("inputs of a spec, counted in a sandbox; {rounds} rounds of {INPUTS} inputs in turn");
    println!(
        "| program | n | bytes | a second, min/median/max | a process each | processor µs | make µs | count µs | start µs |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for row in rows {
        let [many, alone] = [row.many, row.alone].map(|rates| {
            let rates: Spread = rates.into_iter().collect();
            let [low, middle, high] = [0, 500, 1000].map(|rank| rates.permille(rank));
            format!("{low:.0}/{middle:.0}/{high:.0}")
        });
        let [make, count, start] = [row.make_us, row.count_us, row.start_us]
            .map(|figures| figures.into_iter().collect::<Spread>().median());
        let used = 1e6 * row.used.as_secs_f64() / (rounds * INPUTS) as f64;
        let (name, n, bytes) = (row.name, row.n, row.bytes);
        println!(
            "| {name} | {n} | {bytes} | {many} | {alone} | {used:.0} | {make:.0} | {count:.0} | {start:.0} |"
        );
        row.session.end().await;
    }
    pool.close().await;
    Ok(())
}

impl Row {
    async fn start(
        name: &'static str,
        n: u64,
        builder: &Builder,
        pool: &Pool,
    ) -> Result<Self, Failure> {
        let (job, space) = programs::read("executions", name)?;
        let mut session = ProgramSession::start(job, pool).await?;
        session.compile(builder).await?.map_err(|refused| refused.because)?;
        session.place_counter().await?;
        let [many, alone, make_us, count_us, start_us] = [const { Vec::new() }; 5];
        Ok(Self {
            name,
            n,
            session,
            space,
            seed: 0,
            bytes: 0,
            used: Duration::ZERO,
            many,
            alone,
            make_us,
            count_us,
            start_us,
        })
    }

    async fn round(&mut self) -> Result<(), Failure> {
        let used = processor_time::so_far();
        let begun = Instant::now();
        let inputs: Vec<Vec<u8>> =
            (0..INPUTS).map(|_| self.input(self.n)).collect::<Result<_, _>>()?;
        let made = begun.elapsed();
        let borrowed: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
        let mut counts = Vec::new();
        while counts.len() < INPUTS {
            counts.extend(self.session.count_first(&borrowed[counts.len()..], LIMIT).await?);
        }
        let all = begun.elapsed();
        self.used += processor_time::so_far().saturating_sub(used);
        let smallest = self.input(SMALLEST)?;
        let begun = Instant::now();
        self.session.count(&smallest, LIMIT).await?;
        let start = begun.elapsed();
        let begun = Instant::now();
        for _ in 0..ALONE {
            let input = self.input(self.n)?;
            self.session.count(&input, LIMIT).await?;
        }
        let alone = begun.elapsed();
        // Not timed: check that both ways count the same.
        for (input, count) in inputs.iter().zip(counts).take(ALONE) {
            // Only a series reports the blocks.
            let count = InputCount { blocks: Vec::new(), ..count };
            let again: InputCount = self.session.count(input, LIMIT).await?.into();
            if again != count || !count.ending.is_success() {
                return Err(format!("{}: {count:?}, alone {again:?}", self.name).into());
            }
        }
        let each = |took: Duration, count: usize| took.as_secs_f64() / count as f64;
        self.bytes = inputs.iter().map(Vec::len).sum::<usize>() / INPUTS;
        self.many.push(each(all, INPUTS).recip());
        self.alone.push(each(alone, ALONE).recip());
        self.make_us.push(1e6 * each(made, INPUTS));
        self.count_us.push(1e6 * each(all.saturating_sub(made + start), INPUTS));
        self.start_us.push(1e6 * start.as_secs_f64());
        Ok(())
    }

    /// Makes another random input.
    fn input(&mut self, n: u64) -> Result<Vec<u8>, Failure> {
        self.seed += 1;
        let input = self.space.input(&Genome::declared(0, self.seed), n);
        Ok(input.ok_or_else(|| format!("{}: no input", self.name))?)
    }
}
