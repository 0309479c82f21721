//! Colours: on a terminal, unless `NO_COLOR` is set.

use anstyle::{AnsiColor, Style};
use std::env;
use std::io::{IsTerminal, stdout};

/// The styles of everything that is printed. Without colours each of them writes nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Palette {
    pub(crate) good: Style,
    pub(crate) bad: Style,
    pub(crate) caution: Style,
    pub(crate) heading: Style,
    pub(crate) mark: Style,
}

impl Palette {
    /// For stdout.
    pub(crate) fn of_stdout() -> Self {
        let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if stdout().is_terminal() && !refused { Self::coloured() } else { Self::default() }
    }

    pub(crate) fn coloured() -> Self {
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
