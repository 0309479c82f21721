//! A random sequence of balanced brackets. Every sequence of a length is equally likely.

use crate::draw::random::RandomStream;

/// The brackets from the first to the last.
#[derive(Debug)]
pub(crate) struct Brackets<'a> {
    stream: RandomStream,
    /// Each opening bracket, followed by its closing bracket.
    pairs: &'a [[u8; 2]],
    /// The number of brackets that are left.
    rest: u64,
    /// The closing brackets of all open ones.
    due: Vec<u8>,
}

impl<'a> Brackets<'a> {
    /// `len` must be even.
    pub(crate) fn new(stream: RandomStream, pairs: &'a [[u8; 2]], len: u64) -> Self {
        Self { stream, pairs, rest: len, due: Vec::new() }
    }

    /// The next bracket. Of all ways to go on, the ballot numbers say how many begin with an
    /// opening bracket. Lengths are at most 2^31, so that the products fit 64 bits.
    pub(crate) fn next(&mut self) -> u8 {
        let (rest, depth) = (self.rest, self.due.len() as u64);
        let opening = (depth + 2) * rest.saturating_sub(depth);
        let ways = 2 * rest * (depth + 1);
        self.rest = rest.saturating_sub(1);
        if self.stream.up_to(2 * rest, ways.saturating_sub(1)) >= opening {
            return self.due.pop().unwrap_or(b'?');
        }
        let kind = self.stream.up_to(2 * rest + 1, self.pairs.len() as u64 - 1);
        let pair = usize::try_from(kind).ok().and_then(|kind| self.pairs.get(kind));
        let [open, close] = pair.copied().unwrap_or([b'?'; 2]);
        self.due.push(close);
        open
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_balanced_sequence_is_equally_likely() {
        const DRAWN: u32 = 14_000;
        let pairs = [*b"()"];
        let mut seen: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
        for seed in 0..DRAWN {
            let mut brackets = Brackets::new(RandomStream::new(seed), &pairs, 8);
            *seen.entry((0..8).map(|_| brackets.next()).collect()).or_default() += 1;
        }
        assert_eq!(seen.len(), 14, "the fourth Catalan number");
        assert!(seen.values().all(|count| (850..1150).contains(count)), "{seen:?}");
    }
}
