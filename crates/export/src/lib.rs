//! Writes a run's ending as a document: for people, spreadsheets, continuous integration, flame
//! graph tools and Perun.
//!
//! All documents are made from the wire's types, so a local run, a run on a server and a saved
//! report look the same. Function names, messages and stderr come from hostile programs. Each
//! format escapes them so that they remain text.

#![forbid(unsafe_code)]

mod call_stacks;
mod ci;
mod csv;
mod ending;
mod error;
mod export;
mod file_name;
pub mod html;
mod perun;
mod report;
#[cfg(test)]
mod tests;
mod text;

pub use ci::{CiForm, ci_document};
pub use csv::csv_columns;
pub use ending::{Check, Ending, Run};
pub use error::{Error, MAX_BYTES};
pub use export::{export, export_csv};
pub use report::found::{fault, sanitizer_finding, stress_end, stress_sentence, unreached};
pub use report::{
    AT_LEAST_NOTE, Rightness, TestsVerdict, ZERO_QUESTION, clock_name, ended_the_run,
    fails_at_zero_alone, failure_at_zero, figure, first_failure, has_largest_process_only,
    hot_line, hottest, judge_tests, lack_of_input, of_what, peak_figure, readable, readable_name,
    requesting_frame, share_of, slow_reading, unfinished_tests, verdict, why_not_judged,
    wrong_tests,
};
pub use text::{
    Change, Column, Frame, Palette, SHOWN_BYTES, TRIVIAL_SIZE, Table, TextOptions, Wording,
    changes, cut, explain_errors, explain_outcome, explain_warning, flag, named_files, objection,
    remedy, remedy_of, shown, summary, unbroken, why_undecided, worst, wrapped,
};
