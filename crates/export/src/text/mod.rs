//! An ending for people: tables, plots, and one sentence.

mod allocations;
mod compile;
mod ending;
mod failure;
mod hotspots;
mod number;
mod plot;
mod quantity;
mod report;
mod sentence;
mod table;
mod words;

pub use number::{figure, readable};
pub use words::outcome_name;

use crate::{Ending, Palette};

/// The ending as text.
pub(crate) fn text(ending: &Ending, palette: &Palette) -> String {
    match ending {
        Ending::Report(report) => report::text(report, palette),
        Ending::Error(error) => ending::text(error, palette),
    }
}

#[cfg(test)]
mod tests;
