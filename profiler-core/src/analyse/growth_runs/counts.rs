//! Instruction counts and peaks of the heap, for growth. Both are independent of load, so they need
//! no measured core.

use super::extra_runs::{COUNT_SLOWER, COUNT_START, ExtraRuns, FORK_START, LEAST_COUNTED};
use super::primes::{count_primes, time_for_primes};
use crate::analyse::instructions::{self, Uncounted, believed, count_once};
use crate::analyse::pace::Pace;
use crate::error::SandboxFault;
use crate::figures::units::ms;
use crate::job::{Inputs, Job};
use crate::limits::{GROWTH_COUNTS, MAX_COUNT, MAX_RECORD, MIB, RECORD_SLOW_DOWN};
use crate::measure::session::MeasureSession;
use crate::report::{Instructions, MeasuredSize, StartUpCosts};
use crate::sandbox::Channel;
use profiler_growth::{Counts, Effort};
use profiler_proto::v1::{Warning, WarningCode};
use std::time::{Duration, Instant};

/// Maximum ratio of the largest counted size to the smallest, unless the smallest is [`SMALL`].
const COUNTED_RANGE: f64 = 3000.0;
/// A size that is cheap to count. A program that reaches far beyond it grows slowly, so a wider
/// range is affordable.
const SMALL: f64 = 1000.0;
/// Bound of dense sizes. If the largest size is at most this, all sizes are close together, and the
/// largest ones are counted.
const DENSE: u64 = 64;
/// Expected slow-down of a run that is counted by line. Every run is limited to the time that is
/// left, so this figure decides only whether a run is tried.
const BY_LINE_SLOWER: u32 = 4;
/// Expected time of generating an input for a counted run.
const INPUT_START: Duration = Duration::from_millis(2);
/// Expected overhead of a run whose allocations are recorded.
const RECORD_START: Duration = Duration::from_millis(15);
/// Maximum difference between two counts of a size that agree, as a share. Programs that merely
/// draw random numbers usually vary by less.
const SAME_COUNT: f64 = 0.01;

/// Largest ratio of the time that counting takes on a busy host to the time that it may take.
const MOST_WAITING: u32 = 16;

/// The end of the time for counting. Counts wait on a busy host, and that time is not charged.
struct Deadline {
    end: Instant,
    latest: Instant,
}

impl Deadline {
    fn after(time: Duration) -> Self {
        let now = Instant::now();
        Self { end: now + time, latest: now + MOST_WAITING * time }
    }

    /// Charges at most `cost` for what began at `begun`. Returns the time that is charged.
    fn charge(&mut self, begun: Instant, cost: Duration) -> Duration {
        let took = begun.elapsed();
        self.end = (self.end + took.saturating_sub(cost)).min(self.latest);
        took.min(cost)
    }
}

/// Counts instructions of runs on `channel`. Returns the warnings.
pub(crate) async fn count(
    job: &Job,
    channel: &mut Channel,
    sizes: &[MeasuredSize],
    start_up: StartUpCosts,
    extra_runs: &mut ExtraRuns,
) -> Result<Vec<Warning>, SandboxFault> {
    let begun = Instant::now();
    let chosen = chosen(sizes, &extra_runs.sizes);
    let left = extra_runs.allowed.saturating_sub(extra_runs.spent);
    let for_primes = time_for_primes(job, &chosen, left);
    let for_again = Pace::assuming(COUNT_START, COUNT_SLOWER).all(chosen.first().into_iter());
    let mut deadline = Deadline::after(left.saturating_sub(for_primes + for_again));
    let mut runs = MeasureSession::new(job, channel, None);
    runs.place_counter().await?;
    let mut by_line = Vec::new();
    let uncounted =
        count_sizes(&mut runs, &chosen, extra_runs, &mut deadline, &mut by_line).await?;
    let end = deadline.end + for_primes + for_again;
    // Counting is the default effort. Only a job that asks for more is warned if there are no
    // counts.
    let is_told = job.options.growth == Effort::Full || extra_runs.refuses_counts;
    let uncounted = uncounted.filter(|_| is_told);
    let refused = refuse_contradiction(&chosen, start_up, extra_runs);
    let has_lines = !by_line.is_empty();
    count_primes(&mut runs, &chosen, extra_runs, has_lines, (start_up, for_primes)).await?;
    add_lines(&mut runs, extra_runs, &by_line).await?;
    let varying = count_again(&mut runs, &chosen, extra_runs, end).await?;
    extra_runs.spent += begun.elapsed();
    Ok(uncounted.into_iter().chain(refused).chain(varying).collect())
}

