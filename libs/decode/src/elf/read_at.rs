//! Access to a file's bytes, which the caller has opened or read.

use std::fs::File;
use std::os::unix::fs::FileExt;

/// The identification of a 64-bit little-endian ELF file.
pub(crate) const MAGIC: &[u8] = b"\x7fELF\x02\x01";
pub(crate) const HEADER_BYTES: usize = 64;
pub(super) const SECTION_BYTES: usize = 64;
pub(super) const SYMBOL_BYTES: usize = 24;

/// Bytes that can be read at an offset, such as a file.
pub trait ReadAt {
    /// Fills `buffer` from `offset` on; `None` if there are fewer bytes.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> Option<()>;
}

impl ReadAt for [u8] {
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> Option<()> {
        let rest = self.get(usize::try_from(offset).ok()?..)?;
        buffer.copy_from_slice(rest.get(..buffer.len())?);
        Some(())
    }
}

impl ReadAt for File {
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> Option<()> {
        FileExt::read_exact_at(self, buffer, offset).ok()
    }
}

/// The file header, if `file` is a 64-bit little-endian ELF file.
pub(super) fn header(file: &(impl ReadAt + ?Sized)) -> Option<[u8; HEADER_BYTES]> {
    let mut header = [0; HEADER_BYTES];
    file.read_exact_at(&mut header, 0)?;
    header.starts_with(MAGIC).then_some(header)
}

/// All section headers, one after the other.
pub(super) fn section_headers(file: &(impl ReadAt + ?Sized), most: u64) -> Option<Vec<u8>> {
    let header = header(file)?;
    let bytes = number(&header, 60, 2) * SECTION_BYTES as u64;
    piece(file, number(&header, 40, 8), bytes, most)
}

/// The content of a section; `None` if it is longer than `most` bytes.
pub(super) fn section(file: &(impl ReadAt + ?Sized), header: &[u8], most: u64) -> Option<Vec<u8>> {
    piece(file, number(header, 24, 8), number(header, 32, 8), most)
}

/// The section that the header `from` links to, such as the names of a table of symbols.
pub(super) fn linked<'a>(sections: &'a [u8], from: &[u8]) -> Option<&'a [u8]> {
    let at = usize::try_from(number(from, 40, 4)).ok()?;
    sections.chunks_exact(SECTION_BYTES).nth(at)
}

/// The name at an offset of a table of names, without its terminating zero.
pub(super) fn name(names: &[u8], at: u64) -> Option<&[u8]> {
    names.get(usize::try_from(at).ok()?..)?.split(|&byte| byte == 0).next()
}

/// The little-endian number of `size` bytes at `at`; 0 if that is outside of `bytes`.
pub(crate) fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    let field = bytes.get(at..at + size).unwrap_or_default();
    field.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// The bytes from `offset` on; `None` if there are more than `most`, or fewer in the file.
pub(super) fn piece(
    file: &(impl ReadAt + ?Sized),
    offset: u64,
    bytes: u64,
    most: u64,
) -> Option<Vec<u8>> {
    let bytes = usize::try_from(bytes).ok().filter(|_| bytes <= most)?;
    let mut piece = vec![0; bytes];
    file.read_exact_at(&mut piece, offset)?;
    Some(piece)
}
