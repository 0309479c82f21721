//! Library functions that a program calls, and the pointers through which it calls them: the
//! relocations of its procedure linkage table, as `elf.h` of glibc describes them.

use super::read_at::{
    self, ReadAt, SECTION_BYTES, SYMBOL_BYTES, linked, number, section, section_headers,
};
use std::collections::BTreeSet;

/// The longest table that is read, in bytes. Tables of static programs fit as well.
const MAX_TABLE_BYTES: u64 = 8 << 20;
/// The longest name, in bytes: no library has longer ones.
const MAX_NAME_BYTES: usize = 4 << 10;
const RELOCATION_BYTES: usize = 24;
/// A section of relocations.
const SHT_RELA: u64 = 4;

/// The linker's names for `pointers`, in the order of the pointers. Pointers without a name are
/// left out.
pub fn library_names(
    binary: &(impl ReadAt + ?Sized),
    pointers: &BTreeSet<u32>,
) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    let Some(sections) = section_headers(binary, MAX_TABLE_BYTES) else { return found };
    let are_relocations = |header: &&[u8]| number(header, 4, 4) == SHT_RELA;
    for relocations in sections.chunks_exact(SECTION_BYTES).filter(are_relocations) {
        let tables = || {
            let symbols = linked(&sections, relocations)?;
            let names = linked(&sections, symbols)?;
            Some([
                section(binary, relocations, MAX_TABLE_BYTES)?,
                section(binary, symbols, MAX_TABLE_BYTES)?,
                section(binary, names, MAX_TABLE_BYTES)?,
            ])
        };
        let Some([relocations, symbols, names]) = tables() else { continue };
        for relocation in relocations.chunks_exact(RELOCATION_BYTES) {
            let pointer = u32::try_from(number(relocation, 0, 8)).unwrap_or(0);
            if pointers.contains(&pointer)
                && let Some(name) = symbol_name(&symbols, &names, number(relocation, 12, 4))
            {
                found.push((pointer, name));
            }
        }
    }
    found.sort();
    found.dedup_by_key(|&mut (pointer, _)| pointer);
    found
}

/// A symbol's name, if it is printable ASCII.
fn symbol_name(symbols: &[u8], names: &[u8], at: u64) -> Option<String> {
    let at = usize::try_from(at).ok()?.checked_mul(SYMBOL_BYTES)?;
    let name = read_at::name(names, number(symbols.get(at..)?, 0, 4))?;
    let is_plain =
        !name.is_empty() && name.len() <= MAX_NAME_BYTES && name.iter().all(u8::is_ascii_graphic);
    is_plain.then(|| String::from_utf8_lossy(name).into_owned())
}
