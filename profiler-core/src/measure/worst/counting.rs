//! One counted run.

use super::counts::Instructions;
use crate::error::SandboxFault;
use crate::limits::{COUNT_SLOW_DOWN, MAX_COUNT, WORST_SLOW_DOWN};
use crate::measure::program_session::ProgramSession;
use crate::report::ending_name;
use runner_protocol::{Counted, Ending};
use std::time::Duration;

/// What became of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Counting {
    /// It ended well.
    Counted(Instructions),
    /// It did not end well: how it ended.
    Failed(String),
    /// Its instructions cannot be counted, for this reason.
    Uncountable(String),
}

/// The time limit of a run of the search.
pub(super) fn search_limit(program: &ProgramSession) -> Duration {
    (WORST_SLOW_DOWN * program.limits().timeout).min(MAX_COUNT)
}

/// The time limit of a run after the search, of which there are few.
pub(super) fn longest(program: &ProgramSession) -> Duration {
    (COUNT_SLOW_DOWN * program.limits().timeout).min(MAX_COUNT)
}

/// Counts one run on `input`.
pub(super) async fn count(
    program: &mut ProgramSession,
    input: &[u8],
    within: Duration,
) -> Result<Counting, SandboxFault> {
    let Counted { execution, instructions, own_instructions, .. } =
        program.count(input, within).await?;
    Ok(match (instructions, execution.ending) {
        (Ok(all), Ending::Exited(0)) => {
            Counting::Counted(Instructions { all, own: own_instructions })
        }
        // The counter itself exits so where it cannot go on. It counts a program that exits with an
        // error.
        (Err(reason), Ending::Exited(_)) => Counting::Uncountable(reason),
        (_, ending) => Counting::Failed(ending_name(ending)),
    })
}
