//! `worst_case`: searches for the worst input of one program.

use super::profile::measured;
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::job::Options;
use crate::session::{Call, Session};
use crate::tool_result::Answer;
use profiler_proto::v1::WorstGoal;

/// Default size of the worst input.
const N: u64 = 1000;
/// Default time for trying inputs, in seconds. The answer should come in one call.
const SECONDS: u64 = 20;
/// Longest time of a search, in seconds.
pub(super) const MAX_SECONDS: u64 = 3600;
/// Quantities that a search can make as large as possible.
pub(crate) const GOALS: [(&str, WorstGoal); 4] = [
    ("instructions", WorstGoal::Instructions),
    ("memory", WorstGoal::Memory),
    ("allocations", WorstGoal::Allocations),
    ("line", WorstGoal::Line),
];

/// Searches, and answers with the result or a handle.
pub(super) async fn worst_case(
    session: &Session,
    mut arguments: Arguments,
    call: &Call,
) -> Result<Answer, Failure> {
    let code = arguments.needed_text("code");
    let n = arguments.number("n", 1..=profiler_input::limits::MAX_N).unwrap_or(N);
    let seconds = arguments.number("seconds", 1..=MAX_SECONDS).unwrap_or(SECONDS);
    let goal = arguments.choice("for", &GOALS).unwrap_or(WorstGoal::Instructions);
    let line = arguments.number("line", 1..=u32::MAX.into());
    if line.is_some() != (goal == WorstGoal::Line) {
        arguments
            .refuse("line", "is required with \"for\": \"line\", and must be absent without it");
    }
    let line = line.and_then(|line| u32::try_from(line).ok()).unwrap_or(0);
    arguments.need_input();
    let (options, arguments) = Options::read_in_turn(session, arguments, Options::read).await?;
    arguments.end()?;
    let options = options.infer(session).await?.searching(n, seconds, goal, line);
    measured(session, &options, &code, call).await
}
