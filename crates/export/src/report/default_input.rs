//! What a program was fed where nobody declared its input.

use profiler_proto::v1::{InputUse, ProfileReport};

/// The default input of the largest size, quoted.
pub(crate) fn quoted(report: &ProfileReport) -> Option<String> {
    let input = report.input_check.as_ref()?.default_input.as_ref()?;
    Some(format!("{input:?}"))
}

/// The first sentence about a program that was not fed what it reads. The `remedy` says how to
/// declare its input.
pub(crate) fn objection(report: &ProfileReport, remedy: &str) -> Option<String> {
    let is_starved = report.input_check.as_ref()?.input_use() == InputUse::Starved;
    let input = quoted(report).filter(|_| is_starved)?;
    Some(format!(
        "The program was not measured on its task: it was fed only {input} and asked for more. \
         Declare its input with {remedy}, or give --interactor if it talks to a judge."
    ))
}
