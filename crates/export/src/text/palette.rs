//! The styles of a text.

use anstyle::{AnsiColor, Style};

/// The styles of everything that is printed. Without colours, as by default, each of them writes nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Palette {
    /// What is well.
    pub good: Style,
    /// What failed.
    pub bad: Style,
    /// What to beware of.
    pub caution: Style,
    /// Titles.
    pub heading: Style,
    /// What is drawn.
    pub mark: Style,
}

impl Palette {
    /// With colours.
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
