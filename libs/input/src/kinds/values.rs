//! Variables at one n: rows of values that a layout prints.

use crate::draw::earlier::Earlier;
use crate::draw::edges::Edges;
use crate::draw::span::Span;
use crate::draw::strings::{CharacterSink, Strings};
use crate::kinds::numbers::{Cells, Numbers};
use crate::kinds::pairs::Pairs;
use crate::kinds::queries::{DrawnQueries, History};
use crate::writer::InputWriter;
use std::io::{self, Write};

/// A variable at one n.
#[derive(Debug, Clone)]
pub(crate) enum Values {
    /// One number.
    One(i64),
    /// A number in each row.
    Numbers(Numbers),
    /// A number for each column in each row.
    Matrix(Cells),
    /// A string in each row.
    Strings(Strings),
    /// Two nodes or the parent of one in each row, and a weight if the edges have weights.
    Edges(Box<Edges>),
    /// Two numbers in each row.
    Pairs(Pairs),
    /// A query in each row.
    Queries(DrawnQueries),
}

/// State of a variable whose rows are written one after the other.
#[derive(Debug, Default)]
pub(crate) struct Cursor {
    edge: u64,
    history: History,
}

impl Values {
    /// The values as rows that others can print.
    pub(crate) fn earlier(&self) -> Option<Earlier> {
        match self {
            Values::Strings(strings) => Some(Earlier::Strings(strings.clone())),
            Values::Edges(edges) => Some(Earlier::Edges(edges.clone())),
            _ => None,
        }
    }

    /// Number of rows.
    pub(crate) fn count(&self) -> u64 {
        match self {
            Values::One(_) => 1,
            Values::Numbers(numbers) => numbers.len,
            Values::Matrix(cells) => cells.rows,
            Values::Strings(strings) => strings.rows,
            Values::Edges(edges) => edges.count,
            Values::Pairs(pairs) => pairs.len,
            Values::Queries(queries) => queries.len,
        }
    }

    /// Maximum number of bytes of all rows. Each value counts as the widest value of its range plus
    /// one separator. An empty row counts as one byte.
    pub(crate) fn bytes(&self) -> u64 {
        let row = match self {
            Values::One(value) => Span::one(*value).bytes(0),
            Values::Numbers(numbers) => numbers.bytes(),
            Values::Matrix(Cells { numbers, cols, .. }) => cols * numbers.bytes(),
            Values::Strings(strings) => strings.cols + 1,
            Values::Edges(edges) => edges.bytes(),
            Values::Pairs(pairs) => 2 * pairs.span.bytes(0),
            Values::Queries(queries) => queries.bytes(),
        };
        self.count().saturating_mul(row.max(1))
    }

    /// Writes the values of all rows to the current line.
    pub(crate) fn write_all<W: Write>(&self, out: &mut InputWriter<'_, W>) -> io::Result<()> {
        let mut cursor = Cursor::default();
        match self {
            Values::Numbers(numbers) => {
                numbers.each(|number| out.decimal(number, numbers.digits, numbers.decimals))
            }
            _ => (0..self.count()).try_for_each(|row| self.write(row, &mut cursor, out)),
        }
    }

    /// Writes the values of one row to the current line. `cursor` must be new at the first row, and
    /// must be kept from row to row.
    #[inline]
    pub(crate) fn write<W: Write>(
        &self,
        row: u64,
        cursor: &mut Cursor,
        out: &mut InputWriter<'_, W>,
    ) -> io::Result<()> {
        match self {
            Values::One(value) => out.number(*value, 0),
            Values::Numbers(numbers) => {
                out.decimal(numbers.number(row), numbers.digits, numbers.decimals)
            }
            Values::Matrix(cells) => (0..cells.cols)
                .try_for_each(|col| out.number(cells.number(row, col), cells.numbers.digits)),
            Values::Strings(strings) => strings.row(row, out),
            Values::Edges(edges) => {
                if let Some(parent) = edges.parent(row) {
                    out.number(parent, 0)?;
                } else {
                    let (from, to) = edges.edge(row, &mut cursor.edge);
                    out.number(from, 0)?;
                    out.number(to, 0)?;
                }
                edges.weight(row).map_or(Ok(()), |weight| out.number(weight, 0))
            }
            Values::Pairs(pairs) => {
                let (one, other) = pairs.pair(row);
                out.number(one, 0)?;
                out.number(other, 0)
            }
            Values::Queries(queries) => queries.write(row, &mut cursor.history, out),
        }
    }
}

impl<W: Write> CharacterSink<io::Result<()>> for &mut InputWriter<'_, W> {
    fn write(self, count: u64, byte_at: impl FnMut(u64) -> u8) -> io::Result<()> {
        self.characters(count, byte_at)
    }
}
