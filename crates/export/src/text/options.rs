//! Options of a printed text.

use super::palette::Palette;

/// Options of a printed text. By default, it has no colours, and tables have their full width.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextOptions {
    /// The colours.
    pub palette: Palette,
    /// The columns of the terminal. Wider tables lose their least important columns, and plots
    /// become narrower.
    pub width: Option<usize>,
    /// Whether the columns of tables are explained.
    pub explain: bool,
    /// Whether a program that does not compile gets all that the compiler said.
    pub full_diagnostics: bool,
}
