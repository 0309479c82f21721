//! Default input: the input of a program for which no input is declared.

use profiler_proto::v1::{InputUse, Outcome, ProfileReport, SizeResult};

/// The default input of the largest size, quoted.
pub(crate) fn quoted(report: &ProfileReport) -> Option<String> {
    let input = report.input_check.as_ref()?.default_input.as_ref()?;
    Some(format!("{input:?}"))
}

/// Returns the end of a sentence about a program that asked for more than the default input: it
/// "was fed only …". The figures of the program then say nothing about its task.
pub fn lack_of_input(report: &ProfileReport) -> Option<String> {
    let is_starved = report.input_check.as_ref()?.input_use() == InputUse::Starved;
    let input = quoted(report).filter(|_| is_starved)?;
    Some(format!("was fed only {input} and asked for more"))
}

/// Whether nothing was measured because the program asked for more than the default input.
pub fn ended_the_run(report: &ProfileReport) -> bool {
    let not_run = |size: &SizeResult| size.outcome() == Outcome::NotRun;
    lack_of_input(report).is_some() && report.sizes.iter().all(not_run)
}
