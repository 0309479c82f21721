//! One part of all samples and cases, as columns of numbers.

use crate::layout::sample::{Sample, Word};
use crate::layout::shape::{Count, Field, Scope, Shape, Width};
use crate::limits::MAX_READINGS;
use crate::reading::content::{Content, Part};
use crate::reading::cost::{self, Cost};
use std::collections::BTreeSet;

/// The part `index` of a fit, in all scopes.
pub(crate) struct PartView<'f> {
    pub(crate) samples: &'f [Sample],
    pub(crate) scopes: &'f [Scope],
    pub(crate) shapes: &'f [Shape],
    pub(crate) index: usize,
    /// The meanings of every earlier part, the cheapest first.
    pub(crate) earlier: &'f [Vec<Part>],
}

/// A row of a part, with the scope that it is in.
pub(crate) type Row<'f> = (&'f Scope, &'f [Word]);

impl<'f> PartView<'f> {
    /// The part's lines in each scope.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (&'f Scope, &'f [Vec<Word>])> {
        let (samples, index) = (self.samples, self.index);
        self.scopes
            .iter()
            .map(move |scope| (scope, &samples[scope.sample].lines[scope.parts[index].clone()]))
    }

    /// The part's lines.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'f>> {
        self.blocks().flat_map(|(scope, rows)| rows.iter().map(move |row| (scope, row.as_slice())))
    }

    /// The numbers of one column in each scope.
    pub(crate) fn column(&self, column: usize) -> Vec<Vec<i64>> {
        let number = |row: &Vec<Word>| row.get(column).and_then(|word| word.number);
        self.blocks().map(|(_, rows)| rows.iter().filter_map(number).collect()).collect()
    }

    /// The pairs of numbers in the first two columns, in each scope.
    pub(crate) fn pairs(&self) -> Vec<Vec<(i64, i64)>> {
        let columns = self.column(0).into_iter().zip(self.column(1));
        columns.map(|(from, to)| from.into_iter().zip(to).collect()).collect()
    }

    /// Whether this scalar is the number of values in an earlier part.
    pub(crate) fn counts_earlier(&self, scalar: usize) -> bool {
        let is_it = |count: &Count| *count == Count::Scalar(scalar);
        self.shapes[..self.index].iter().any(|shape| match shape {
            Shape::Line(fields) => fields.iter().any(|field| match field {
                Field::Scalar => false,
                Field::Text(count) | Field::Numbers(count) => is_it(count),
            }),
            Shape::Block { count, width } => width.is_records() && is_it(count),
            Shape::Cases { .. } => false,
        })
    }

    /// Whether this scalar is the number of rows or columns of an earlier matrix or grid.
    pub(crate) fn counts_cells(&self, scalar: usize) -> bool {
        let is_it = |count: &Count| *count == Count::Scalar(scalar);
        self.shapes[..self.index].iter().any(|shape| {
            matches!(shape,
                Shape::Block { count, width: Width::Numbers(cols) | Width::Characters(cols) }
                    if is_it(count) || is_it(cols))
        })
    }

    /// The cost of naming a scalar. The scalars of most inputs begin to count in their order. The
    /// first one also counts values on lines, and positions; records have a count of their own.
    pub(crate) fn name(&self, scalar: usize, of_records: bool) -> Cost {
        let parts = self.earlier.iter().filter_map(|part| part.first());
        let used: BTreeSet<usize> = parts.flat_map(|part| part.used.clone()).collect();
        let is_first = *used.first().unwrap_or(&0) == scalar;
        let is_next = (0..).find(|scalar| !used.contains(scalar)) == Some(scalar);
        match (is_first, is_next, of_records) {
            (true, _, false) | (_, true, true) => 0,
            (_, true, false) => cost::NEXT,
            _ => cost::OUT_OF_ORDER,
        }
    }

    /// The cost of the count of records.
    pub(crate) fn rows_cost(&self, count: Count) -> Cost {
        cost::rows(count) + count.scalar().map_or(0, |scalar| self.name(scalar, true))
    }

    /// The cost of the count of rows or columns of a matrix or grid.
    pub(crate) fn cells_cost(&self, count: Count) -> Cost {
        cost::rows(count) + count.scalar().map_or(0, |scalar| self.name(scalar, false))
    }

    /// The cost of the count of values on a line.
    pub(crate) fn values_cost(&self, count: Count) -> Cost {
        cost::values(count) + count.scalar().map_or(0, |scalar| self.name(scalar, false))
    }

    /// Whether this scalar is the length of a text on an earlier line.
    pub(crate) fn counts_text(&self, scalar: usize) -> bool {
        self.shapes[..self.index].iter().any(|shape| {
            matches!(shape, Shape::Line(fields)
                if fields.contains(&Field::Text(Count::Scalar(scalar))))
        })
    }

    /// Whether this scalar is the number of nodes that earlier edges join.
    pub(crate) fn counts_nodes(&self, scalar: usize) -> bool {
        self.earlier.iter().filter_map(|meanings| meanings.first()).any(|part| {
            matches!(&part.content, Content::Tree(nodes) | Content::Graph { nodes, .. }
                if nodes.count == scalar)
        })
    }

    /// Whether an earlier part has edges.
    pub(crate) fn has_edges(&self) -> bool {
        self.earlier.iter().filter_map(|meanings| meanings.first()).any(|part| {
            matches!(&part.content, Content::Tree(_) | Content::Graph { .. })
        })
    }
}

/// The Cartesian product of the lists: every way to choose one element from each list, up to
/// [`MAX_READINGS`] ways.
pub(crate) fn products<T: Clone>(options: &[Vec<T>]) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    for choices in options {
        all = all
            .iter()
            .flat_map(|chosen: &Vec<T>| {
                choices.iter().map(move |one| {
                    let mut next = chosen.clone();
                    next.push(one.clone());
                    next
                })
            })
            .take(MAX_READINGS)
            .collect();
    }
    all
}
