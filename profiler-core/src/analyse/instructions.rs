//! Counts the instructions of each size, after the last timed run, so that counting disturbs no
//! figure.

use crate::analyse::growth_runs;
use crate::error::SandboxFault;
use crate::figures::units::hex;
use crate::figures::units::ms;
use crate::job::Job;
use crate::limits::{COUNT_SHARE, COUNT_SLOW_DOWN, MAX_COUNT};
use crate::measure::session::MeasureSession;
use crate::report::{Instructions, MeasuredSize, ending_name};
use profiler_proto::v1::{Warning, WarningCode};
use runner_protocol::{Counted, Ending, Execution, Written};
use std::iter::Enumerate;
use std::slice::Iter;
use std::time::{Duration, Instant};

/// Description of the method, for the report.
pub(crate) const METHOD: &str =
    "user mode, in a separate run under an exact counter, including the loader";

/// Whether instructions are counted, for the sizes of a job or for growth.
pub(crate) fn are_counted(job: &Job) -> bool {
    job.options.instructions || growth_runs::is_measured(job)
}

/// The counts of a job's sizes. Every size that ended OK is counted twice if there is time. If the
/// two counts differ, the size has no count.
pub(crate) struct SizeCounts<'s> {
    sizes: Enumerate<Iter<'s, MeasuredSize>>,
    /// The rest of the time for all sizes.
    left: Duration,
}

impl<'s> SizeCounts<'s> {
    /// Prepares the sandbox for counting `sizes`.
    pub(crate) async fn begin(
        session: &mut MeasureSession<'_>,
        sizes: &'s [MeasuredSize],
    ) -> Result<Self, SandboxFault> {
        session.place_counter().await?;
        let countable = u32::try_from(sizes.iter().filter(|size| size.is_ok()).count());
        let left = COUNT_SHARE * countable.unwrap_or(u32::MAX);
        Ok(Self { sizes: sizes.iter().enumerate(), left })
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
        let limit = (COUNT_SLOW_DOWN * session.job.limits.timeout).min(MAX_COUNT);
        let begun = Instant::now();
        let first = count_once(session, size, limit.min(self.left)).await?;
        let again = self.left.saturating_sub(begun.elapsed());
        let agreed = match first {
            // A second run takes as long as the first, so it needs that much time.
            Ok(first) if begun.elapsed() < again => {
                let second = count_once(session, size, limit.min(again)).await?;
                second.and_then(|second| same(first, second))
            }
            other => other,
        };
        self.left = self.left.saturating_sub(begun.elapsed());
        let counted = agreed.map_err(|Uncounted { code, message }| {
            if code == WarningCode::InstructionsUnsupported {
                self.sizes = [].iter().enumerate();
            }
            size.point().warning(code, message)
        });
        Ok(Some((index, counted)))
    }
}

/// Reason why a size has no count: the code and the text of a warning.
pub(crate) struct Uncounted {
    pub(crate) code: WarningCode,
    pub(crate) message: String,
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
        let message = "counting smaller sizes used up the time for counting".into();
        return Ok(Err(Uncounted { code: WarningCode::NotCounted, message }));
    }
    let counted = session.count(size.point(), within).await?;
    Ok(read(&counted, size))
}

fn read(counted: &Counted, size: &MeasuredSize) -> Result<Instructions, Uncounted> {
    let (execution, said) = (&counted.execution, counted.instructions.clone());
    let count = trusted(said, execution, &counted.written, size)?;
    let slow_down = ms(execution.sample.wall_ns) / size.runtime_ms();
    Ok(Instructions { count, own: counted.own_instructions, net: None, slow_down })
}

/// The counter's result, if the run ended like the timed runs of its size and wrote the same
/// output.
pub(crate) fn trusted<T>(
    said: Result<T, String>,
    execution: &Execution,
    written: &Written,
    size: &MeasuredSize,
) -> Result<T, Uncounted> {
    let uncounted = |code, message| Err(Uncounted { code, message });
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
    if wrote_otherwise(written, size) {
        let message = "the counted run wrote different output than a timed run".into();
        return uncounted(WarningCode::NotDeterministic, message);
    }
    Ok(said)
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
    Err(Uncounted { code: WarningCode::NotDeterministic, message })
}
