//! `check`: searches for a small input to which a program gives a wrong answer.

use super::profile::measured;
use super::worst_case::MAX_SECONDS;
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::job::Options;
use crate::session::{Call, Session};
use crate::tool_result::Answer;

/// Default time for trying inputs, in seconds.
const SECONDS: u64 = 10;

/// Searches, and answers with the smallest input that was found, or a handle.
pub(super) async fn check(
    session: &Session,
    mut arguments: Arguments,
    call: &Call,
) -> Result<Answer, Failure> {
    let code = arguments.needed_text("code");
    let reference = arguments.needed_text("reference");
    let seconds = arguments.number("seconds", 1..=MAX_SECONDS).unwrap_or(SECONDS);
    arguments.need_input();
    let (options, mut arguments) = Options::read_in_turn(session, arguments, Options::read).await?;
    if options.has_checker_program() {
        let problem = "must be a word here, because the reference has the right answers";
        arguments.refuse("checker", problem);
    }
    arguments.end()?;
    let options = options.infer(session).await?.stressing(reference, seconds);
    measured(session, &options, &code, call).await
}
