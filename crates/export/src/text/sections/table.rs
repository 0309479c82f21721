//! Tables that fit the terminal.

use comfy_table::presets::{NOTHING, UTF8_FULL_CONDENSED};
use comfy_table::{CellAlignment, ContentArrangement};

/// Style of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// Lines around and between the columns.
    Lines,
    /// Two blanks between the columns.
    Blanks,
}

/// A column of a table.
#[derive(Debug, Clone)]
pub struct Column {
    /// Its title.
    pub title: &'static str,
    /// Whether it has words, which are aligned to the left. Numbers are aligned to the right.
    pub words: bool,
    /// Place in the order in which columns are left out on a narrow terminal; `None` if the column
    /// always stays. Columns with the same place are left out together.
    pub gives_way: Option<u8>,
    /// Its cells below the title.
    pub cells: Vec<String>,
}

/// A table with as many columns as there is room for.
#[derive(Debug, Clone)]
pub struct Table {
    frame: Frame,
    columns: Vec<Column>,
    left_out: Vec<&'static str>,
}

impl Frame {
    /// The columns of the terminal that a column takes in addition to its text.
    fn around_column(self) -> usize {
        match self {
            Self::Lines => 3,
            Self::Blanks => 2,
        }
    }

    /// The columns of the terminal that `columns` take.
    fn width(self, columns: &[Column]) -> usize {
        let all: usize = columns.iter().map(|it| it.text_width() + self.around_column()).sum();
        match self {
            Self::Lines => all + 1,
            Self::Blanks => all.saturating_sub(self.around_column()),
        }
    }
}

impl Column {
    /// Makes a column of numbers that always stays.
    pub fn numbers(title: &'static str, cells: impl IntoIterator<Item = String>) -> Self {
        let cells = cells.into_iter().collect();
        Self { title, words: false, gives_way: None, cells }
    }

    /// Makes a column of words that always stays.
    pub fn words(title: &'static str, cells: impl IntoIterator<Item = String>) -> Self {
        Self { words: true, ..Self::numbers(title, cells) }
    }

    fn text_width(&self) -> usize {
        let cells = self.cells.iter().map(|cell| cell.chars().count());
        cells.fold(self.title.chars().count(), usize::max)
    }
}

impl Table {
    /// Builds the table of the columns that fit into `width` columns of the terminal.
    pub fn fitted(frame: Frame, mut columns: Vec<Column>, width: Option<usize>) -> Self {
        let mut left_out = Vec::new();
        while width.is_some_and(|width| frame.width(&columns) > width) {
            let Some(place) = columns.iter().filter_map(|column| column.gives_way).min() else {
                break;
            };
            let gives_way = |column: &mut Column| column.gives_way == Some(place);
            left_out.extend(columns.extract_if(.., gives_way).map(|column| column.title));
        }
        Self { frame, columns, left_out }
    }

    /// The titles of the columns that a narrow terminal has no room for.
    pub fn left_out(&self) -> &[&'static str] {
        &self.left_out
    }

    /// Names the columns that are left out, and the option that shows them.
    pub fn note(&self, see: &str) -> Option<String> {
        let titles = self.left_out.join(", ");
        (!titles.is_empty()).then(|| format!("not shown: {titles}; see {see}"))
    }

    /// The lines of the table, without colours.
    pub fn lines(&self) -> Vec<String> {
        let rows = self.columns.iter().map(|column| column.cells.len()).max().unwrap_or(0);
        let row = |at: usize| {
            self.columns.iter().map(move |it| it.cells.get(at).map_or("", String::as_str))
        };
        let mut table = comfy_table::Table::new();
        table
            .load_style(match self.frame {
                Frame::Lines => UTF8_FULL_CONDENSED,
                Frame::Blanks => NOTHING,
            })
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(self.columns.iter().map(|column| column.title))
            .add_rows((0..rows).map(row));
        for (column, drawn) in self.columns.iter().zip(table.column_iter_mut()) {
            if self.frame == Frame::Blanks {
                drawn.set_padding((0, 2));
            }
            if !column.words {
                drawn.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.lines().map(|line| line.trim_end().to_owned()).collect()
    }
}
