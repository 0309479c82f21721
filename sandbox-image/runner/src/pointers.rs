//! Which library functions a program calls through which of its pointers: what its relocations say, as
//! `elf.h` of glibc describes them.

use std::collections::BTreeSet;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// The longest table that is read, in bytes: also those of a static program.
const MAX_TABLE_BYTES: u64 = 8 << 20;
/// The longest name, in bytes: longer ones are those of nobody's library.
const MAX_NAME_BYTES: usize = 4 << 10;
/// The sizes of headers and entries.
const HEADER_BYTES: u64 = 64;
const SECTION_BYTES: usize = 64;
const RELOCATION_BYTES: usize = 24;
const SYMBOL_BYTES: usize = 24;
/// A section of relocations.
const SHT_RELA: u64 = 4;

/// The names behind `pointers`, as the linker knows them, as far as there are any.
pub(crate) fn named(binary: &File, pointers: &BTreeSet<u32>) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    let Some(sections) = sections(binary) else { return found };
    let of_kind = |section: &&[u8]| number(section, 4, 4) == SHT_RELA;
    for relocations in sections.chunks_exact(SECTION_BYTES).filter(of_kind) {
        let linked = |section: &[u8]| {
            let at = usize::try_from(number(section, 40, 4)).ok()?;
            sections.chunks_exact(SECTION_BYTES).nth(at)
        };
        let tables = || {
            let symbols = linked(relocations)?;
            let names = linked(symbols)?;
            Some([
                content(binary, relocations)?,
                content(binary, symbols)?,
                content(binary, names)?,
            ])
        };
        let Some([relocations, symbols, names]) = tables() else { continue };
        for relocation in relocations.chunks_exact(RELOCATION_BYTES) {
            let pointer = u32::try_from(number(relocation, 0, 8)).unwrap_or(0);
            if pointers.contains(&pointer)
                && let Some(name) = name(&symbols, &names, number(relocation, 12, 4))
            {
                found.push((pointer, name));
            }
        }
    }
    found.sort();
    found.dedup_by_key(|&mut (pointer, _)| pointer);
    found
}

fn sections(binary: &File) -> Option<Vec<u8>> {
    let header = piece(binary, 0, HEADER_BYTES)?;
    let bytes = number(&header, 60, 2) * SECTION_BYTES as u64;
    header.starts_with(b"\x7fELF\x02\x01").then_some(())?;
    piece(binary, number(&header, 40, 8), bytes)
}

fn content(binary: &File, section: &[u8]) -> Option<Vec<u8>> {
    piece(binary, number(section, 24, 8), number(section, 32, 8))
}

fn piece(binary: &File, offset: u64, bytes: u64) -> Option<Vec<u8>> {
    let bytes = usize::try_from(bytes).ok().filter(|_| bytes <= MAX_TABLE_BYTES)?;
    let mut piece = vec![0; bytes];
    binary.read_exact_at(&mut piece, offset).ok()?;
    Some(piece)
}

/// A symbol's name, if it has a plain one.
fn name(symbols: &[u8], names: &[u8], at: u64) -> Option<String> {
    let at = usize::try_from(at).ok()?.checked_mul(SYMBOL_BYTES)?;
    let at = usize::try_from(number(symbols.get(at..)?, 0, 4)).ok()?;
    let name = names.get(at..)?.split(|&byte| byte == 0).next()?;
    let plain = !name.is_empty() && name.len() <= MAX_NAME_BYTES && name.is_ascii();
    let plain = plain && name.iter().all(u8::is_ascii_graphic);
    plain.then(|| String::from_utf8_lossy(name).into_owned())
}

fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    let field = bytes.get(at..at + size).unwrap_or_default();
    field.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
