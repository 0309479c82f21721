//! Opening sentences about a program that was not fed what it reads.

use super::remedies::{Change, Wording};
use crate::report::{default_input, lack_of_input, readable};
use profiler_proto::v1::{InputUse, ProfileReport, RemedyKind};

/// Returns the opening sentences about a program that was not fed what it reads.
pub fn objection(report: &ProfileReport, wording: Wording) -> Option<String> {
    let lack = lack_of_input(report)?;
    let remedy = remedy_of(report, wording);
    Some(format!("The program was not measured on its task: it {lack}. {remedy}"))
}

/// Returns a note on a program that reads the default input to its end. Its task may have more
/// input, and the program does not show whether it has.
pub(crate) fn note(report: &ProfileReport, wording: Wording) -> Option<String> {
    let reads_to_end = report.input_check.as_ref()?.input_use() == InputUse::ReadsToEnd;
    let input = default_input::quoted(report).filter(|_| reads_to_end)?;
    Some(format!(
        "note: the program reads its input to the end, and was fed only {input}. If its task has \
         more input, declare it with {}.",
        wording(Change::Remedy(RemedyKind::InputSpec))
    ))
}

/// Tells how to give the program of this report its input.
pub fn remedy_of(report: &ProfileReport, wording: Wording) -> String {
    let named = named_files(report, wording).map(|files| format!("Name the file with {files}."));
    named.unwrap_or_else(|| remedy(wording))
}

/// Returns the options that name the files which a program opens in place of its input and output;
/// `None` if it opens none.
pub fn named_files(report: &ProfileReport, wording: Wording) -> Option<String> {
    let check = report.input_check.as_ref()?;
    let files = [
        Some(Change::InputFile(check.opened_file.as_deref()?)),
        check.written_file.as_deref().map(Change::OutputFile),
    ];
    Some(readable(&files.into_iter().flatten().map(wording).collect::<Vec<_>>().join(" and ")))
}

/// Tells how to declare the input of a program.
pub fn remedy(wording: Wording) -> String {
    let [spec, interactor] =
        [RemedyKind::InputSpec, RemedyKind::Interactor].map(|kind| wording(Change::Remedy(kind)));
    let or = if interactor.is_empty() { interactor } else { format!(", or use {interactor}") };
    format!("Declare its input with {spec}{or}.")
}
