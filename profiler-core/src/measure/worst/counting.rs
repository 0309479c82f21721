//! Measures the costs of runs.

use super::costs::RunCost;
use crate::build::Builder;
use crate::error::SandboxFault;
use crate::job::{Job, WorstGoal};
use crate::limits::{COUNT_SLOW_DOWN, MAX_COUNT, TRACE_BYTES, WORST_SLOW_DOWN};
use crate::measure::program_session::ProgramSession;
use crate::report::ending_name;
use runner_protocol::{Ending, Execution, InputCount, SeriesLines, SourceLine};
use std::collections::BTreeMap;
use std::time::Duration;

const NO_PROBE: &str = "this sandbox cannot probe memory";
const NO_RECORD: &str = "its allocations cannot be recorded";
const NO_LINES: &str = "its instructions cannot be told apart by line";
const NO_SERIES: &str =
    "is not counted by line: it has more than 1 MiB of input, or reached its memory limit";
/// Address that stands for all libraries among the parts of a program. No block has it.
const LIBRARIES: u32 = 0;

/// Costs of the program's parts, by address.
pub(super) type Parts = BTreeMap<u32, u64>;

/// Result of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Counting {
    /// Cost of a run that ended well, and the costs of the program's parts as far as they are
    /// known.
    Counted(RunCost, Parts),
    /// Description of the end of a run that did not end well.
    Failed(String),
    /// Reason why the cost of a run cannot be measured.
    Uncountable(String),
}

/// The path of the file with the line of `goal`. `None` for the submitted source.
pub(super) fn goal_file(job: &Job, goal: WorstGoal) -> Option<String> {
    let WorstGoal::Line { file: Some(at), .. } = goal else { return None };
    job.files.get(at).map(|file| file.path.clone())
}

/// The time limit of a run of the search.
pub(super) fn search_limit(program: &ProgramSession) -> Duration {
    (WORST_SLOW_DOWN * program.job.limits.timeout).min(MAX_COUNT)
}

/// Returns the time limit of a run after the search. It is longer, because these runs are few.
pub(super) fn longest(program: &ProgramSession) -> Duration {
    (COUNT_SLOW_DOWN * program.job.limits.timeout).min(MAX_COUNT)
}

/// Prepares the compiled program for [`count_first`]. Returns the reason if its costs cannot be
/// measured.
pub(super) async fn prepare(
    program: &mut ProgramSession,
    builder: &Builder,
    goal: WorstGoal,
) -> Result<Option<String>, SandboxFault> {
    if matches!(goal, WorstGoal::Instructions | WorstGoal::Line { .. }) {
        program.place_counter().await?;
    }
    if let WorstGoal::Line { .. } = goal {
        program.limit_memory(TRACE_BYTES).await?;
    }
    let is_built = goal != WorstGoal::Allocations || program.compile_allocations(builder).await?;
    Ok((!is_built).then(|| NO_RECORD.into()))
}

/// Measures the cost of a run on each of the first few `inputs`. The instructions of many inputs
/// are counted at once, see [`ProgramSession::count_first`].
pub(super) async fn count_first(
    program: &mut ProgramSession,
    goal: WorstGoal,
    inputs: &[&[u8]],
    within: Duration,
) -> Result<Vec<Counting>, SandboxFault> {
    let Some(first) = inputs.first() else { return Ok(Vec::new()) };
    Ok(match goal {
        WorstGoal::Instructions => {
            let counts = program.count_first(inputs, within).await?;
            counts.into_iter().map(Counting::from).collect()
        }
        WorstGoal::Line { line, .. } => {
            let line = SourceLine { file: goal_file(&program.job, goal), line };
            let lines = SeriesLines::Cost(line);
            let (counts, _) = program.count_series(inputs, lines, within).await?;
            if counts.is_empty() {
                vec![Counting::Failed(NO_SERIES.into())]
            } else {
                counts.into_iter().map(of_line).collect()
            }
        }
        WorstGoal::Memory => {
            let probed = program.session().probe(*first, within).await?;
            let held = probed.memory.and_then(|memory| memory.anonymous_bytes);
            vec![measured(&probed.execution, held, NO_PROBE)]
        }
        WorstGoal::Allocations => {
            let allocated = program.session().allocated(*first, within).await?;
            let calls = allocated.record.map(|record| record.sums.allocations);
            vec![measured(&allocated.execution, calls, NO_RECORD)]
        }
    })
}

fn measured(execution: &Execution, cost: Option<u64>, missing: &str) -> Counting {
    match cost {
        _ if !execution.ending.is_success() => Counting::Failed(ending_name(execution.ending)),
        Some(all) => Counting::Counted(RunCost { all, own: None }, BTreeMap::new()),
        None => Counting::Uncountable(missing.into()),
    }
}

/// Extracts the count of a line.
fn of_line(count: InputCount) -> Counting {
    let line = count.line_instructions;
    match (Counting::from(count), line) {
        (Counting::Counted(_, parts), Some(all)) => {
            Counting::Counted(RunCost { all, own: None }, parts)
        }
        (Counting::Counted(..), None) => Counting::Uncountable(NO_LINES.into()),
        (other, _) => other,
    }
}

impl From<InputCount> for Counting {
    fn from(count: InputCount) -> Self {
        let InputCount { ending, instructions, own_instructions: own, blocks, .. } = count;
        match (instructions, ending) {
            (Ok(all), Ending::Exited(0)) => {
                let libraries = own.map(|own| (LIBRARIES, all.saturating_sub(own)));
                let mut parts = BTreeMap::new();
                // Blocks of several lengths can begin at one address.
                for (part, cost) in blocks.into_iter().chain(libraries) {
                    let sum: &mut u64 = parts.entry(part).or_default();
                    *sum = sum.saturating_add(cost);
                }
                Self::Counted(RunCost { all, own }, parts)
            }
            // The counter itself exits like this if it cannot go on. If the program exits with an
            // error, there is a count.
            (Err(reason), Ending::Exited(_)) => Self::Uncountable(reason),
            (_, ending) => Self::Failed(ending_name(ending)),
        }
    }
}
