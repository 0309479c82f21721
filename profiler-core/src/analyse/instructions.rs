//! How many instructions each size executes: after the last size has been timed, so that counting
//! disturbs no figure.

use crate::error::SandboxFault;
use crate::figures::units::hex;
use crate::figures::units::ms;
use crate::limits::{COUNT_SHARE, COUNT_SLOW_DOWN, MAX_COUNT};
use crate::measure::session::MeasureSession;
use crate::report::{Instructions, SizeResult, Warning, WarningCode, ending_name};
use runner_protocol::{Counted, Ending, Execution, Written};
use std::time::{Duration, Instant};

/// How instructions are counted.
pub(crate) const METHOD: &str =
    "user mode, one run of its own under an exact counter, the loader included";

/// The counts of a report's sizes.
pub(crate) struct CountedSizes {
    /// In the order of the sizes; absent where a size has none.
    pub(crate) counts: Vec<Option<Instructions>>,
    pub(crate) warnings: Vec<Warning>,
}

/// Counts the instructions of every size that ended OK, once, and twice where the time for that
/// allows: a program that executes another number each time has none. Where they cannot be counted
/// at all, the first size says why.
pub(crate) async fn count_sizes(
    session: &mut MeasureSession<'_>,
    sizes: &[SizeResult],
) -> Result<CountedSizes, SandboxFault> {
    session.place_counter().await?;
    let countable = u32::try_from(sizes.iter().filter(|size| size.is_ok()).count());
    let mut left = COUNT_SHARE * countable.unwrap_or(u32::MAX);
    let limit = (COUNT_SLOW_DOWN * session.job.limits.timeout).min(MAX_COUNT);
    let mut counted = CountedSizes { counts: vec![None; sizes.len()], warnings: Vec::new() };
    for (size, count) in sizes.iter().zip(&mut counted.counts).filter(|(size, _)| size.is_ok()) {
        let begun = Instant::now();
        let first = count_once(session, size, limit.min(left)).await?;
        let again = left.saturating_sub(begun.elapsed());
        let agreed = match first {
            // A second run takes as long as the first, or there is no time for it.
            Ok(first) if begun.elapsed() < again => {
                let second = count_once(session, size, limit.min(again)).await?;
                second.and_then(|second| same(first, second))
            }
            other => other,
        };
        left = left.saturating_sub(begun.elapsed());
        match agreed {
            Ok(instructions) => *count = Some(instructions),
            Err(Uncounted { code, message }) => {
                counted.warnings.push(Warning::at(code, size.point(), message));
                if code == WarningCode::InstructionsUnsupported {
                    break;
                }
            }
        }
    }
    Ok(counted)
}

/// Why a size has no count: the code of a warning, and its text.
pub(crate) struct Uncounted {
    pub(crate) code: WarningCode,
    pub(crate) message: String,
}

/// What came of a counted run: a value, or why there is none.
pub(crate) type CountOutcome<T> = Result<T, Uncounted>;

/// One counted run of at most `within`.
pub(crate) async fn count_once(
    session: &mut MeasureSession<'_>,
    size: &SizeResult,
    within: Duration,
) -> Result<CountOutcome<Instructions>, SandboxFault> {
    if within.is_zero() {
        let message = "the time for counting was spent on smaller sizes".into();
        return Ok(Err(Uncounted { code: WarningCode::NotCounted, message }));
    }
    let counted = session.count(size.point(), within).await?;
    Ok(read(&counted, size))
}

fn read(counted: &Counted, size: &SizeResult) -> Result<Instructions, Uncounted> {
    let (execution, said) = (&counted.execution, counted.instructions.clone());
    let count = trusted(said, execution, &counted.written, size)?;
    let slow_down = ms(execution.sample.wall_ns) / size.runtime_ms();
    Ok(Instructions { count, slow_down })
}

/// What the counter says of a run, if that ended as the timed ones of its size did and wrote the
/// same.
pub(crate) fn trusted<T>(
    said: Result<T, String>,
    execution: &Execution,
    written: &Written,
    size: &SizeResult,
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
                format!("the counted run ended otherwise: {ended}"),
            );
        }
    };
    if wrote_otherwise(written, size) {
        let message = "the counted run wrote something else to stdout than a timed one".into();
        return uncounted(WarningCode::NotDeterministic, message);
    }
    Ok(said)
}

/// Whether a run wrote something else to stdout than the timed ones of its size, as far as theirs
/// is known.
pub(crate) fn wrote_otherwise(written: &Written, size: &SizeResult) -> bool {
    size.stdout.as_ref().is_some_and(|output| output.sha256 != hex(&written.stdout_sha256))
}

/// The count of two runs, of which the first one's cost stands for both.
fn same(first: Instructions, second: Instructions) -> Result<Instructions, Uncounted> {
    if first.count == second.count {
        return Ok(first);
    }
    let message = format!("two runs executed {} and {} instructions", first.count, second.count);
    Err(Uncounted { code: WarningCode::NotDeterministic, message })
}
