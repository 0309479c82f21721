//! Numbers that drive a known algorithm to its worst case.

use crate::draw::span::Span;

/// The rank, counted from 0, at position i of a permutation of `len` numbers that makes a
/// median-of-three quicksort quadratic. Source: Musser, Introspective Sorting and Selection
/// Algorithms, 1997.
///
/// In the first half, the number at an even position is the smallest of the numbers that are left
/// when it is reached. From the middle on, each number is then the second smallest. So each
/// partition removes only two numbers, until half of the numbers are left. Musser's paper takes the
/// upper middle of an even count. Here it is the lower middle, `(first + last) / 2`, as in most
/// textbooks.
///
/// Comparisons for 8,000 numbers, divided by n²: Hoare's partition makes 0.19 to 0.22, with the
/// pivot kept as a value, at the front, or hidden before the end. Lomuto's partition makes as many,
/// with the pivot at the end or at the front. Quicksorts over half-open ranges use the upper middle
/// and make 0.10 at even n, and 0.19 at odd n. The partition of libstdc++ takes its three numbers
/// from other positions. `std::sort` makes 0.08, because it switches to heap sort in time. A random
/// order takes 0.002. Equal numbers weaken the effect.
#[inline]
pub(crate) fn killer(len: u64, i: u64) -> u64 {
    let middle = (len - 1) / 2;
    let steps = middle.div_ceil(2);
    if i < middle {
        if i.is_multiple_of(2) { i } else { 2 * steps + i / 2 }
    } else if i < middle + steps {
        2 * (i - middle) + 1
    } else {
        2 * steps + middle / 2 + (i - middle - steps)
    }
}

/// The rank, counted from 0, at position i of a permutation of `len` numbers that makes a quicksort
/// quadratic if its pivot is the middle number. The middle number of each part is the largest of
/// the part.
///
/// Hoare's and Lomuto's partitions make n² / 2 comparisons if they use the lower middle, `(first +
/// last) / 2`. Quicksorts over half-open ranges use the upper middle. For them this order is no
/// worse than a random one.
///
/// The permutation is the sorted order after `swap(a[i], a[i / 2])` for i = 2, 3 and so on. Swap i
/// moves the largest of the first i + 1 numbers to their middle. Undoing the swaps, from the last
/// to the first, gives the rank at a position.
#[inline]
pub(crate) fn middle_killer(len: u64, i: u64) -> u64 {
    match i {
        0 => 0,
        _ if 2 * i + 1 < len => 2 * i + 1,
        _ if 2 * i < len => 2 * i,
        _ => match i >> i.trailing_zeros() {
            1 => 1,
            odd => odd - 1,
        },
    }
}

/// Bucket counts that an unordered container of libstdc++ has in turn while keys are inserted one
/// by one. The container grows when it has as many keys as buckets. The counts are the same in GCC
/// 8 to 14; they were measured with GCC 12.
pub(crate) const BUCKETS: [u64; 23] = [
    13,
    29,
    59,
    127,
    257,
    541,
    1_109,
    2_357,
    5_087,
    10_273,
    20_753,
    42_043,
    85_229,
    172_933,
    351_061,
    712_697,
    1_447_153,
    2_938_679,
    5_967_347,
    12_117_689,
    24_607_243,
    49_969_847,
    101_473_717,
];

/// Keys that all fall into one bucket: multiples of a bucket count that the container will have. In
/// libstdc++ the hash of a whole number is the number itself, and its bucket is the hash modulo the
/// bucket count. When no new multiple is left, keys are repeated, starting with the keys at the end
/// of the bucket. If no key may be repeated, other numbers follow instead.
///
/// This makes an `unordered_map` or `unordered_set` of whole numbers slow if it grows by itself. It
/// has no effect on a container whose size was set by `reserve`, on another hash, or on another
/// library.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Collisions {
    span: Span,
    buckets: u64,
    /// Distance of the first multiple from the smallest number of the span.
    first: u64,
    /// Number of multiples that are used.
    keys: u64,
    /// Repeated keys are the `repeated` multiples before this index.
    deepest: u64,
    repeated: u64,
    distinct: bool,
}

impl Collisions {
    pub(crate) fn new(span: Span, len: u64, distinct: bool) -> Self {
        let mut best = (0, Self::with(span, len, distinct, 1, BUCKETS[0]));
        let mut least = 1;
        for buckets in BUCKETS {
            let candidate = Self::with(span, len, distinct, least, buckets);
            best = if candidate.work(len, least) > best.0 {
                (candidate.work(len, least), candidate)
            } else {
                best
            };
            least = buckets + 1;
        }
        best.1
    }

    /// Keys that are multiples of one bucket count. The container reaches this count at `least`
    /// keys.
    fn with(span: Span, len: u64, distinct: bool, least: u64, buckets: u64) -> Self {
        let (modulus, offset) = (i128::from(buckets), i128::from(span.min));
        let first = u64::try_from((-offset).rem_euclid(modulus)).unwrap_or(0);
        let multiples = span.width.checked_sub(first).map_or(0, |room| room / buckets + 1);
        let keys = multiples.min(buckets).min(len);
        // A rehash reverses the order in a bucket: the last key inserted before the rehash is now
        // at the end. Later keys are inserted at the front.
        let deepest = (least - 1).min(keys);
        let repeated = (keys / 16).max(1);
        let deepest = if deepest == 0 { repeated.min(keys) } else { deepest };
        Self { span, buckets, first, keys, deepest, repeated: repeated.min(deepest), distinct }
    }

