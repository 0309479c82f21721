//! Sets of scalars.

use crate::limits::{MAX_FIELDS, MAX_PARTS};

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
