//! The line that the worst input makes slow.

use super::counting;
use crate::build::Builder;
use crate::error::SandboxFault;
use crate::measure::program_session::ProgramSession;
use crate::measure::worst::WorstCase;
use profiler_search::Genome;
use std::collections::BTreeMap;

/// A line of the source, and what it costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlowLine {
    /// Its number, from 1.
    pub line: u32,
    /// The function that it is in.
    pub function: String,
    /// The size at which it was counted.
    pub n: u64,
    /// Its instructions on the worst input, with those of libraries that it calls.
    pub worst: u64,
    /// Its instructions on a random input.
    pub random: u64,
}

/// The instructions of each line, with the name of its function.
type Lines = BTreeMap<u32, (u64, String)>;

/// The line on which the worst input costs most more than a random one, at the largest size that
/// was counted. `None` if the program cannot be counted by line, or no line costs more.
pub(super) async fn find(
    case: &mut WorstCase,
    program: &mut ProgramSession,
    builder: &Builder,
) -> Result<Option<SlowLine>, SandboxFault> {
    let counted = case.points.iter().rev().find(|point| point.worst.is_some());
    let (Some(n), Some(worst)) = (counted.map(|point| point.n), case.worst().cloned()) else {
        return Ok(None);
    };
    if worst.is_declared() || !program.compile_lines(builder).await? {
        return Ok(None);
    }
    let random = Genome::declared(0, case.plan.seed);
    let (Some(worst), Some(random)) =
        (lines(case, program, &worst, n).await?, lines(case, program, &random, n).await?)
    else {
        return Ok(None);
    };
    let of_random = |line: &u32| random.get(line).map_or(0, |(cost, _)| *cost);
    let slow = worst.into_iter().map(|(line, (cost, function))| SlowLine {
        line,
        function,
        n,
        worst: cost,
        random: of_random(&line),
    });
    Ok(slow.filter(|line| line.worst > line.random).max_by_key(|line| line.worst - line.random))
}

async fn lines(
    case: &mut WorstCase,
    program: &mut ProgramSession,
    genome: &Genome,
    n: u64,
) -> Result<Option<Lines>, SandboxFault> {
    let Some(input) = case.space().input(genome, n) else { return Ok(None) };
    case.further_runs += 1;
    let traced = program.trace(&input, counting::longest(program)).await?;
    let Some(trace) = traced.trace.ok().filter(|_| traced.execution.ending.is_success()) else {
        return Ok(None);
    };
    let name = |at: u32| trace.names.get(at as usize).cloned().unwrap_or_default();
    let costly = trace.lines.iter().filter(|line| line.line > 0);
    Ok(Some(costly.map(|line| (line.line, (line.instructions, name(line.function)))).collect()))
}
