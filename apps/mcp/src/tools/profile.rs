//! `profile`: measures one program.

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::job::Options;
use crate::session::{Call, Known, Session};
use crate::summary;
use crate::tool_result::Answer;
use profiler_export::Ending;

/// Fault if the report of a stress test has none.
const OLDER: &str = "the service has an older version, which has no stress tests";

/// Measures a program, and answers with its report or a handle.
pub(super) async fn profile(
    session: &Session,
    mut arguments: Arguments,
    call: &Call,
) -> Result<Answer, Failure> {
    let code = arguments.needed_text("code");
    let (options, arguments) = Options::read_in_turn(session, arguments, Options::read).await?;
    arguments.end()?;
    let options = options.infer(session).await?;
    measured(session, &options, &code, call).await
}

/// Runs a program, and answers with its report or a handle.
pub(super) async fn measured(
    session: &Session,
    options: &Options,
    code: &str,
    call: &Call,
) -> Result<Answer, Failure> {
    let (key, job) = options.of_program(code);
    let asks_for_stress = job.stress.is_some();
    let run_id = match session.start(&key, job, call).await {
        Ok(run_id) => run_id,
        Err(failure) => return Err(options.placed(session, failure).await),
    };
    let known = session.wait(&run_id, call, true).await?;
    if let Known::Ended(ending) = &known
        && let Ending::Report(report) = &**ending
        && asks_for_stress
        && report.stress.is_none()
    {
        return Err(Failure::Fault(OLDER.into()));
    }
    Ok(summary::answer(&run_id, &known, &options.assumptions))
}
