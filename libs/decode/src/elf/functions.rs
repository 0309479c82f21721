//! Addresses of a program's functions.

use super::read_at::{
    ReadAt, SECTION_BYTES, SYMBOL_BYTES, linked, name, number, section, section_headers,
};

const SHT_SYMTAB: u64 = 2;
const STT_FUNC: u8 = 2;
/// The longest table of symbols or names that is read, in bytes.
const MAX_TABLE_BYTES: u64 = 16 << 20;
/// The suffix of the seldom executed part of a function, which is not a function of its own.
const COLD: &[u8] = b".cold";

/// The addresses in memory of the functions of a program that is loaded at `base`, in ascending
/// order, each once. Empty if the file has no table of symbols.
pub fn function_addresses(file: &(impl ReadAt + ?Sized), base: u64) -> Vec<u32> {
    read(file, base).unwrap_or_default()
}

fn read(file: &(impl ReadAt + ?Sized), base: u64) -> Option<Vec<u32>> {
    let sections = section_headers(file, MAX_TABLE_BYTES)?;
    let mut headers = sections.chunks_exact(SECTION_BYTES);
    let symbols = headers.find(|header| number(header, 4, 4) == SHT_SYMTAB)?;
    let names = section(file, linked(&sections, symbols)?, MAX_TABLE_BYTES)?;
    let symbols = section(file, symbols, MAX_TABLE_BYTES)?;
    let mut functions: Vec<u32> = symbols
        .chunks_exact(SYMBOL_BYTES)
        .filter(|symbol| symbol[4] & 0xF == STT_FUNC && number(symbol, 6, 2) != 0)
        .filter(|symbol| !name(&names, number(symbol, 0, 4)).is_some_and(|n| n.ends_with(COLD)))
        .filter_map(|symbol| u32::try_from(number(symbol, 8, 8).checked_add(base)?).ok())
        .collect();
    functions.sort_unstable();
    functions.dedup();
    Some(functions)
}
