//! The tools: their names, what they take, and what they do.

mod check_inputs;
mod compare;
mod described;
mod existing_runs;
mod profile;
mod worst_case;

pub(crate) use described::{TOOLS, Tool};

use crate::arguments::Arguments;
use crate::session::{Call, Session};
use crate::tool_result::Answer;
use described::Name;
use serde_json::{Map, Value};

/// Runs a tool with the given arguments.
pub(crate) async fn call(
    tool: &Tool,
    session: &Session,
    given: Map<String, Value>,
    call: &mut Call,
) -> Answer {
    let allowed = tool.arguments();
    let arguments = Arguments::new(given, &allowed);
    let answer = match tool.name {
        Name::Profile => profile::profile(session, arguments, call).await,
        Name::WorstCase => worst_case::worst_case(session, arguments, call).await,
        Name::Compare => compare::compare(session, arguments, call).await,
        Name::CheckInputs => check_inputs::check_inputs(arguments),
        Name::Explain => existing_runs::explain_run(session, arguments).await,
        Name::GetRun => existing_runs::get_run(session, arguments, call).await,
        Name::CancelRun => existing_runs::cancel_run(session, arguments).await,
    };
    answer.unwrap_or_else(Answer::from)
}
