//! The line that the worst input makes slow.

use super::counting;
use crate::error::SandboxFault;
use crate::measure::program_session::ProgramSession;
use profiler_proto::v1::SlowLine;
use runner_protocol::LineCost;
use std::collections::BTreeMap;

/// The instructions of each line, with the name of its function.
type Lines = BTreeMap<Place, (u64, String)>;

/// The path of a file, empty for the submitted source, and the number of a line.
type Place = (String, u32);

/// Finds the line whose cost on the worst input most exceeds its cost on a random one. Both inputs
/// have size n. `None` if a run cannot be counted by line, or no line costs more.
pub(super) async fn find(
    program: &mut ProgramSession,
    n: u64,
    worst: &[u8],
    random: &[u8],
) -> Result<Option<SlowLine>, SandboxFault> {
    let (Some(worst), Some(random)) = (lines(program, worst).await?, lines(program, random).await?)
    else {
        return Ok(None);
    };
    let of_random = |place: &Place| random.get(place).map_or(0, |(cost, _)| *cost);
    let slow = worst.into_iter().map(|(place, (cost, function))| SlowLine {
        random: of_random(&place),
        line: place.1,
        file: place.0,
        function,
        size: n,
        worst: cost,
    });
    Ok(slow.filter(|line| line.worst > line.random).max_by_key(|line| line.worst - line.random))
}

async fn lines(program: &mut ProgramSession, input: &[u8]) -> Result<Option<Lines>, SandboxFault> {
    let within = counting::longest(program);
    let traced = program.session().trace(input, within).await?;
    let Some(trace) = traced.trace.ok().filter(|_| traced.execution.ending.is_success()) else {
        return Ok(None);
    };
    let name = |at: u32| trace.names.get(at as usize).cloned().unwrap_or_default();
    let costly = trace.lines.iter().filter(|line| line.line > 0);
    let place = |cost: &LineCost| (cost.file.map(name).unwrap_or_default(), cost.line);
    Ok(Some(costly.map(|cost| (place(cost), (cost.instructions, name(cost.function)))).collect()))
}
