//! The cost of a reading, in halves of a word. The cheapest reading explains the samples with the
//! fewest words. A number that counts something costs less than a number that does not.

use crate::layout::shape::{Count, Field, Shape, Width};

pub(crate) const PART: u32 = 2;
pub(crate) const USED_SCALAR: u32 = 2;
pub(crate) const UNUSED_SCALAR: u32 = 6;
pub(crate) const FREE_TEXT: u32 = 2;
pub(crate) const FREE_NUMBERS: u32 = 11;
pub(crate) const COLUMN: u32 = 1;
/// Pairs that mean something, such as edges, cost as much as two columns.
pub(crate) const PAIR: u32 = 2 * COLUMN;
/// Extra cost of a block of one row, because any number 1 can be its count.
pub(crate) const CHANCE_ROW: u32 = 4;
/// Extra cost of reading pairs as a graph with loops or parallel edges.
pub(crate) const CHANCE_LOOPS: u32 = 2;
/// Extra cost of reading a tree as a graph.
pub(crate) const CHANCE_TREE: u32 = 4;
/// Extra cost of plain records whose first column has only a few small numbers, like the codes of
/// operations.
pub(crate) const CHANCE_CODES: u32 = 4;
/// Extra cost of cases that are texts of free length, if all texts have the same length.
pub(crate) const CHANCE_LENGTH: u32 = 3;
/// Cost of a number in a query that is not read as a position.
pub(crate) const NUMBER: u32 = 4;
pub(crate) const POSITION: u32 = 1;
/// A reading is chosen only if the cost of every other reading is higher by more than this.
pub(crate) const MARGIN: u32 = 2;

/// The cost of a count. A count that is computed from a scalar costs more, because small numbers
/// match it by chance.
pub(crate) fn count(count: Count) -> u32 {
    match count {
        Count::Scalar(_) => 1,
        Count::OneLess(_) => 5,
        Count::OneMore(_) | Count::Double(_) => 9,
        Count::Free => 0,
    }
}

/// The cost of a field. A scalar's own cost is added elsewhere.
pub(crate) fn field(field: Field) -> u32 {
    match field {
        Field::Scalar => 0,
        Field::Text(Count::Free) => FREE_TEXT,
        Field::Numbers(Count::Free) => FREE_NUMBERS,
        Field::Text(of) | Field::Numbers(of) => 1 + count(of),
    }
}

impl Shape {
    /// The minimum cost of the shape over all its meanings.
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
                    // A tree has one edge less than nodes, so a count that is 1 less than a scalar
                    // is no coincidence here.
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