    /// Approximate number of keys that the container compares while `len` keys are inserted.
    fn work(&self, len: u64, least: u64) -> u128 {
        let (keys, least) = (u128::from(self.keys), u128::from(least));
        if keys < least {
            return 0;
        }
        let again = if self.distinct { 0 } else { u128::from(len) - keys };
        (keys * keys - least * least) / 2 + again * keys
    }

    /// Key i.
    #[inline]
    pub(crate) fn key(&self, i: u64) -> i64 {
        if i < self.keys {
            return self.span.number(self.first + i * self.buckets);
        }
        if self.distinct {
            return self.other(i);
        }
        if self.keys == 0 {
            return self.span.number(i % (self.span.width.saturating_add(1)));
        }
        let again = self.deepest - 1 - (i - self.keys) % self.repeated;
        self.span.number(self.first + again * self.buckets)
    }

    /// Key i, beyond the multiples, if no key may be repeated. These keys are the unused numbers of
    /// the span, in order.
    fn other(&self, i: u64) -> i64 {
        let j = i - self.keys;
        let used_before = match j.checked_sub(self.first) {
            None => 0,
            // Between two multiples there are `buckets - 1` numbers.
            Some(above) => (above / (self.buckets - 1) + 1).min(self.keys),
        };
        self.span.number(j + used_before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn killer_is_an_order_of_all_ranks() {
        for len in 1..200 {
            let ranks: BTreeSet<u64> = (0..len).map(|i| killer(len, i)).collect();
            assert!(ranks.iter().copied().eq(0..len), "{len}");
        }
    }

    /// Variant of quicksort: its ranges and its partition.
    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Form {
        /// Hoare's partition, both ends inclusive, by the value of the lower middle.
        Hoare,
        /// The same, by the value of the upper middle.
        HoareUpper,
        /// Lomuto's partition; the lower middle is moved to the end first.
        Lomuto,
    }

    /// Comparisons that a quicksort makes.
    fn comparisons(form: Form, numbers: &mut [u64]) -> u64 {
        let len = numbers.len();
        if len < 2 {
            return 0;
        }
        let middle = if form == Form::HoareUpper { len / 2 } else { (len - 1) / 2 };
        let pivot = numbers[middle];
        if form == Form::Lomuto {
            numbers.swap(middle, len - 1);
            let mut end = 0;
            for i in 0..len - 1 {
                if numbers[i] < pivot {
                    numbers.swap(i, end);
                    end += 1;
                }
            }
            numbers.swap(end, len - 1);
            let (low, high) = numbers.split_at_mut(end);
            return len as u64 - 1 + comparisons(form, low) + comparisons(form, &mut high[1..]);
        }
        // What is left lies from i on, and before `end`.
        let (mut i, mut end, mut made) = (0, len, 0);
        while i < end {
            while numbers[i] < pivot {
                (i, made) = (i + 1, made + 1);
            }
            while numbers[end - 1] > pivot {
                (end, made) = (end - 1, made + 1);
            }
            made += 2;
            if i < end {
                numbers.swap(i, end - 1);
                (i, end) = (i + 1, end - 1);
            }
        }
        made += comparisons(form, &mut numbers[i..]);
        made + comparisons(form, &mut numbers[..end])
    }

    #[test]
    fn middle_killer_is_an_order_of_all_ranks() {
        for len in 0..200 {
            let mut swapped: Vec<u64> = (0..len).collect();
            (2..swapped.len()).for_each(|i| swapped.swap(i, i / 2));
            let ranks: Vec<u64> = (0..len).map(|i| middle_killer(len, i)).collect();
            assert_eq!(ranks, swapped, "{len}");
        }
    }

    #[test]
    fn quicksorts_by_the_middle_are_quadratic() {
        let len = 1000;
        let made = |form| {
            let mut numbers: Vec<u64> = (0..len).map(|i| middle_killer(len, i)).collect();
            let made = comparisons(form, &mut numbers);
            assert!(numbers.is_sorted());
            made
        };
        let half = len * len / 2;
        assert!((half - 4 * len..half + 4 * len).contains(&made(Form::Hoare)));
        assert!((half - 4 * len..half + 4 * len).contains(&made(Form::Lomuto)));
        assert!(made(Form::HoareUpper) < half / 20, "no worse than a random order");
    }

    #[test]
    fn keys_stay_within_their_range_and_are_distinct_if_asked_for() {
        for (min, max) in [(0, 99), (-50, 49), (5, 2000), (1, 1_000_000_000)] {
            let span = Span::new(min, max).unwrap();
            let len = (span.width + 1).min(3000);
            for distinct in [false, true] {
                let keys = Collisions::new(span, len, distinct);
                let values: Vec<i64> = (0..len).map(|i| keys.key(i)).collect();
                assert!(values.iter().all(|value| (min..=max).contains(value)));
                let different: BTreeSet<&i64> = values.iter().collect();
                assert!(!distinct || different.len() == values.len(), "{min} {max}");
            }
        }
    }

    #[test]
    fn wide_range_fills_one_bucket() {
        let keys = Collisions::new(Span::new(1, 1_000_000_000).unwrap(), 100_000, false);
        assert!(keys.keys > 20_000, "{keys:?}");
        assert!((0..100_000).all(|i| keys.key(i) % keys.buckets.cast_signed() == 0));
    }
}
