//! Counts the instructions of each size, after the last timed run, so that counting disturbs no
//! figure.
//!
//! The largest size is counted first, when nothing else of the job has run in the sandbox, and then
//! again in its turn. A program that leaves answers in another counted run, and only looks them up
//! in this one, has two counts there. Its first count leaves time for the other sizes.

use crate::analyse::growth_runs;
use crate::analyse::growth_runs::worked_in_kernel_ms;
use crate::error::SandboxFault;
use crate::figures::units::{MS_PER_SECOND, NS_PER_MS, hex, ms};
use crate::job::{Job, Point};
use crate::limits::{COUNT_SHARE, COUNT_SLOW_DOWN, LARGEST_COUNT_PART, MAX_COUNT};
use crate::measure::session::MeasureSession;
use crate::report::{Instructions, MeasuredSize, StartUpCosts, ending_name, largest_ok};
use profiler_proto::v1::{Warning, WarningCode};
use runner_protocol::{Counted, Ending, Execution, Sample, Written};
use std::iter::Enumerate;
use std::slice::Iter;
use std::time::{Duration, Instant};

/// Description of the method, for the report.
pub(crate) const METHOD: &str =
    "user mode, in a separate run under an exact counter, including the loader";
/// Minimum number of instructions in a nanosecond of user time. A program that only waits for
/// memory executes about 0.03, and others up to 5. So a program that writes into the counter's
/// memory can lower its count by a factor of some 200, and further if it seems to have no user time
/// because it is in a system call at each tick of the kernel. The rate bounds a forgery and does
/// not exclude one. It also refuses honest counts of programs whose instructions take over 50 ns
/// each, such as `cpuid` in a virtual machine.
const LEAST_RATE: f64 = 0.02;
/// Maximum number of instructions in a nanosecond of user time: eight a cycle at 5 GHz. A program
/// whose work another process does takes too little user time for its count.
const MOST_RATE: f64 = 40.0;
/// User time from which the rate is known, in milliseconds. Most kernels sample it by ticks of 4 or
/// 10 ms.
pub(crate) const RATED_MS: f64 = 20.0;
/// Kernel time of a counted run, in milliseconds and beyond this many times that of the timed runs,
/// and its share of the counted run's processor time, from which the kernel does the moved work.
/// The counter itself takes 1 to 3 ms there.
const MOVED_MS: f64 = 50.0;
const MOVED_FACTOR: f64 = 2.0;
const MOVED_SHARE: f64 = 0.25;
/// Number of instructions by which a program may stay below an empty one, because it ends without
/// the handlers that run at an exit. They take 400 to 800.
const EXIT_INSTRUCTIONS: u64 = 2000;

/// Whether instructions are counted, for the sizes or the test cases of a job or for growth.
pub(crate) fn are_counted(job: &Job) -> bool {
    job.options.instructions || job.options.reward || growth_runs::is_measured(job)
}

/// Returns the time limit of one counted run.
pub(crate) fn time_limit(job: &Job) -> Duration {
    (COUNT_SLOW_DOWN * job.limits.timeout).min(MAX_COUNT)
}

/// The counts of a job's sizes. Every size that ended OK is counted twice if there is time. If the
/// two counts differ, the size has no count.
pub(crate) struct SizeCounts<'s> {
    sizes: Enumerate<Iter<'s, MeasuredSize>>,
    /// The rest of the time for all sizes.
    left: Duration,
    start_up: StartUpCosts,
    /// The largest size and its first count, until its turn.
    largest: Option<(Point, CountOutcome<Instructions>)>,
    /// Whether a count contradicted the timed runs. A program that forges one can forge the others
    /// too, so that no count of the job is evidence of growth.
    pub(crate) are_doubtful: bool,
}

