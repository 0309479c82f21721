//! `get_run`, `cancel_run` and `explain`: tools for existing runs.

use crate::arguments::Arguments;
use crate::explain::{DEFAULT_LINES, MATTERS, MAX_LINES, explain};
use crate::failure::{Failure, RUN_ID};
use crate::resources::links;
use crate::session::{Call, Known, Session};
use crate::summary;
use crate::tool_result::{Answer, object};
use serde_json::json;
use std::time::Duration;
use tokio::time::Instant;

/// Maximum wait for a run.
pub(super) const MAX_WAIT_SEC: u64 = 45;

/// Waits for a run.
pub(super) async fn get_run(
    session: &Session,
    mut arguments: Arguments,
    call: &mut Call,
) -> Result<Answer, Failure> {
    let run_id = arguments.needed_text(RUN_ID);
    if let Some(wait) = arguments.number("wait_s", 0..=MAX_WAIT_SEC) {
        call.until = Instant::now() + Duration::from_secs(wait);
    }
    arguments.end()?;
    // A cancelled call does not cancel a run that it only waits for.
    let known = session.wait(&run_id, call, false).await?;
    Ok(summary::answer(&run_id, &known, &[]))
}

/// Cancels a live run.
pub(super) async fn cancel_run(
    session: &Session,
    mut arguments: Arguments,
) -> Result<Answer, Failure> {
    let run_id = arguments.needed_text(RUN_ID);
    arguments.end()?;
    let cancelled = session.client.cancel(&run_id).await;
    cancelled.map_err(|error| Failure::of_run(RUN_ID, error))?;
    let figures = json!({ "run_id": run_id, "state": "cancelled" });
    Ok(Answer::new(&format!("run {run_id} is cancelled"), figures))
}

/// Explains an ended run.
pub(super) async fn explain_run(
    session: &Session,
    mut arguments: Arguments,
) -> Result<Answer, Failure> {
    let run_id = arguments.needed_text(RUN_ID);
    let all: Vec<_> = MATTERS.iter().map(|(word, _)| *word).collect();
    arguments.need("what", &format!("one of {}", all.join(", ")));
    let matter = arguments.choice("what", &MATTERS);
    let count = arguments.number("lines", 1..=MAX_LINES).unwrap_or(DEFAULT_LINES);
    arguments.end()?;
    // `Arguments::end` has already refused a call without a matter.
    let Some(matter) = matter else { return Err(Failure::argument("what", "is missing")) };
    let known = session.look_up(&run_id).await?;
    let Known::Ended(ending) = &known else { return Ok(summary::answer(&run_id, &known, &[])) };
    let Some(report) = ending.report() else {
        return Ok(summary::answer(&run_id, &known, &[]));
    };
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let (said, figures) = explain(report, matter, count);
    let mut all = object(json!({ "run_id": run_id }));
    all.extend(figures);
    Ok(Answer { links: links(&run_id, ending), ..Answer::new(&said, all) })
}
