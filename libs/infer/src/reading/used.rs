//! Sets of scalars.

use crate::layout::shape::{Count, Scope};
use crate::limits::{MAX_FIELDS, MAX_PARTS};
use crate::reading::cost::{self, Cost};

const _: () = assert!(MAX_PARTS * MAX_FIELDS <= u64::BITS as usize, "a bit for each scalar");

/// The scalars that something uses, by their indexes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct Used(u64);

impl Used {
    pub(crate) fn contains(self, scalar: usize) -> bool {
        self.0 >> scalar & 1 == 1
    }

    pub(crate) fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn first(self) -> Option<usize> {
        (!self.is_empty()).then_some(self.0.trailing_zeros() as usize)
    }

    /// The first scalar that is not used.
    pub(crate) fn next(self) -> usize {
        self.0.trailing_ones() as usize
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        (0..u64::BITS as usize).filter(move |scalar| self.contains(*scalar))
    }
}

impl FromIterator<usize> for Used {
    fn from_iter<T: IntoIterator<Item = usize>>(scalars: T) -> Self {
        Self(scalars.into_iter().fold(0, |used, scalar| used | 1 << scalar))
    }
}

/// The cost of the scalars that count nothing. It is higher for a scalar that is by chance the
/// number of lines of a part.
pub(crate) fn cost_of_unused(used: Used, scopes: &[Scope]) -> Cost {
    let first = used.first().unwrap_or_default();
    let scalars = scopes.first().map_or(0, |scope| scope.scalars.len());
    let cost = |scalar: usize| {
        let lines = is_number_of_lines(scalar, scopes);
        let chance = if lines { cost::times(scopes.len(), cost::LINES_BY_CHANCE) } else { 0 };
        chance + if scalar < first { cost::UNUSED_FIRST } else { cost::UNUSED }
    };
    (0..scalars).filter(|scalar| !used.contains(*scalar)).map(cost).sum()
}

/// Whether a part has as many lines in every scope as the scalar says.
fn is_number_of_lines(scalar: usize, scopes: &[Scope]) -> bool {
    let parts = scopes.first().map_or(0, |scope| scope.parts.len());
    let has = |part: usize, scope: &Scope| {
        Count::Scalar(scalar).value(&scope.scalars) == Some(scope.parts[part].len())
    };
    let long = |part: usize| scopes.iter().any(|scope| scope.parts[part].len() > 1);
    (0..parts).any(|part| long(part) && scopes.iter().all(|scope| has(part, scope)))
}
