//! Counts at primes, if the input is n alone.
//!
//! The default sizes, and most sizes that people choose, have small factors only. A program that
//! takes n apart does little work there.

use super::extra_runs::{COUNT_SLOWER, ExtraRuns, FORK_START};
use crate::analyse::instructions::{believed, trusted, worked_alike};
use crate::analyse::pace::Pace;
use crate::error::SandboxFault;
use crate::figures::units::ms;
use crate::job::{Inputs, Job, Point};
use crate::limits::MAX_COUNT;
use crate::measure::session::MeasureSession;
use crate::report::{MeasuredSize, StartUpCosts};
use profiler_growth::Counts;
use runner_protocol::Ending;
use std::time::{Duration, Instant};

/// Divisor of the time for counting. Primes take 1/`PRIMES_PART` of it.
const PRIMES_PART: u32 = 4;
/// Divisor of the time that is left. One run at a prime takes at most 1/`RUN_PART` of it.
const RUN_PART: u32 = 2;
/// Smallest time limit of a run at a prime. A run that takes milliseconds on an idle host takes
/// many times as long on a busy one.
const LEAST_TIME: Duration = Duration::from_millis(200);
/// Expected overhead of a run that is not counted.
const RUN_START: Duration = Duration::from_millis(2);
/// Number of primes that are counted at first. Only if one shows other work are there more.
const FIRST_PRIMES: usize = 2;
/// Smallest and largest size that a prime is sought next to. Below, the nearest prime is too far
/// away; above, it takes too long to find.
const NEAR_PRIMES: [u64; 2] = [100, 1_000_000_000_000];
/// The small factors.
const SMALL_FACTORS: [u64; 4] = [2, 3, 5, 7];

/// Returns the part of the time `left` that is kept for primes.
pub(super) fn time_for_primes(job: &Job, chosen: &[MeasuredSize], left: Duration) -> Duration {
    let has_round = chosen.iter().any(|size| is_round(size.size));
    if has_round && matches!(job.inputs, Inputs::Size) {
        left / PRIMES_PART
    } else {
        Duration::ZERO
    }
}

/// Counts whole runs at primes next to counted sizes: the largest, the middle one and, if one of
/// the two shows other work, all others. Sizes for which there is no time are left out. Each prime
/// also runs uncounted, because a count is believed only if it agrees with another run.
pub(super) async fn count_primes(
    runs: &mut MeasureSession<'_>,
    chosen: &[MeasuredSize],
    extra_runs: &mut ExtraRuns,
    has_lines: bool,
    (start_up, time): (StartUpCosts, Duration),
) -> Result<(), SandboxFault> {
    if !matches!(runs.job.inputs, Inputs::Size) {
        return Ok(());
    }
    let end = Instant::now() + time;
    let pace = Pace::assuming(FORK_START + RUN_START, COUNT_SLOWER + 1);
    let round = chosen.iter().rev().filter(|size| is_round(size.size));
    let pairs = round.filter_map(|size| {
        let counts = extra_runs.counts.iter().find(|counts| counts.size == size.size)?;
        Some((size, counts.clone(), prime_below(size.size)?))
    });
    let mut pairs: Vec<_> = pairs.collect();
    extra_runs.lacks_primes = !pairs.is_empty();
    let largest = pairs.first().cloned();
    pairs.retain(|(size, ..)| pace.fits(size, end).is_some());
    // Without any prime no class is named, so there is always time for one. Beside a small size, it
    // would show little.
    if pairs.is_empty() {
        pairs.extend(largest);
    }
    let middle = pairs.len() / 2;
    if middle > 1 {
        pairs.swap(1, middle);
    }
    let (mut is_other, mut counted) = (false, Vec::new());
    for (at, (size, beside, prime)) in pairs.into_iter().enumerate() {
        if at >= FIRST_PRIMES && !is_other {
            break;
        }
        let left = pace.fits(size, end).or(counted.is_empty().then_some(LEAST_TIME));
        let Some(left) = left else { continue };
        let point = Point { size: prime, candidate: size.candidate };
        // A prime can take much longer, and must leave time for a smaller one.
        let within = (left / RUN_PART).clamp(LEAST_TIME, MAX_COUNT);
        // The process that the sizes are forked from reports lines if it did so for them.
        let count = if has_lines {
            runs.count_by_line(point, within).await?
        } else {
            runs.count_forked(point, within).await?
        };
        let counts = Counts {
            size: prime,
            instructions: count.instructions.clone().ok(),
            own: count.own_instructions,
            ..Counts::default()
        };
        is_other |= counts.other_work(&beside).is_some();
        counted.push((point, within, count, counts));
    }
    // A run that is not counted ends the process that counted ones are forked from.
    for (point, within, counted, counts) in counted {
        let (execution, written) = runs.run(point, within).await?;
        let is_alike = execution.ending == counted.execution.ending
            && written.stdout_sha256 == counted.written.stdout_sha256;
        // Such a program is not for primes.
        let fails = matches!(execution.ending, Ending::Exited(1..) | Ending::Signaled(_));
        let count =
            trusted(counted.instructions, &counted.execution, !is_alike).and_then(|count| {
                worked_alike(&counted.execution.sample, ms(execution.sample.sys_ns))?;
                believed(count, ms(execution.sample.user_ns), start_up)?;
                Ok(count)
            });
        extra_runs.lacks_primes &= count.is_err() && !(is_alike && fails);
        if count.is_ok() {
            extra_runs.primes.push(counts);
        }
    }
    Ok(())
}

/// Whether a size has small factors only. A power of two has a kind of its own: a program for
/// powers of two may do other work at every other size.
fn is_round(size: u64) -> bool {
    let [least, most] = NEAR_PRIMES;
    let mut rest = size;
    for factor in SMALL_FACTORS {
        while rest > 1 && rest.is_multiple_of(factor) {
            rest /= factor;
        }
    }
    rest == 1 && !size.is_power_of_two() && (least..=most).contains(&size)
}

/// The last prime before a size. Unlike a larger one, it is within every bound of the task, and
/// within the arrays of a program for these sizes.
fn prime_below(size: u64) -> Option<u64> {
    (2..size).rev().find(|&n| (2..=n.isqrt()).all(|factor| !n.is_multiple_of(factor)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_are_next_to_round_sizes() {
        let largest = 1_000_000_000_000;
        for (size, prime) in [(100, 97), (1000, 997), (100_000, 99_991), (largest, 999_999_999_989)]
        {
            assert!(is_round(size), "{size}");
            assert_eq!(prime_below(size), Some(prime));
        }
    }

    #[test]
    fn sizes_of_another_kind_have_no_prime_beside_them() {
        let others = [0, 1, 10, 4096, 997, 11 * 13 * 7, 10_000_000_000_000, u64::MAX];
        assert_eq!(others.into_iter().find(|&size| is_round(size)), None);
    }
}
