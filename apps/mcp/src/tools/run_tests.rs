//! `run_tests`: runs a program on tests, and judges its answers.

use super::profile::measured;
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::job::{Options, TESTS_SHAPE};
use crate::session::{Call, Session};
use crate::tool_result::Answer;

/// Runs the tests, and answers with the verdict. Without expected outputs, answers with the outputs
/// of the program.
pub(super) async fn run_tests(
    session: &Session,
    mut arguments: Arguments,
    call: &Call,
) -> Result<Answer, Failure> {
    let code = arguments.needed_text("code");
    arguments.need("tests", &format!("a list such as {TESTS_SHAPE}"));
    let read = Options::read_with_any_tests;
    let (options, arguments) = Options::read_in_turn(session, arguments, read).await?;
    arguments.end()?;
    measured(session, &options.running_tests(), &code, call).await
}
