//! One part of all samples and cases, as columns of numbers.

use crate::layout::sample::{Sample, Word};
use crate::layout::shape::{Count, Field, Scope, Shape};
use crate::limits::MAX_READINGS;

/// The part `index` of a fit, in all scopes.
pub(crate) struct PartView<'f> {
    pub(crate) samples: &'f [Sample],
    pub(crate) scopes: &'f [Scope],
    pub(crate) shapes: &'f [Shape],
    pub(crate) index: usize,
}

impl<'f> PartView<'f> {
    /// The part's lines in each scope.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (&'f Scope, &'f [Vec<Word>])> {
        let (samples, index) = (self.samples, self.index);
        self.scopes
            .iter()
            .map(move |scope| (scope, &samples[scope.sample].lines[scope.parts[index].clone()]))
    }

    /// The numbers of one column in each scope.
    pub(crate) fn column(&self, column: usize) -> Vec<Vec<i64>> {
        let number = |row: &Vec<Word>| row.get(column).and_then(|word| word.number);
        self.blocks().map(|(_, rows)| rows.iter().filter_map(number).collect()).collect()
    }

    /// The pairs of numbers in two neighbouring columns, in each scope.
    pub(crate) fn pairs(&self, first: usize) -> Vec<Vec<(i64, i64)>> {
        let columns = self.column(first).into_iter().zip(self.column(first + 1));
        columns.map(|(from, to)| from.into_iter().zip(to).collect()).collect()
    }

    /// Whether this scalar is the number of values in an earlier part.
    pub(crate) fn counts_earlier(&self, scalar: usize) -> bool {
        let wanted = Count::Scalar(scalar);
        self.shapes[..self.index].iter().any(|shape| {
            match shape {
            Shape::Line(fields) => fields.iter().any(|field| {
                matches!(field, Field::Text(count) | Field::Numbers(count) if *count == wanted)
            }),
            Shape::Block { count, .. } => *count == wanted,
            Shape::Cases { .. } => false,
        }
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
