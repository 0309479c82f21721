//! Addresses of a program's functions, and of their parts that seldom run.

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
    let (names, symbols) = tables(file)?;
    let mut functions: Vec<u32> = functions(&symbols)
        .filter(|symbol| !is_cold(&names, symbol))
        .filter_map(|symbol| u32::try_from(number(symbol, 8, 8).checked_add(base)?).ok())
        .collect();
    functions.sort_unstable();
    functions.dedup();
    Some(functions)
}

/// The addresses in the file of the seldom executed parts of functions, rising. Most of them clean
/// up after an exception.
#[cfg(feature = "runner")]
pub(super) fn cold_parts(file: &(impl ReadAt + ?Sized)) -> Vec<std::ops::Range<u64>> {
    let Some((names, symbols)) = tables(file) else { return Vec::new() };
    let cold = functions(&symbols).filter(|symbol| is_cold(&names, symbol));
    let part = |symbol: &[u8]| {
        let begin = number(symbol, 8, 8);
        begin..begin.saturating_add(number(symbol, 16, 8))
    };
    let mut parts: Vec<_> = cold.map(part).collect();
    parts.sort_unstable_by_key(|part| part.start);
    parts
}

/// The names of the symbols, and the symbols.
fn tables(file: &(impl ReadAt + ?Sized)) -> Option<(Vec<u8>, Vec<u8>)> {
    let sections = section_headers(file, MAX_TABLE_BYTES)?;
    let mut headers = sections.chunks_exact(SECTION_BYTES);
    let symbols = headers.find(|header| number(header, 4, 4) == SHT_SYMTAB)?;
    let names = section(file, linked(&sections, symbols)?, MAX_TABLE_BYTES)?;
    Some((names, section(file, symbols, MAX_TABLE_BYTES)?))
}

/// The symbols that are functions of the file.
fn functions(symbols: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_function = |symbol: &&[u8]| symbol[4] & 0xF == STT_FUNC && number(symbol, 6, 2) != 0;
    symbols.chunks_exact(SYMBOL_BYTES).filter(is_function)
}

fn is_cold(names: &[u8], symbol: &[u8]) -> bool {
    name(names, number(symbol, 0, 4)).is_some_and(|name| name.ends_with(COLD))
}
