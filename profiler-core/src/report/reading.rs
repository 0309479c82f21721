//! Doubts about programs that read less of a large input than of a smaller one.
//!
//! A program that knows the answer for a large input need not read it. But many honest programs
//! stop early too, for example at the first value that repeats, and then read an arbitrary part: at
//! a larger size often less than at a smaller one. So fewer bytes alone are no reason to warn. The
//! rule wants two things together that chance seldom gives:
//!
//! - All smaller inputs were read to their ends. A program that stops at a random place of each
//!   input reads the last block of several in few cases.
//! - Of the larger input, at most an eighth of as many bytes was read. A search that found nothing
//!   in the smaller inputs, and something in the larger one, found it so early in few cases.
//!
//! Simulated at the default sizes, at most 6 in 1,000 jobs of such programs meet both: of searches
//! that find something or not, and for the first of n values up to 10⁹ that repeats. A program that
//! needs no input from some size on, for example because so many values must repeat, always does.

use super::measured_size::MeasuredSize;
use profiler_proto::v1::{Warning, WarningCode};

/// Maximum number of bytes that a C++ stream reads ahead, usually 8,191. Whether a program used
/// more than the first byte of a block is unknown.
const BLOCK_BYTES: u64 = 8 << 10;
/// Minimum factor between the bytes that are read at two sizes, and between the bytes at the
/// smaller one and a block.
const CLEARLY_LESS: u64 = 8;
/// Number of bytes at the end of an input that may be left unread, such as line feeds and marks.
const LEFT_BYTES: u64 = 64;
/// The same as a part of a longer input: one in this many bytes.
const LEFT_SHARE: u64 = 100;

/// The warnings about sizes at which the program read clearly less than at smaller ones.
pub(super) fn doubts(sizes: &[MeasuredSize]) -> impl Iterator<Item = Warning> {
    sizes.iter().filter_map(|size| {
        let read = Read::of(size)?;
        let smaller: Vec<_> = sizes
            .iter()
            .filter(|other| other.candidate == size.candidate && other.size < size.size)
            .filter_map(|other| Some((other.size, Read::of(other)?)))
            .collect();
        let (n, most) = *smaller.iter().max_by_key(|(_, smaller)| smaller.bytes)?;
        let are_whole = smaller.iter().all(|(_, smaller)| smaller.is_whole());
        if !are_whole || !read.is_clearly_less(most) {
            return None;
        }
        let problem = format!(
            "the program read {} of the {} bytes of its input, and {} of {} at n = {n}: it may \
             answer from memory, or stop early",
            read.bytes, read.all, most.bytes, most.all
        );
        Some(size.point().warning(WarningCode::ReadsLessInput, problem))
    })
}

/// Extent to which an input was read.
#[derive(Debug, Clone, Copy)]
struct Read {
    bytes: u64,
    /// The length of the input.
    all: u64,
}

impl Read {
    /// `None` if the size did not end OK, or if the position of stdin tells nothing.
    fn of(size: &MeasuredSize) -> Option<Self> {
        let bytes = size.input_read_bytes().filter(|_| size.is_ok())?;
        Some(Self { bytes, all: size.fed?.bytes })
    }

    /// Whether the input was read to its end.
    fn is_whole(self) -> bool {
        self.all.saturating_sub(self.bytes) <= (self.all / LEFT_SHARE).max(LEFT_BYTES)
    }

    /// Whether clearly less was read than of another input, which is not longer.
    fn is_clearly_less(self, other: Self) -> bool {
        let least = self.bytes.max(BLOCK_BYTES).saturating_mul(CLEARLY_LESS);
        other.all <= self.all && least <= other.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Point;
    use crate::report::{Fed, Verdict};
    use profiler_proto::v1::Outcome;
    use runner_protocol::Sample;

    /// A size whose input of `all` bytes was read to these positions.
    fn size(size: u64, all: u64, positions: &[u64]) -> MeasuredSize {
        let verdict = Verdict { outcome: Outcome::Ok, ..Verdict::not_run() };
        let position = |&stdin_position: &u64| Sample { stdin_position, ..Sample::default() };
        MeasuredSize {
            fed: Some(Fed { bytes: all, sha256: [0; 32] }),
            samples: positions.iter().map(position).collect(),
            ..MeasuredSize::never_started(Point { size, candidate: 0 }, verdict)
        }
    }

    /// The sizes that are doubted.
    fn doubted(sizes: &[MeasuredSize]) -> Vec<Option<u64>> {
        doubts(sizes).map(|warning| warning.size).collect()
    }

    #[test]
    fn program_that_reads_less_of_a_larger_input_is_doubted() {
        let whole = size(10, 100_000, &[99_999, 100_000]);
        for (name, larger, is_doubted) in vec![
            ("a block", size(20, 200_000, &[8_191]), true),
            ("a word", size(20, 200_000, &[2]), true),
            ("all in one run", size(20, 200_000, &[200_000, 2, 200_000]), true),
            ("the same", size(20, 200_000, &[100_000]), false),
            ("hardly less", size(20, 200_000, &[12_501]), false),
            ("unknown", size(20, 200_000, &[0]), false),
            ("unknown in one run", size(20, 200_000, &[2, 0]), false),
            ("a shorter input", size(20, 99_999, &[2]), false),
            ("a smaller size", size(5, 200_000, &[2]), false),
            ("another candidate", MeasuredSize { candidate: 1, ..size(20, 200_000, &[2]) }, false),
        ] {
            let found = doubted(&[whole.clone(), larger]);
            assert_eq!(found, vec![Some(20); usize::from(is_doubted)], "{name}");
        }
    }

    #[test]
    fn smaller_inputs_must_be_read_to_their_ends_and_be_long() {
        let larger = size(20, 900_000, &[2]);
        for (name, smaller, is_doubted) in [
            ("without the last line", size(10, 100_000, &[99_000]), true),
            ("a search", size(10, 100_000, &[98_999]), false),
            ("blocks", size(10, 65_536, &[65_536]), true),
            ("few bytes", size(10, 65_535, &[65_535]), false),
        ] {
            let sizes = [size(0, 0, &[0]), size(1, 65, &[1]), smaller, larger.clone()];
            assert_eq!(doubted(&sizes).len(), usize::from(is_doubted), "{name}");
        }
        let stops_early = size(5, 50_000, &[2]);
        assert!(doubted(&[stops_early, size(10, 100_000, &[100_000]), larger]).is_empty());
    }

    #[test]
    fn size_that_failed_is_not_compared() {
        let verdict = Verdict { outcome: Outcome::RuntimeError, ..Verdict::not_run() };
        let failed = MeasuredSize { verdict, ..size(20, 200_000, &[2]) };
        assert!(doubted(&[size(10, 100_000, &[100_000]), failed]).is_empty());
    }

    #[test]
    fn position_beyond_the_end_is_the_end() {
        assert_eq!(size(10, 7, &[u64::MAX]).input_read_bytes(), Some(7));
        assert_eq!(size(10, 7, &[]).input_read_bytes(), None);
    }
}