/// Counts the chosen sizes, smallest first, while there is time: by line or, if the program has too
/// many calls for that, as a whole. Notes the sizes that were counted by line in
/// `counted_by_line`. Returns a warning if the program cannot be counted.
async fn count_sizes(
    runs: &mut MeasureSession<'_>,
    chosen: &[MeasuredSize],
    extra_runs: &mut ExtraRuns,
    deadline: &mut Deadline,
    counted_by_line: &mut Vec<u64>,
) -> Result<Option<Warning>, SandboxFault> {
    let mut pace = Pace::assuming(fork_start(runs.job), BY_LINE_SLOWER);
    let mut has_lines = true;
    for size in chosen {
        let Some(left) = pace.fits(size, deadline.end) else {
            // The report's own count of a size takes no time.
            let Some(counted) = &size.instructions else { break };
            extra_runs.counts.push(counts_of(size, counted));
            continue;
        };
        let (begun, within) = (Instant::now(), left.min(MAX_COUNT));
        let mut counted = if has_lines {
            let counted = runs.count_by_line(size.point(), within).await?;
            if counted.instructions.is_ok() {
                counted_by_line.push(size.size);
            }
            instructions::read(&counted, size)
        } else {
            instructions::read(&runs.count_forked(size.point(), within).await?, size)
        };
        if has_lines && matches!(&counted, Err(refused) if refused.is_unsupported()) {
            has_lines = false;
            counted = instructions::read(&runs.count_forked(size.point(), within).await?, size);
        }
        match counted {
            Ok(counted) => {
                let slower = counted.cpu_ms / size.runtime_ms();
                pace.learn(size, slower, deadline.charge(begun, pace.cost(size, slower)));
                extra_runs.counts.push(counts_of(size, &counted));
            }
            Err(refused) if refused.is_contradiction => {
                return Ok(Some(refuse(size, refused, extra_runs)));
            }
            Err(uncounted) if uncounted.is_unsupported() => {
                let (point, message) = (size.point(), uncounted.message);
                extra_runs.uncountable = Some(message.clone());
                return Ok(Some(point.warning(WarningCode::GrowthUnsupported, message)));
            }
            Err(_) => {}
        }
    }
    Ok(None)
}

/// Returns the expected overhead of a run that is counted in a forked process.
fn fork_start(job: &Job) -> Duration {
    match job.inputs {
        Inputs::Described(_) => FORK_START + INPUT_START,
        Inputs::Size | Inputs::Explicit(_) => FORK_START,
    }
}

fn counts_of(size: &MeasuredSize, counted: &Instructions) -> Counts {
    let Instructions { count, own, .. } = *counted;
    Counts { size: size.size, instructions: Some(count), own, ..Counts::default() }
}

/// Adds the lines of the sizes that were counted by line, in their order.
async fn add_lines(
    runs: &mut MeasureSession<'_>,
    extra_runs: &mut ExtraRuns,
    by_line: &[u64],
) -> Result<(), SandboxFault> {
    if by_line.is_empty() {
        return Ok(());
    }
    let lines = runs.read_lines().await?;
    for (size, lines) in by_line.iter().zip(lines) {
        let counts = extra_runs.counts.iter_mut().find(|counts| counts.size == *size);
        if let Some(counts) = counts {
            counts.lines = lines.into_iter().collect();
        }
    }
    Ok(())
}

/// Counts one size again: the largest for which there is time. Counts that vary are no evidence, so
/// they are dropped with a warning.
async fn count_again(
    runs: &mut MeasureSession<'_>,
    chosen: &[MeasuredSize],
    extra_runs: &mut ExtraRuns,
    end: Instant,
) -> Result<Option<Warning>, SandboxFault> {
    let pace = Pace::assuming(COUNT_START, COUNT_SLOWER);
    let affordable = chosen.iter().rev().find_map(|size| {
        let counted = extra_runs.counts.iter().find(|counted| counted.size == size.size)?;
        Some((size, counted.instructions?, pace.fits(size, end)?))
    });
    let Some((size, first, left)) = affordable else { return Ok(None) };
    let Ok(again) = count_once(runs, size, left.min(MAX_COUNT)).await? else { return Ok(None) };
    if again.count.abs_diff(first) as f64 <= SAME_COUNT * first as f64 {
        return Ok(None);
    }
    extra_runs.refuse_counts();
    let message = format!(
        "two runs executed {first} and {} instructions, so growth is classified without counts",
        again.count
    );
    Ok(Some(size.point().warning(WarningCode::NotDeterministic, message)))
}

