//! The differences between two jobs of the same program: both idle, both next to busy loops, and
//! one of each. The two jobs of a pair follow each other directly.

use crate::failure::Failure;
use crate::tools::backend_args::BackendArgs;
use crate::tools::busy_loops::{LOOPS, Load};
use crate::tools::programs::{PROGRAMS, Program};
use crate::tools::spread::{Spread, difference};
use profiler_core::cancel::cancel_signal;
use profiler_core::job::{Draft, Job};
use profiler_core::report::Events;
use profiler_core::sandbox::Cores;
use profiler_core::sandbox::{Backend, Pool};
use profiler_core::{Profiler, Turn, run_job};
use profiler_proto::v1::SizeResult;
use profiler_statistics::Headline;
use std::sync::Arc;

/// Default number of rounds.
pub(crate) const ROUNDS: usize = 5;
/// A figure's name and its accessor.
type Figure = (&'static str, fn(&SizeResult) -> f64);
/// The figures that are compared at every size. The reported ones come first.
const FIGURES: [Figure; 4] = [
    ("runtime ms", SizeResult::runtime_ms),
    ("wall ms", wall_ms),
    ("peak MiB", SizeResult::peak_memory_mb),
    ("instructions", |size| size.instructions.map_or(f64::NAN, |count| count as f64)),
];
/// Number of figures, from the first, to which [`AIMS`] apply.
const TIMES: usize = 2;
/// Target and bound of the relative difference of two figures of the same program.
const AIMS: [f64; 2] = [0.01, 0.02];
/// The pairs that are compared.
const PAIRS: [&str; 3] = ["idle–idle", "loaded–loaded", "loaded–idle"];

/// The figures of one job, size by size.
type Figures = Vec<[f64; FIGURES.len()]>;

/// The differences of one figure at one size, pair by pair.
#[derive(Default)]
struct Line {
    values: Vec<f64>,
    differences: [Vec<f64>; PAIRS.len()],
}

impl Line {
    fn add(&mut self, idle: [f64; 2], loaded: [f64; 2]) {
        self.values.extend(idle);
        let [same, busy, across] = &mut self.differences;
        same.push(difference(idle[0], idle[1]));
        busy.push(difference(loaded[0], loaded[1]));
        across.extend([0, 1].map(|job| difference(loaded[job], idle[job])));
    }
}

/// Prints the differences between two jobs.
pub(crate) async fn run(args: &BackendArgs, rounds: usize) -> Result<(), Failure> {
    for backend in args.backends().await? {
        let lines = measured(&backend, rounds).await?;
        println!(
            "{}: two jobs of the same program in each of {rounds} rounds; |Δ| in %",
            backend.name()
        );
        print(&lines);
    }
    Ok(())
}

/// All lines, by program, size and figure.
async fn measured(backend: &Arc<dyn Backend>, rounds: usize) -> Result<Vec<Line>, Failure> {
    // Nothing else is started during a measurement: every job starts its own sandbox.
    let pool = Pool::new(backend.clone(), 0).with_cores(Cores::of_this_host(1));
    let profiler = Profiler::new(pool, None);
    let mut lines: Vec<Line> = Vec::new();
    lines.resize_with(PROGRAMS.len() * PROGRAMS[0].sizes.len() * FIGURES.len(), Line::default);
    for round in 1..=rounds {
        eprintln!("{}: round {round} of {rounds}", backend.name());
        let idle = twice(&profiler).await?;
        let load = Load::start(LOOPS)?;
        let loaded = twice(&profiler).await?;
        drop(load);
        for (line, (idle, loaded)) in lines.iter_mut().zip(idle.into_iter().zip(loaded)) {
            line.add(idle, loaded);
        }
    }
    profiler.pool.close().await;
    Ok(lines)
}

/// Runs two jobs of each program in direct succession; returns both values of every figure.
async fn twice(profiler: &Profiler) -> Result<Vec<[f64; 2]>, Failure> {
    let mut all = Vec::new();
    for program in &PROGRAMS {
        let (first, second) =
            (profiled(profiler, program).await?, profiled(profiler, program).await?);
        let pairs = first.iter().flatten().zip(second.iter().flatten());
        all.extend(pairs.map(|(first, second)| [*first, *second]));
    }
    Ok(all)
}

async fn profiled(profiler: &Profiler, program: &Program) -> Result<Figures, Failure> {
    let mut draft = Draft::new("bench", program.source);
    draft.request.input_sizes = program.sizes.into();
    (draft.request.instructions, draft.request.raw_samples) = (true, true);
    let job = Job::try_from(draft)?;
    // Nothing receives the events: the queue holds all events of a job.
    let (mut events, _watcher) = Events::new("bench");
    let (_stopper, mut stopped) = cancel_signal();
    let done = run_job(&job, profiler, &mut events, &mut stopped, Turn::now()).await;
    let report = done.map_err(|error| error.message)?;
    Ok(report.sizes.iter().map(|size| FIGURES.map(|(_, figure)| figure(size))).collect())
}

/// The wall time by the headline's rule, so only the clocks differ.
fn wall_ms(size: &SizeResult) -> f64 {
    let mut wall: Vec<u64> = size.samples.iter().map(|sample| sample.wall_ns).collect();
    wall.sort_unstable();
    Headline::from_sorted(&wall).map_or(f64::NAN, |headline| headline.ns / 1e6)
}

fn print(lines: &[Line]) {
    println!("{:<42} {}", "", PAIRS.map(|pair| format!("{pair:>16}")).concat());
    println!(
        "{:<8}{:>8}  {:<12}{:>12} {}",
        "",
        "n",
        "",
        "value",
        "  median     max".repeat(PAIRS.len())
    );
    let sizes = PROGRAMS.iter().flat_map(|program| program.sizes.map(|size| (program.name, size)));
    let names = sizes.flat_map(|size| FIGURES.map(|(figure, _)| (size, figure)));
    for (((program, size), figure), line) in names.zip(lines) {
        let value = line.values.iter().copied().collect::<Spread>().median();
        print!("{program:<8}{size:>8}  {figure:<12}{value:>12.3} ");
        for differences in &line.differences {
            let spread: Spread = differences.iter().map(|share| share * 100.0).collect();
            print!("{:>8.2}{:>8.2}", spread.median(), spread.max());
        }
        println!();
    }
    for (index, (figure, _)) in FIGURES.iter().enumerate().take(TIMES) {
        let same = || lines.iter().skip(index).step_by(FIGURES.len());
        let counted = PAIRS.iter().enumerate().map(|(pair, name)| {
            let spread: Spread = same().flat_map(|line| &line.differences[pair]).copied().collect();
            let [aim, bound] = AIMS.map(|limit| spread.below(limit));
            format!("{name} {aim} and {bound} of {}", spread.count())
        });
        let counted: Vec<_> = counted.collect();
        println!("{figure}, below 1 % and 2 %: {}", counted.join(", "));
    }
}
