//! Variables at one n: rows of values, which a layout prints.

use crate::at::At;
use crate::edges::Edges;
use crate::expression::Code;
use crate::fields::Fields;
use crate::letters::{Letters, Writer};
use crate::numbers::Numbers;
use crate::out::Out;
use crate::plane::Pairs;
use crate::queries::Asked;
use crate::span::Span;
use crate::spec::Kind;
use std::io::{self, Write};

/// A variable at one n.
#[derive(Debug, Clone)]
pub(crate) enum Rows<'p> {
    /// One number.
    One(i64),
    /// A number in each row.
    Numbers(Numbers),
    /// So many rows of so many numbers.
    Matrix(Numbers, u64, u64),
    /// A string in each row.
    Letters(Letters<'p>),
    /// Two nodes, and perhaps a weight.
    Edges(Edges),
    /// Two numbers.
    Pairs(Pairs),
    /// A query.
    Queries(Asked<'p>),
}

impl Rows<'_> {
    /// How many rows there are.
    pub(crate) fn count(&self) -> u64 {
        match self {
            Rows::One(_) => 1,
            Rows::Numbers(numbers) => numbers.len,
            Rows::Matrix(_, rows, _) => *rows,
            Rows::Letters(letters) => letters.rows,
            Rows::Edges(edges) => edges.count,
            Rows::Pairs(pairs) => pairs.len,
            Rows::Queries(queries) => queries.len,
        }
    }

    /// Bytes of all rows, at most: for each value as many as the widest of its range has, and one behind it;
    /// and for an empty row one.
    pub(crate) fn bytes(&self) -> u64 {
        let row = match self {
            Rows::One(value) => Span::one(*value).bytes(0),
            Rows::Numbers(numbers) => numbers.span.bytes(numbers.digits),
            Rows::Matrix(numbers, _, cols) => cols * numbers.span.bytes(numbers.digits),
            Rows::Letters(letters) => letters.cols + 1,
            Rows::Edges(edges) => edges.bytes(),
            Rows::Pairs(pairs) => 2 * pairs.span.bytes(0),
            Rows::Queries(queries) => queries.bytes(),
        };
        self.count().saturating_mul(row.max(1))
    }

    /// The values of all rows, as values of the line.
    pub(crate) fn write_all<W: Write>(&self, out: &mut Out<'_, W>) -> io::Result<()> {
        let mut cursor = 0;
        match self {
            Rows::Numbers(numbers) => numbers.each(|number| out.number(number, numbers.digits)),
            _ => (0..self.count()).try_for_each(|row| self.write(row, &mut cursor, out)),
        }
    }

    /// The values of a row, as values of the line. `cursor` is 0 at the first row, and kept between rows.
    #[inline]
    pub(crate) fn write<W: Write>(
        &self,
        row: u64,
        cursor: &mut u64,
        out: &mut Out<'_, W>,
    ) -> io::Result<()> {
        match self {
            Rows::One(value) => out.number(*value, 0),
            Rows::Numbers(numbers) => out.number(numbers.at(row), numbers.digits),
            Rows::Matrix(numbers, _, cols) => (row * cols..(row + 1) * cols)
                .try_for_each(|i| out.number(numbers.at(i), numbers.digits)),
            Rows::Letters(letters) => letters.row(row, out),
            Rows::Edges(edges) => {
                let (from, to) = edges.at(row, cursor);
                out.number(from, 0)?;
                out.number(to, 0)?;
                edges.weight(row).map_or(Ok(()), |weight| out.number(weight, 0))
            }
            Rows::Pairs(pairs) => {
                let (one, other) = pairs.at(row);
                out.number(one, 0)?;
                out.number(other, 0)
            }
            Rows::Queries(queries) => queries.write(row, out),
        }
    }
}

impl<W: Write> Writer<io::Result<()>> for &mut Out<'_, W> {
    fn write(self, count: u64, of: impl FnMut(u64) -> u8) -> io::Result<()> {
        self.characters(count, of)
    }
}

impl Kind {
    /// Its name in a path.
    pub(crate) fn field(&self) -> &'static str {
        match self {
            Kind::Scalar(_) => "scalar",
            Kind::Array(_) => "array",
            Kind::Permutation(_) => "permutation",
            Kind::Matrix(_) => "matrix",
            Kind::Grid(_) => "grid",
            Kind::Text(_) => "text",
            Kind::Tree(_) => "tree",
            Kind::Graph(_) => "graph",
            Kind::Points(_) => "points",
            Kind::Intervals(_) => "intervals",
            Kind::Queries(_) => "queries",
        }
    }

    /// With its expressions read.
    pub(crate) fn read(&self, fields: &mut Fields<'_>) -> Kind<Code> {
        match self {
            Kind::Scalar(scalar) => Kind::Scalar(scalar.read(fields)),
            Kind::Array(array) => Kind::Array(array.read(fields)),
            Kind::Permutation(permutation) => Kind::Permutation(permutation.read(fields)),
            Kind::Matrix(matrix) => Kind::Matrix(matrix.read(fields)),
            Kind::Grid(grid) => Kind::Grid(grid.read(fields)),
            Kind::Text(text) => Kind::Text(text.read(fields)),
            Kind::Tree(tree) => Kind::Tree(tree.read(fields)),
            Kind::Graph(graph) => Kind::Graph(graph.read(fields)),
            Kind::Points(points) => Kind::Points(points.read(fields)),
            Kind::Intervals(intervals) => Kind::Intervals(intervals.read(fields)),
            Kind::Queries(queries) => Kind::Queries(queries.read(fields)),
        }
    }
}

impl Kind<Code> {
    /// The variable at one n. A scalar does not go above `bound`.
    pub(crate) fn at<'p>(&'p self, at: &mut At<'_>, bound: Option<i64>) -> Option<Rows<'p>> {
        match self {
            Kind::Scalar(scalar) => {
                let (value, most) = scalar.at(at)?;
                match bound {
                    Some(bound) if most > bound => {
                        let problem = format_args!("{most} is above the task's bound of {bound}");
                        at.refuse("", problem)
                    }
                    _ => Some(Rows::One(value)),
                }
            }
            Kind::Array(array) => array.at(at).map(Rows::Numbers),
            Kind::Permutation(permutation) => permutation.at(at).map(Rows::Numbers),
            Kind::Matrix(matrix) => {
                matrix.at(at).map(|(numbers, rows, cols)| Rows::Matrix(numbers, rows, cols))
            }
            Kind::Grid(grid) => grid.at(at).map(Rows::Letters),
            Kind::Text(text) => text.at(at).map(Rows::Letters),
            Kind::Tree(tree) => tree.at(at).map(Rows::Edges),
            Kind::Graph(graph) => graph.at(at).map(Rows::Edges),
            Kind::Points(points) => points.at(at).map(Rows::Pairs),
            Kind::Intervals(intervals) => intervals.at(at).map(Rows::Pairs),
            Kind::Queries(queries) => queries.at(at).map(Rows::Queries),
        }
    }
}