/// Drops all counts, with a warning, if one of them contradicts the timed runs of its size: a
/// program that forges one forges the others too.
fn refuse_contradiction(
    chosen: &[MeasuredSize],
    start_up: StartUpCosts,
    extra_runs: &mut ExtraRuns,
) -> Option<Warning> {
    let (size, refused) = extra_runs.counts.iter().find_map(|counts| {
        let size = chosen.iter().find(|size| size.size == counts.size)?;
        Some((size, believed(counts.instructions?, size.user_ms(), start_up).err()?))
    })?;
    Some(refuse(size, refused, extra_runs))
}

/// Drops all counts, and returns the warning about the one that contradicts the timed runs.
fn refuse(size: &MeasuredSize, refused: Uncounted, extra_runs: &mut ExtraRuns) -> Warning {
    extra_runs.refuse_counts();
    size.point().warning(refused.code, refused.without_growth().message)
}

/// Records the heap's peak at the chosen sizes, while there is time. The sandbox at the other end
/// of `channel` has the build that records.
pub(crate) async fn record(
    job: &Job,
    channel: &mut Channel,
    sizes: &[MeasuredSize],
    extra_runs: &mut ExtraRuns,
) -> Result<(), SandboxFault> {
    let begun = Instant::now();
    let end = begun + extra_runs.allowed.saturating_sub(extra_runs.spent);
    let mut runs = MeasureSession::new(job, channel, None);
    let mut pace = Pace::assuming(RECORD_START, RECORD_SLOW_DOWN);
    for size in &chosen(sizes, &extra_runs.sizes) {
        let Some(left) = pace.fits(size, end) else { break };
        let started = Instant::now();
        let allocated = runs.allocated(size.point(), left.min(MAX_RECORD)).await?;
        // If some blocks were not tracked, the peak may have been higher.
        let whole = allocated.record.filter(|record| record.sums.untracked == 0);
        if let Some(record) = whole.filter(|_| allocated.execution.ending.is_success()) {
            extra_runs.heaps.push((size.size, record.sums.peak_bytes as f64 / MIB as f64));
            let slower = ms(allocated.execution.sample.wall_ns) / size.runtime_ms();
            pace.learn(size, slower, started.elapsed());
        }
    }
    extra_runs.spent += begun.elapsed();
    Ok(())
}

/// Returns the sizes to count at, rising, each with its slowest candidate. If there are many, they
/// are spaced evenly on a logarithmic scale, up to the largest.
fn chosen(sizes: &[MeasuredSize], extra: &[MeasuredSize]) -> Vec<MeasuredSize> {
    let slower = |a: &MeasuredSize, b: &MeasuredSize| {
        a.size.cmp(&b.size).then(b.runtime_ms().total_cmp(&a.runtime_ms()))
    };
    let all = sizes.iter().chain(extra);
    let mut all: Vec<_> = all.filter(|s| s.is_ok() && s.size >= LEAST_COUNTED).cloned().collect();
    all.sort_by(slower);
    all.dedup_by_key(|size| size.size);
    let (Some(first), Some(last)) = (all.first(), all.last()) else {
        return all;
    };
    if last.size <= DENSE || all.len() <= GROWTH_COUNTS {
        let surplus = all.len().saturating_sub(GROWTH_COUNTS);
        return all.split_off(surplus);
    }
    let high = last.size as f64;
    let low = (first.size as f64).max((high / COUNTED_RANGE).min(SMALL));
    let distance = |size: u64, target: f64| (size as f64 / target).ln().abs();
    let mut chosen: Vec<_> = (0..GROWTH_COUNTS)
        .filter_map(|at| {
            let target = low * (high / low).powf(at as f64 / (GROWTH_COUNTS - 1) as f64);
            let nearest = |a: &&MeasuredSize, b: &&MeasuredSize| {
                distance(a.size, target).total_cmp(&distance(b.size, target))
            };
            all.iter().min_by(nearest).cloned()
        })
        .collect();
    chosen.dedup_by_key(|size| size.size);
    chosen
}
