//! Large sizes: as large as a slow program can take. They grow as long as both programs are fast.

use std::time::Duration;

/// Largest size, which many tasks have.
const LARGEST: u64 = 100_000;
/// Time of a run above which no larger size is tried. The next size takes at most a few times as
/// long, unless the time grows like an exponential of n.
const FAST: Duration = Duration::from_millis(5);

/// Large sizes, each half as large again as the one before it.
#[derive(Debug, Clone, Default)]
pub(super) struct Large {
    sizes: Vec<u64>,
    /// Index of the size that is tried next.
    next: usize,
}

impl Large {
    /// The sizes above n, up to the bound of the task.
    pub(super) fn between(n: u64, bound: u64) -> Self {
        let sizes = std::iter::successors(Some(n), |n| n.checked_add(n / 2 + 1)).skip(1);
        Self { sizes: sizes.take_while(|n| *n <= LARGEST.min(bound)).collect(), next: 0 }
    }

    pub(super) fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    pub(super) fn next(&self) -> Option<u64> {
        self.sizes.get(self.next).copied()
    }

    /// Leaves out size `n` and all larger sizes.
    pub(super) fn keep_below(&mut self, n: u64) {
        self.sizes.retain(|size| *size < n);
        self.next = self.next.min(self.sizes.len().saturating_sub(1));
    }

    /// Records how long a run of size n took; `None` if it failed, so n is too large.
    pub(super) fn took(&mut self, n: u64, took: Option<Duration>) {
        match took {
            None => self.keep_below(n),
            Some(took) => {
                let is_last = self.next + 1 >= self.sizes.len();
                if took < FAST && self.next() == Some(n) && !is_last {
                    self.next += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_grow_while_runs_are_fast() {
        assert_eq!(Large::between(10, 30).sizes(), [16, 25]);
        let mut large = Large::between(10, u64::MAX);
        assert_eq!(large.sizes()[..4], [16, 25, 38, 58]);
        assert!(large.sizes().last().is_some_and(|last| (LARGEST / 2..=LARGEST).contains(last)));
        large.took(16, Some(Duration::from_millis(1)));
        large.took(25, Some(Duration::from_millis(8)));
        assert_eq!(large.next(), Some(25));
        large.took(25, None);
        assert_eq!((large.next(), large.sizes().len()), (Some(16), 1));
        large.keep_below(16);
        assert_eq!(large.next(), None);
    }
}
