//! Default input: the input of a program for which no input is declared.

use super::readable;
use profiler_proto::v1::{InputUse, Outcome, ProfileReport, SizeResult};

/// The default input of the largest size, quoted.
pub(crate) fn quoted(report: &ProfileReport) -> Option<String> {
    let input = report.input_check.as_ref()?.default_input.as_ref()?;
    Some(format!("{input:?}"))
}

/// Returns the end of a sentence about a program that asked for more than the default input, or
/// opens a file instead: it "was fed only …". The figures of the program then say nothing about its
/// task.
pub fn lack_of_input(report: &ProfileReport) -> Option<String> {
    let check = report.input_check.as_ref()?;
    let is_starved = check.input_use() == InputUse::Starved;
    if let Some(file) = check.opened_file.as_ref().filter(|_| is_starved) {
        return Some(format!("reads nothing of its input, and opens {}", readable(file)));
    }
    let input = quoted(report).filter(|_| is_starved)?;
    Some(format!("was fed only {input} and asked for more"))
}

/// Whether nothing was measured because the program lacked input.
pub fn ended_the_run(report: &ProfileReport) -> bool {
    let not_run = |size: &SizeResult| size.outcome() == Outcome::NotRun;
    lack_of_input(report).is_some() && report.sizes.iter().all(not_run)
}
