//! How many instructions each size executes: after the last size has been timed, so that counting
//! disturbs no figure.

use crate::error::SandboxFault;
use crate::figures::units::hex;
use crate::figures::units::ms;
use crate::limits::{COUNT_SHARE, COUNT_SLOW_DOWN, MAX_COUNT};
use crate::measure::session::Runs;
use crate::report::WarningCode;
use crate::report::ending_name;
use crate::report::{Instructions, ProfileReport, SizeResult};
use runner_protocol::{Counted, Ending, Execution, Written};
use std::time::{Duration, Instant};

/// How instructions are counted.
const METHOD: &str = "user mode, one run of its own under an exact counter, the loader included";

/// Counts the instructions of every size that ended OK, once, and twice where the time for that
/// allows: a program that executes another number each time has none. Where they cannot be counted at
/// all, the first size says why.
pub(crate) async fn count(
    runs: &mut Runs<'_>,
    report: &mut ProfileReport,
) -> Result<(), SandboxFault> {
    runs.place_counter().await?;
    let sizes = u32::try_from(report.sizes.iter().filter(|size| size.is_ok()).count());
    let mut left = COUNT_SHARE * sizes.unwrap_or(u32::MAX);
    let limit = (COUNT_SLOW_DOWN * runs.job.limits.timeout).min(MAX_COUNT);
    for at in 0..report.sizes.len() {
        if !report.sizes[at].is_ok() {
            continue;
        }
        let begun = Instant::now();
        let counted = once(runs, &report.sizes[at], limit.min(left)).await?;
        let again = left.saturating_sub(begun.elapsed());
        let counted = match counted {
            // A second run takes as long as the first, or there is no time for it.
            Ok(first) if begun.elapsed() < again => {
                let second = once(runs, &report.sizes[at], limit.min(again)).await?;
                second.and_then(|second| same(first, second))
            }
            other => other,
        };
        left = left.saturating_sub(begun.elapsed());
        match counted {
            Ok(instructions) => {
                report.instructions_method = Some(METHOD);
                report.sizes[at].instructions = Some(instructions);
            }
            Err(Uncounted { code, message }) => {
                report.warn(code, Some(report.sizes[at].point()), message);
                if code == WarningCode::InstructionsUnsupported {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// Why a size has no count: the code of a warning, and its text.
pub(crate) struct Uncounted {
    pub(crate) code: WarningCode,
    pub(crate) message: String,
}

/// One counted run of at most `within`.
pub(crate) async fn once(
    runs: &mut Runs<'_>,
    size: &SizeResult,
    within: Duration,
) -> Result<Result<Instructions, Uncounted>, SandboxFault> {
    if within.is_zero() {
        let message = "the time for counting was spent on smaller sizes".into();
        return Ok(Err(Uncounted { code: WarningCode::NotCounted, message }));
    }
    let counted = runs.count(size.point(), within).await?;
    Ok(read(&counted, size))
}

fn read(counted: &Counted, size: &SizeResult) -> Result<Instructions, Uncounted> {
    let (execution, said) = (&counted.execution, counted.instructions.clone());
    let count = trusted(said, execution, &counted.written, size)?;
    let slow_down = ms(execution.sample.wall_ns) / size.runtime_ms();
    Ok(Instructions { count, slow_down })
}

/// What the counter says of a run, if that ended as the timed ones of its size did and wrote the same.
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

/// Whether a run wrote something else to stdout than the timed ones of its size, as far as theirs is known.
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