impl<'s> SizeCounts<'s> {
    /// Prepares the sandbox for counting `sizes`, and counts the largest one once.
    pub(crate) async fn begin(
        session: &mut MeasureSession<'_>,
        sizes: &'s [MeasuredSize],
        start_up: StartUpCosts,
    ) -> Result<Self, SandboxFault> {
        session.place_counter().await?;
        let countable = sizes.iter().filter(|size| size.is_ok()).count();
        let left = COUNT_SHARE * u32::try_from(countable).unwrap_or(u32::MAX);
        let mut counts = Self {
            sizes: sizes.iter().enumerate(),
            left,
            start_up,
            largest: None,
            are_doubtful: false,
        };
        if let Some(largest) = largest_ok(sizes) {
            let part = if countable > 1 { LARGEST_COUNT_PART } else { 1 };
            let first = counts.once(session, largest, left / part).await?;
            counts.largest = Some((largest.point(), first));
        }
        Ok(counts)
    }

    /// Counts the next size. Returns its index, and the count or the warning about why there is
    /// none; `None` after the last size. If the program cannot be counted at all, the first size is
    /// the last.
    pub(crate) async fn next(
        &mut self,
        session: &mut MeasureSession<'_>,
    ) -> Result<Option<(usize, Result<Instructions, Warning>)>, SandboxFault> {
        let Some((index, size)) = self.sizes.find(|(_, size)| size.is_ok()) else {
            return Ok(None);
        };
        let first = match self.largest.take_if(|(point, _)| *point == size.point()) {
            Some((_, first)) => first,
            None => self.once(session, size, self.left).await?,
        };
        let left_ms = self.left.as_secs_f64() * MS_PER_SECOND;
        let agreed = match first {
            // A second run takes as long as the first, so it needs that much time.
            Ok(first) if first.slow_down * size.runtime_ms() < left_ms => {
                let second = self.once(session, size, self.left).await?;
                second.and_then(|second| same(first, second))
            }
            other => other,
        };
        let agreed = agreed.and_then(|counted| {
            believed(counted.count, size.user_ms(), self.start_up)?;
            Ok(counted)
        });
        let agreed = agreed.map_err(|refused| {
            if !refused.is_contradiction {
                return refused;
            }
            self.are_doubtful = true;
            refused.without_growth()
        });
        let counted = agreed.map_err(|Uncounted { code, message, .. }| {
            if code == WarningCode::InstructionsUnsupported {
                self.sizes = [].iter().enumerate();
            }
            size.point().warning(code, message)
        });
        Ok(Some((index, counted)))
    }

    /// Counts one run of `size` for at most `within`, and takes its time off the time that is left.
    async fn once(
        &mut self,
        session: &mut MeasureSession<'_>,
        size: &MeasuredSize,
        within: Duration,
    ) -> Result<CountOutcome<Instructions>, SandboxFault> {
        let begun = Instant::now();
        let limit = time_limit(session.job).min(within);
        let counted = count_once(session, size, limit).await;
        self.left = self.left.saturating_sub(begun.elapsed());
        counted
    }
}

/// Reason why there is no count: the code and the text of a warning.
pub(crate) struct Uncounted {
    pub(crate) code: WarningCode,
    pub(crate) message: String,
    /// Whether the counted run contradicts the timed runs. A program that forges one count can
    /// forge the others too.
    pub(crate) is_contradiction: bool,
}

impl Uncounted {
    pub(crate) fn new(code: WarningCode, message: String) -> Self {
        Self { code, message, is_contradiction: false }
    }

    fn contradiction(message: String) -> Self {
        Self { code: WarningCode::NotCounted, message, is_contradiction: true }
    }

    /// Whether no run of the program can be counted in this way.
    pub(crate) fn is_unsupported(&self) -> bool {
        self.code == WarningCode::InstructionsUnsupported
    }

    /// Adds to the message that growth is classified without counts.
    pub(crate) fn without_growth(self) -> Self {
        let message = format!("{}, so growth is classified without counts", self.message);
        Self { message, ..self }
    }
}

/// Outcome of a counted run: a value, or the reason why there is none.
pub(crate) type CountOutcome<T> = Result<T, Uncounted>;

/// Counts the instructions of one run, for at most `within`.
pub(crate) async fn count_once(
    session: &mut MeasureSession<'_>,
    size: &MeasuredSize,
    within: Duration,
) -> Result<CountOutcome<Instructions>, SandboxFault> {
    if within.is_zero() {
        let message = "counting other sizes used up the time for counting".into();
        return Ok(Err(Uncounted::new(WarningCode::NotCounted, message)));
    }
    let counted = session.count(size.point(), within).await?;
    Ok(read(&counted, size))
}

