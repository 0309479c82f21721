//! What a binary that was made here says about itself. A compile can be hostile, so nothing is believed.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;

/// A segment that exec maps.
const PT_LOAD: u64 = 1;

/// Sum of `p_memsz` over the `PT_LOAD` segments of a 64-bit little-endian ELF file, see elf(5).
pub(crate) fn segment_bytes(file: &File) -> Option<u64> {
    let field = |at: u64, size: usize| {
        let mut bytes = [0; 8];
        file.read_exact_at(&mut bytes[..size], at).ok()?;
        Some(u64::from_le_bytes(bytes))
    };
    let mut magic = [0; 6];
    file.take(6).read_exact(&mut magic).ok()?;
    if magic != *b"\x7fELF\x02\x01" {
        return None;
    }
    let (table, entry, count) = (field(0x20, 8)?, field(0x36, 2)?, field(0x38, 2)?);
    (0..count).try_fold(0_u64, |sum, at| {
        let segment = table.checked_add(entry * at)?;
        match field(segment, 4)? {
            PT_LOAD => sum.checked_add(field(segment.checked_add(0x28)?, 8)?),
            _ => Some(sum),
        }
    })
}
