//! The tools: their names, what they take, and what they do.

mod check;
mod check_inputs;
mod compare;
mod described;
mod existing_runs;
mod profile;
mod run_tests;
mod worst_case;

pub(crate) use described::{TOOLS, Tool};

use crate::arguments::Arguments;
use crate::session::{Call, Session};
use crate::tool_result::Answer;
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
    (tool.run)(session, arguments, call).await.unwrap_or_else(Answer::from)
}
