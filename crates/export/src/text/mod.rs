//! An ending as text for people: a summary, tables, and plots.

pub(crate) mod advice;
mod error;
mod layout;
mod options;
mod palette;
mod quantity;
mod remedies;
mod report;
mod sections;
pub(crate) mod starved;
mod summary;

pub use advice::TRIVIAL_SIZE;
pub(crate) use layout::place;
pub use layout::{SHOWN_BYTES, cut, shown, unbroken, wrapped};
pub use options::TextOptions;
pub use palette::Palette;
pub use remedies::{Change, Wording, explain_errors, explain_warning, flag, why_undecided};
pub(crate) use sections::compile::errors as compile_errors;
pub use sections::failures::explain_outcome;
pub(crate) use sections::failures::{explain_size, why_not_run};
pub use sections::table::{Column, Frame, Table};
pub use sections::{changes, worst};
pub use starved::{named_files, objection, remedy, remedy_of};
pub(crate) use summary::{largest_size, lost, question_of_zero};

use crate::ending::{Ending, Run};
use crate::report::found::sanitized;
use profiler_proto::v1::ProfileReport;

/// Returns the summary of a report: one sentence, and one more for each undecided class and for a
/// run with sanitizers. `wording` names the remedies.
pub fn summary(report: &ProfileReport, wording: Wording) -> String {
    let said = advice::text(report, wording).unwrap_or_else(|| summary::text(report, wording));
    let sanitized = sanitized(report);
    let lines = [Some(said).filter(|said| !said.is_empty()), sanitized];
    lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// The ending of a run as text.
pub(crate) fn text<'a>(run: impl Into<Run<'a>>, options: &TextOptions) -> String {
    let Run { ending, note, .. } = run.into();
    match ending {
        Ending::Report(report) => report::text(report, note, options),
        Ending::Error(error) => error::text(error, note, options),
    }
}

#[cfg(test)]
mod tests;
