//! Counted runs.

use crate::error::SandboxFault;
use crate::limits::{COUNT_SLOW_DOWN, MAX_COUNT, WORST_SLOW_DOWN};
use crate::measure::program_session::ProgramSession;
use crate::report::{CountedRun, ending_name};
use runner_protocol::{Ending, InputCount};
use std::time::Duration;

/// What became of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Counting {
    /// It ended well.
    Counted(CountedRun),
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

/// Counts a run on each of the first of these inputs; see [`ProgramSession::count_first`].
pub(super) async fn count_first(
    program: &mut ProgramSession,
    inputs: &[&[u8]],
    within: Duration,
) -> Result<Vec<Counting>, SandboxFault> {
    let counts = program.count_first(inputs, within).await?;
    Ok(counts.into_iter().map(Counting::from).collect())
}

impl From<InputCount> for Counting {
    fn from(InputCount { ending, instructions, own_instructions: own }: InputCount) -> Self {
        match (instructions, ending) {
            (Ok(all), Ending::Exited(0)) => Self::Counted(CountedRun { all, own }),
            // The counter itself exits so where it cannot go on. It counts a program that exits
            // with an error.
            (Err(reason), Ending::Exited(_)) => Self::Uncountable(reason),
            (_, ending) => Self::Failed(ending_name(ending)),
        }
    }
}
