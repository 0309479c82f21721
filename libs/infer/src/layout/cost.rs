//! The cost of a reading, in halves of a word. The cheapest reading explains the samples with the
//! fewest words. A number that counts something costs less than one that does not.

use crate::layout::shape::{Count, Field, Shape, Width};

pub(crate) const PART: u32 = 2;
pub(crate) const USED_SCALAR: u32 = 2;
pub(crate) const UNUSED_SCALAR: u32 = 6;
pub(crate) const FREE_TEXT: u32 = 2;
pub(crate) const FREE_NUMBERS: u32 = 11;
pub(crate) const COLUMN: u32 = 1;
/// Pairs that mean something, such as edges, cost as much as two columns.
pub(crate) const PAIR: u32 = 2 * COLUMN;
/// A block of one row, whose count may be any number 1.
pub(crate) const CHANCE_ROW: u32 = 4;
/// Pairs that are read as a graph with loops or parallel edges.
pub(crate) const CHANCE_LOOPS: u32 = 2;
/// A tree that is read as a graph.
pub(crate) const CHANCE_TREE: u32 = 4;
/// Records whose first column has only a few small numbers, like the codes of operations.
pub(crate) const CHANCE_CODES: u32 = 4;
/// Free texts that all have the same length.
pub(crate) const CHANCE_LENGTH: u32 = 3;
/// A number of a query that could be a position.
pub(crate) const NUMBER: u32 = 4;
pub(crate) const POSITION: u32 = 1;
/// A reading is chosen if the difference between its cost and that of any other one is larger.
pub(crate) const MARGIN: u32 = 2;

/// The cost of a count. A sum costs more, because small numbers match it by chance.
pub(crate) fn count(count: Count) -> u32 {
    match count {
        Count::Scalar(_) => 1,
        Count::OneLess(_) => 5,
        Count::OneMore(_) | Count::Double(_) => 9,
        Count::Free => 0,
    }
}

/// The cost of a field without that of its scalar.
pub(crate) fn field(field: Field) -> u32 {
    match field {
        Field::Scalar => 0,
        Field::Text(Count::Free) => FREE_TEXT,
        Field::Numbers(Count::Free) => FREE_NUMBERS,
        Field::Text(of) | Field::Numbers(of) => 1 + count(of),
    }
}

impl Shape {
    /// The least cost of the shape, whatever it means.
    pub(crate) fn cost(&self) -> u32 {
        match self {
            Self::Line(fields) => {
                let scalars = fields.iter().filter(|field| **field == Field::Scalar).count();
                let scalars = u32::try_from(scalars).unwrap_or(u32::MAX);
                PART + scalars * USED_SCALAR + fields.iter().map(|one| field(*one)).sum::<u32>()
            }
            Self::Block { count: rows, width } => {
                PART + match *width {
                    Width::Columns(1) => count(*rows) + COLUMN,
                    // A tree has one edge less than nodes, so this sum is not a matter of chance.
                    Width::Columns(_) => 1 + PAIR,
                    Width::Numbers(cols) | Width::Characters(cols) => count(*rows) + count(cols),
                    Width::Operations => count(*rows),
                }
            }
            Self::Cases { count: cases, body } => {
                PART + count(*cases) + body.iter().map(Self::cost).sum::<u32>()
            }
        }
    }
}
