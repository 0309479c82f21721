//! Memory that exec alone maps for a binary.

use super::program::{PROGRAM_HEADER_BYTES, PT_LOAD};
use super::read_at::{ReadAt, header, number};

/// Sum of `p_memsz` over the `PT_LOAD` segments, in bytes. `None` for another kind of file, for a
/// table that leads out of the file, and for a sum that overflows.
pub fn segment_bytes(file: &(impl ReadAt + ?Sized)) -> Option<u64> {
    let header = header(file)?;
    let table = number(&header, 0x20, 8);
    let (entry, count) = (number(&header, 0x36, 2), number(&header, 0x38, 2));
    (0..count).try_fold(0_u64, |sum, at| {
        let mut segment = [0; PROGRAM_HEADER_BYTES];
        file.read_exact_at(&mut segment, table.checked_add(entry * at)?)?;
        match number(&segment, 0, 4) {
            PT_LOAD => sum.checked_add(number(&segment, 0x28, 8)),
            _ => Some(sum),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with these program headers, by type and size in memory, and nothing after them.
    fn file(segments: &[(u32, u64)]) -> Vec<u8> {
        let mut file = b"\x7fELF\x02\x01".to_vec();
        file.resize(64, 0);
        file[0x20] = 64;
        file[0x36] = 56;
        file[0x38] = u8::try_from(segments.len()).unwrap();
        for &(kind, bytes) in segments {
            let start = file.len();
            file.resize(start + PROGRAM_HEADER_BYTES, 0);
            file[start..start + 4].copy_from_slice(&kind.to_le_bytes());
            file[start + 0x28..start + 0x30].copy_from_slice(&bytes.to_le_bytes());
        }
        file
    }

    #[test]
    fn loaded_segments_are_added_up() {
        assert_eq!(segment_bytes(&file(&[(1, 0x2000), (3, 7), (1, 0x10)])[..]), Some(0x2010));
    }

    #[test]
    fn file_that_is_cut_has_no_sum() {
        let whole = file(&[(1, 0x2000)]);
        assert!((0..whole.len()).all(|length| segment_bytes(&whole[..length]).is_none()));
    }

    #[test]
    fn sum_that_overflows_is_none() {
        assert_eq!(segment_bytes(&file(&[(1, u64::MAX), (1, 1)])[..]), None);
    }
}
