//! Default input: that of a program whose input nobody declared.

use profiler_proto::v1::{InputUse, Outcome, ProfileReport, SizeResult};

/// The default input of the largest size, quoted.
pub(crate) fn quoted(report: &ProfileReport) -> Option<String> {
    let input = report.input_check.as_ref()?.default_input.as_ref()?;
    Some(format!("{input:?}"))
}

/// The default input, quoted, if the program asked for more than that. Its figures then say nothing
/// of its task.
pub fn insufficient_input(report: &ProfileReport) -> Option<String> {
    let is_starved = report.input_check.as_ref()?.input_use() == InputUse::Starved;
    quoted(report).filter(|_| is_starved)
}

/// Whether nothing was measured because the program asked for more than the default input.
pub fn ended_the_run(report: &ProfileReport) -> bool {
    let not_run = |size: &SizeResult| size.outcome() == Outcome::NotRun;
    insufficient_input(report).is_some() && report.sizes.iter().all(not_run)
}

/// The first sentences about a program that was not fed what it reads. The `option` declares its
/// input.
pub fn objection(report: &ProfileReport, option: &str) -> Option<String> {
    let input = insufficient_input(report)?;
    Some(format!(
        "The program was not measured on its task: it was fed only {input} and asked for more. {}",
        remedy(option)
    ))
}

/// A note on a program that reads to the end of its input where nobody declared that. Its task may
/// have more input, and nobody can tell from the program. The `option` declares its input.
pub(crate) fn note(report: &ProfileReport, option: &str) -> Option<String> {
    let reads_to_end = report.input_check.as_ref()?.input_use() == InputUse::ReadsToEnd;
    let input = quoted(report).filter(|_| reads_to_end)?;
    Some(format!(
        "note: the program reads its input to the end, and was fed only {input}. If its task has \
         more input, declare it with {option}."
    ))
}

/// Tells how to give a program its input. The `option` declares it.
pub fn remedy(option: &str) -> String {
    format!("Declare its input with {option}, or give --interactor if it talks to a judge.")
}
