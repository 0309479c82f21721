//! Splits n into the sizes of cases.

use crate::draw::random::RandomStream;
use crate::spec::Split;

/// The sizes of `count` cases, each at least `least`. Their sum is `n`, which must be at least
/// `count * least`.
pub(crate) fn sizes(
    split: Split,
    n: u64,
    count: u64,
    least: u64,
    stream: RandomStream,
) -> Vec<u64> {
    let rest = n - count * least;
    match split {
        Split::Unspecified | Split::Equal => {
            (0..count).map(|i| least + rest / count + u64::from(i < rest % count)).collect()
        }
        Split::OneLarge => (0..count).map(|i| if i == 0 { least + rest } else { least }).collect(),
        Split::Random => {
            // Beyond `least`, the sizes are the differences between neighbouring random cuts.
            let mut cuts: Vec<u64> = (1..count).map(|i| stream.up_to(i, rest)).collect();
            cuts.sort_unstable();
            cuts.push(rest);
            let mut begin = 0;
            let between = |cut: u64| least + cut - std::mem::replace(&mut begin, cut);
            cuts.into_iter()
                .take(usize::try_from(count).unwrap_or(usize::MAX))
                .map(between)
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_sum_to_n() {
        let stream = RandomStream::new(1);
        for split in [Split::Equal, Split::Random, Split::OneLarge] {
            for (n, count, least) in [(10, 3, 0), (10, 3, 3), (10, 10, 1), (0, 4, 0), (7, 1, 0)] {
                let sizes = sizes(split, n, count, least, stream);
                assert_eq!(sizes.len() as u64, count, "{split:?}");
                assert_eq!(sizes.iter().sum::<u64>(), n, "{split:?} {sizes:?}");
                assert!(sizes.iter().all(|size| *size >= least), "{split:?} {sizes:?}");
            }
        }
        assert_eq!(sizes(Split::Equal, 11, 3, 0, stream), [4, 4, 3]);
        assert_eq!(sizes(Split::OneLarge, 11, 3, 1, stream), [9, 1, 1]);
        assert_eq!(sizes(Split::Random, 0, 0, 0, stream), []);
    }
}
