//! An ending as text for people: tables, plots, and a summary.

mod error;
mod layout;
mod palette;
mod quantity;
mod report;
mod sections;
mod summary;

pub use palette::Palette;

use crate::ending::Ending;

/// The ending as text.
pub(crate) fn text(ending: &Ending, palette: &Palette) -> String {
    match ending {
        Ending::Report(report) => report::text(report, palette),
        Ending::Error(error) => error::text(error, palette),
    }
}

#[cfg(test)]
mod tests;