/// Returns what a counted run of `size` shows, or the reason why it is not believed.
pub(super) fn read(counted: &Counted, size: &MeasuredSize) -> CountOutcome<Instructions> {
    let (execution, said) = (&counted.execution, counted.instructions.clone());
    let count = trusted(said, execution, wrote_otherwise(&counted.written, size))?;
    worked_alike(&execution.sample, size.most_sys_ms())?;
    let Sample { wall_ns, cpu_ns, .. } = execution.sample;
    Ok(Instructions {
        count,
        own: counted.own_instructions,
        net: None,
        slow_down: ms(wall_ns) / size.runtime_ms(),
        cpu_ms: ms(cpu_ns.unwrap_or(wall_ns)),
    })
}

/// The counter's result, if the run ended like the timed runs of its input and did not write
/// another output.
pub(crate) fn trusted<T>(
    said: Result<T, String>,
    execution: &Execution,
    wrote_otherwise: bool,
) -> Result<T, Uncounted> {
    let uncounted = |code, message| Err(Uncounted::new(code, message));
    let said = match (said, execution.ending) {
        (Ok(said), Ending::Exited(0)) => said,
        (Err(reason), Ending::Exited(_)) => {
            return uncounted(WarningCode::InstructionsUnsupported, reason);
        }
        (_, ending) => {
            let ended = ending_name(ending);
            return uncounted(
                WarningCode::NotCounted,
                format!("the counted run ended differently: {ended}"),
            );
        }
    };
    if wrote_otherwise {
        let message = "the counted run wrote different output than a timed run".into();
        return uncounted(WarningCode::NotDeterministic, message);
    }
    Ok(said)
}

/// Refuses a count that is too small for an empty program, or that does not fit the user time of
/// the timed runs.
pub(crate) fn believed(count: u64, user_ms: f64, start_up: StartUpCosts) -> Result<(), Uncounted> {
    enough(count, user_ms, start_up)?;
    let net = count.saturating_sub(start_up.instructions.unwrap_or(0)) as f64;
    let user_ms = user_ms - start_up.user_ms;
    if net > MOST_RATE * (user_ms.max(0.0) + RATED_MS) * NS_PER_MS {
        return Err(Uncounted::contradiction(format!(
            "the count is {count} instructions, too many for {user_ms:.1} ms of user time"
        )));
    }
    Ok(())
}

/// Refuses a count that is too small for an empty program, or for a run that took at least this
/// user time.
pub(crate) fn enough(count: u64, user_ms: f64, start_up: StartUpCosts) -> Result<(), Uncounted> {
    let refused = |message| Err(Uncounted::contradiction(message));
    let least = start_up.instructions.unwrap_or(0);
    if count.saturating_add(EXIT_INSTRUCTIONS) < least {
        return refused(format!(
            "the count is {count} instructions, fewer than the {least} of an empty program"
        ));
    }
    let user_ms = user_ms - start_up.user_ms;
    let net = count.saturating_sub(least) as f64;
    if user_ms >= RATED_MS && net < LEAST_RATE * user_ms * NS_PER_MS {
        return refused(format!(
            "the count is {count} instructions, too few for {user_ms:.1} ms of user time"
        ));
    }
    Ok(())
}

/// Refuses the count of a run whose work the kernel did, unlike that of the timed runs, which took
/// at most `timed_ms` in the kernel. Providing memory is not counted as work.
pub(crate) fn worked_alike(counted: &Sample, timed_ms: f64) -> Result<(), Uncounted> {
    let kernel_ms = worked_in_kernel_ms(counted);
    let all_ms = ms(counted.user_ns) + ms(counted.sys_ns);
    if kernel_ms < MOVED_MS + MOVED_FACTOR * timed_ms || kernel_ms < MOVED_SHARE * all_ms {
        return Ok(());
    }
    Err(Uncounted::contradiction(format!(
        "the counted run spent {kernel_ms:.0} ms in the kernel, and a timed run {timed_ms:.0} ms"
    )))
}

