//! The rows of a variable that others refer to.

use crate::draw::edges::Edges;
use crate::draw::strings::{CharacterSink, Strings};
use crate::writer::InputWriter;
use std::io::{self, Write};

/// A variable whose rows others can print, at one n.
#[derive(Debug, Clone)]
pub(crate) enum Earlier {
    Strings(Strings),
    Edges(Box<Edges>),
}

impl Earlier {
    pub(crate) fn rows(&self) -> u64 {
        match self {
            Self::Strings(strings) => strings.rows,
            Self::Edges(edges) => edges.count,
        }
    }

    /// Maximum number of bytes of a row.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Strings(strings) => strings.cols + 1,
            Self::Edges(edges) => edges.bytes(),
        }
    }

    /// Writes a row. The rows of edges must be written in their order, with one `cursor`.
    pub(crate) fn row<'o, 'w, W: Write>(
        &self,
        row: u64,
        cursor: &mut u64,
        out: &'o mut InputWriter<'w, W>,
    ) -> io::Result<()>
    where
        &'o mut InputWriter<'w, W>: CharacterSink<io::Result<()>>,
    {
        match self {
            Self::Strings(strings) => strings.row(row, out),
            Self::Edges(edges) => {
                let (from, to) = edges.edge(row, cursor);
                out.number(from, 0)?;
                out.number(to, 0)
            }
        }
    }
}
