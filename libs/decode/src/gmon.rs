//! The histogram in a `gmon.out`, see `sys/gmon_out.h` of glibc: after a header of 20 bytes,
//! records; one of tag 0 is a histogram of program counters.

/// Size of the header: "gmon", a version and spare bytes.
const HEADER_BYTES: usize = 20;
/// The tag of a histogram.
const HISTOGRAM: u8 = 0;
/// Size of the unit's name and abbreviation, which follow low pc, high pc, count of bins and rate.
const DIMENSION_BYTES: usize = 16;

/// Samples by address: the `most` addresses with the most samples, in the order of the addresses.
/// `None` if the file does not begin with a histogram, which glibc writes first.
pub fn histogram(file: &[u8], most: usize) -> Option<Vec<(u64, u16)>> {
    let mut rest = file.strip_prefix(b"gmon")?.get(HEADER_BYTES - 4..)?;
    let mut take = |count: usize| {
        let (taken, left) = rest.split_at_checked(count)?;
        rest = left;
        Some(taken)
    };
    if take(1)? != [HISTOGRAM] {
        return None;
    }
    let low = u64::from_le_bytes(take(8)?.try_into().ok()?);
    let high = u64::from_le_bytes(take(8)?.try_into().ok()?);
    let bins = u32::from_le_bytes(take(4)?.try_into().ok()?);
    take(4 + DIMENSION_BYTES)?;
    let counts = take(usize::try_from(bins).ok()?.checked_mul(2)?)?;
    let (span, bins) = (u128::from(high.checked_sub(low)?), u128::from(bins));
    // A bin need not be a whole number of bytes.
    let address = |bin| low.saturating_add(u64::try_from(span * bin / bins).unwrap_or(0));
    let addresses = (0..bins).map(address);
    let counts = counts.chunks_exact(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
    let mut samples: Vec<_> = addresses.zip(counts).filter(|&(_, count)| count > 0).collect();
    samples.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    samples.truncate(most);
    samples.sort_unstable();
    Some(samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(bins: &[u16]) -> Vec<u8> {
        let mut file = b"gmon\x01\0\0\0".to_vec();
        file.resize(HEADER_BYTES, 0);
        file.push(HISTOGRAM);
        file.extend(0x1000_u64.to_le_bytes());
        file.extend((0x1000 + 4 * bins.len() as u64).to_le_bytes());
        file.extend(u32::try_from(bins.len()).unwrap().to_le_bytes());
        file.extend([0; 4 + DIMENSION_BYTES]);
        file.extend(bins.iter().flat_map(|bin| bin.to_le_bytes()));
        file
    }

    #[test]
    fn samples_have_their_addresses() {
        assert_eq!(histogram(&file(&[0, 7, 0, 2]), 10), Some(vec![(0x1004, 7), (0x100c, 2)]));
    }

    #[test]
    fn hottest_are_kept() {
        assert_eq!(histogram(&file(&[1, 7, 3]), 2), Some(vec![(0x1004, 7), (0x1008, 3)]));
    }

    #[test]
    fn file_that_is_cut_is_no_histogram() {
        let whole = file(&[1, 7, 3]);
        assert!((0..whole.len()).all(|length| histogram(&whole[..length], 2).is_none()));
    }
}
