//! Figures of a report: constants of their messages, such as `v1::Figures::WALL_MS`. Each is
//! declared once, at its field in the .proto files; see `figure.proto`.

use crate::v1;

include!("../gen/figures.rs");

/// Field of a report that is a figure.
#[derive(Debug)]
pub struct Figure {
    /// Name in CSV, to which each column adds a statistic and the unit; empty if there is no
    /// column.
    pub column: &'static str,
    /// Symbol of the unit; empty if there is no unit.
    pub unit: &'static str,
    /// Title of the figure's column in the page's table of sizes; empty if there is no column.
    pub title: &'static str,
    /// Meaning, as one paragraph.
    pub meaning: &'static str,
}

/// Figure of a size, and the way to its value.
#[derive(Debug)]
pub struct SizeFigure {
    /// Name of the message that has the field.
    pub message: &'static str,
    /// Declaration of the field.
    pub figure: Figure,
    /// Whether the figure's columns in CSV come after all others.
    pub is_appended: bool,
    /// Reads the value.
    pub of: fn(&v1::SizeResult) -> Value<'_>,
}

/// Value of a figure; `None` if it was not measured.
#[derive(Debug, Clone, Copy)]
pub enum Value<'a> {
    /// Number.
    Number(Option<f64>),
    /// Whole number.
    Count(Option<u64>),
    /// Yes or no.
    Flag(Option<bool>),
    /// Statistics over the repetitions.
    Statistics(Option<&'a v1::Statistics>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figure_has_its_facts_from_its_field() {
        let Figure { column, unit, meaning, .. } = v1::Figures::RUN_DELAY_MS;
        assert_eq!((column, unit), ("run_delay", "ms"));
        assert!(meaning.starts_with("Run delay: time spent runnable"), "{meaning}");
    }

    #[test]
    fn meaning_is_the_first_paragraph() {
        let meaning = v1::SizeResult::RUNTIME_MS.meaning;
        assert!(meaning.ends_with("Infinite if the size did not end OK."), "{meaning}");
    }
}
