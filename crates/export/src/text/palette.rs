//! The styles of a text.

use anstyle::{AnsiColor, Style};

/// The styles of printed text. The default has no colours: its styles write nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Palette {
    /// Good results.
    pub good: Style,
    /// Failures.
    pub bad: Style,
    /// Warnings.
    pub caution: Style,
    /// Titles.
    pub heading: Style,
    /// Drawn data.
    pub mark: Style,
}

impl Palette {
    /// Makes a palette with colours.
    pub fn coloured() -> Self {
        let colour = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
        Self {
            good: colour(AnsiColor::Green),
            bad: colour(AnsiColor::Red),
            caution: colour(AnsiColor::Yellow),
            heading: Style::new().bold(),
            mark: colour(AnsiColor::Cyan),
        }
    }
}
