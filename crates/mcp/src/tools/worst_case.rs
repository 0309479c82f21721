//! `worst_case`: searches for the worst input of one program.

use super::profile::measured;
use crate::answer::Answer;
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::job::Options;
use crate::session::{Call, Session};

/// The size of the worst input, if an agent gives none.
const N: u64 = 1000;
/// How long inputs are tried, if an agent does not say: an answer should come in one call.
const SECONDS: u64 = 20;
const MAX_SECONDS: u64 = 3600;

/// Searches, and answers with what was found or a handle.
pub(super) async fn worst_case(
    session: &Session,
    mut arguments: Arguments,
    call: &Call,
) -> Result<Answer, Failure> {
    let code = arguments.needed_text("code");
    let n = arguments.number("n", 1..=profiler_input::limits::MAX_N).unwrap_or(N);
    let seconds = arguments.number("seconds", 1..=MAX_SECONDS).unwrap_or(SECONDS);
    if !arguments.has("input_spec") && !arguments.has("samples") {
        arguments.refuse("input_spec", "is needed, or samples: they say which inputs are valid");
    }
    let options = Options::read(&mut arguments);
    arguments.end()?;
    let options = options.infer(session).await?.searching(n, seconds);
    measured(session, &options, &code, call).await
}