/// Whether a run's stdout is known to differ from the stdout of the timed runs of its size.
pub(crate) fn wrote_otherwise(written: &Written, size: &MeasuredSize) -> bool {
    size.stdout.as_ref().is_some_and(|output| output.sha256 != hex(&written.stdout_sha256))
}

/// Returns the count if two runs agree on it, with the slow-down of the first run.
fn same(first: Instructions, second: Instructions) -> Result<Instructions, Uncounted> {
    if first.count == second.count {
        return Ok(first);
    }
    let message = format!("two runs executed {} and {} instructions", first.count, second.count);
    Err(Uncounted::new(WarningCode::NotDeterministic, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::RuntimeClock;
    use crate::job::Point;
    use crate::limits::MIB;
    use crate::report::Verdict;
    use profiler_proto::v1::Outcome;

    const START_UP: StartUpCosts = StartUpCosts { instructions: Some(100_000), user_ms: 0.5 };

    /// The reason why a count of a size with this user time is refused.
    fn refusal(count: u64, user_ms: u64, start_up: StartUpCosts) -> Option<String> {
        let ns = user_ms * 1_000_000;
        let sample = Sample { wall_ns: ns, cpu_ns: Some(ns), user_ns: ns, ..Sample::default() };
        let verdict = Verdict { outcome: Outcome::Ok, ..Verdict::not_run() };
        let mut size = MeasuredSize::never_started(Point { size: 1, candidate: 0 }, verdict);
        size.samples = vec![sample; 5];
        size.settle(RuntimeClock::Wall, &[]);
        believed(count, size.user_ms(), start_up).err().map(|refused| refused.message)
    }

    #[test]
    fn count_of_a_run_that_moved_its_work_into_the_kernel_is_refused() {
        let refusal = |user_ms: u64, sys_ms: u64, peak_mib: u64, timed_ms: f64| {
            let sample = Sample {
                user_ns: user_ms * 1_000_000,
                sys_ns: sys_ms * 1_000_000,
                peak_rss_bytes: peak_mib * MIB,
                ..Sample::default()
            };
            worked_alike(&sample, timed_ms).err().map(|refused| refused.message)
        };
        assert_eq!(
            refusal(64, 916, 0, 4.0).as_deref(),
            Some("the counted run spent 916 ms in the kernel, and a timed run 4 ms")
        );
        assert_eq!(refusal(10, 49, 0, 0.0), None, "the kernel's ticks are too few");
        assert_eq!(refusal(10, 249, 0, 100.0), None, "timed runs are in the kernel too");
        assert_eq!(refusal(400, 100, 0, 0.0), None, "most of the work is counted");
        assert_eq!(refusal(100, 300, 1024, 0.0), None, "the kernel provides the memory");
    }

    #[test]
    fn count_below_that_of_an_empty_program_is_refused() {
        assert_eq!(refusal(98_000, 1, START_UP), None, "it may end without handlers");
        assert_eq!(
            refusal(97_999, 1, START_UP).as_deref(),
            Some("the count is 97999 instructions, fewer than the 100000 of an empty program")
        );
        assert_eq!(refusal(0, 1, StartUpCosts::default()), None);
    }

    #[test]
    fn count_that_contradicts_the_user_time_is_refused() {
        // Pointer chasing: 0.03 instructions in a nanosecond.
        assert_eq!(refusal(2_400_000, 77, START_UP), None);
        // The program of a forged count executes 316 million instructions in this time.
        assert_eq!(
            refusal(996_421, 63, START_UP).as_deref(),
            Some("the count is 996421 instructions, too few for 62.5 ms of user time")
        );
        assert_eq!(refusal(996_421, 20, START_UP), None, "the net time is too short");
        assert!(refusal(200_000, 21, StartUpCosts::default()).is_some());
        // The ticks of the kernel may miss 20 ms, in which 0.8 billion instructions fit.
        assert_eq!(refusal(800_000_000, 0, StartUpCosts::default()), None);
        assert_eq!(
            refusal(1_000_000_000, 2, START_UP).as_deref(),
            Some("the count is 1000000000 instructions, too many for 1.5 ms of user time")
        );
    }
}
