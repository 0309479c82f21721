//! What an ELF file says about itself, as far as loading it needs.

use crate::layout::REACH;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::FileExt;

/// Segments of an image at most: nobody's linker makes so many.
const SEGMENTS: u64 = 64;
/// The longest path of a dynamic loader.
const LOADER_PATH_BYTES: u64 = 4096;
/// The longest file that is taken for a program.
const FILE_BYTES: u64 = 1 << 40;
/// The size of the file's header, and of a segment's.
const HEADER_BYTES: usize = 64;
pub(crate) const SEGMENT_BYTES: usize = 56;
/// What an image for this machine begins with: the magic number, 64 bits, little-endian.
const MAGIC: &[u8] = b"\x7fELF\x02\x01";
const MACHINE: u64 = 62;
const EXECUTABLE: u64 = 2;
const SHARED: u64 = 3;
const PT_LOAD: u64 = 1;
const PT_INTERP: u64 = 3;
const PF_X: u64 = 1;
const PF_W: u64 = 2;
const PF_R: u64 = 4;
const SHT_SYMTAB: u64 = 2;
const STT_FUNC: u8 = 2;
/// The size of a symbol.
const SYMBOL_BYTES: usize = 24;
/// The longest table of symbols or names that is read.
const TABLE_BYTES: usize = 16 << 20;
const BROKEN: &str = "its header is broken";

/// A part of the file that is to be mapped. All sums of its numbers fit.
pub(crate) struct Segment {
    pub(crate) protection: i32,
    pub(crate) offset: u64,
    pub(crate) address: u64,
    pub(crate) file_bytes: u64,
    pub(crate) bytes: u64,
}

/// What the headers say.
pub(crate) struct Elf {
    pub(crate) entry: u64,
    /// Where in the file its segments are described, and how many there are.
    pub(crate) table: u64,
    pub(crate) count: u64,
    pub(crate) segments: Vec<Segment>,
    /// The path of its dynamic loader.
    pub(crate) loader: Option<OsString>,
}

/// Reads the headers.
pub(crate) fn read(file: &File) -> Result<Elf, &'static str> {
    let mut header = [0; HEADER_BYTES];
    file.read_exact_at(&mut header, 0).map_err(|_| "it is not a program")?;
    let kind = number(&header, 16, 2);
    if !header.starts_with(MAGIC)
        || number(&header, 18, 2) != MACHINE
        || ![EXECUTABLE, SHARED].contains(&kind)
    {
        return Err("it is not a program for this machine");
    }
    let (entry, table) = (number(&header, 24, 8), number(&header, 32, 8));
    let count = number(&header, 56, 2);
    if count > SEGMENTS || table > FILE_BYTES || entry > REACH {
        return Err(BROKEN);
    }
    let mut elf = Elf { entry, table, count, segments: Vec::new(), loader: None };
    for at in 0..count {
        let mut entry = [0; SEGMENT_BYTES];
        file.read_exact_at(&mut entry, table + at * SEGMENT_BYTES as u64).map_err(|_| BROKEN)?;
        match number(&entry, 0, 4) {
            PT_LOAD => elf.segments.push(segment(&entry)?),
            PT_INTERP => elf.loader = Some(loader_path(file, &entry)?),
            _ => {}
        }
    }
    Ok(elf)
}

/// Where the program's functions begin, as addresses in memory, rising; none where the file does not say.
#[derive(Default)]
pub(crate) struct Symbols {
    pub(crate) functions: Vec<u32>,
}

/// Reads the symbols of the program at `path`, which was loaded at `base`.
pub(crate) fn symbols(path: &OsStr, base: u64) -> Symbols {
    let read = || {
        let file = File::open(path).ok()?;
        let mut header = [0; HEADER_BYTES];
        file.read_exact_at(&mut header, 0).ok()?;
        let (table, count) = (number(&header, 40, 8), number(&header, 60, 2));
        let sections = piece(&file, table, count * HEADER_BYTES as u64)?;
        let symbols = sections.chunks(HEADER_BYTES).find(|s| number(s, 4, 4) == SHT_SYMTAB)?;
        let names = usize::try_from(number(symbols, 40, 4)).ok()?;
        let names = sections.chunks(HEADER_BYTES).nth(names)?;
        let [symbols, names] = [symbols, names]
            .map(|section| piece(&file, number(section, 24, 8), number(section, 32, 8)));
        let (symbols, names) = (symbols?, names?);
        let mut functions: Vec<u32> = symbols
            .chunks_exact(SYMBOL_BYTES)
            .filter(|symbol| symbol[4] & 0xF == STT_FUNC && number(symbol, 6, 2) != 0)
            .filter(|symbol| !is_cold(&names, number(symbol, 0, 4)))
            .filter_map(|symbol| u32::try_from(number(symbol, 8, 8).checked_add(base)?).ok())
            .collect();
        functions.sort_unstable();
        functions.dedup();
        Some(Symbols { functions })
    };
    read().unwrap_or_default()
}

/// Whether a function's name says that it is the seldom part of another one.
fn is_cold(names: &[u8], at: u64) -> bool {
    let name = usize::try_from(at).ok().and_then(|at| names.get(at..)).unwrap_or_default();
    name.split(|&byte| byte == 0).next().is_some_and(|name| name.ends_with(b".cold"))
}

fn piece(file: &File, offset: u64, bytes: u64) -> Option<Vec<u8>> {
    let mut piece = vec![0; usize::try_from(bytes).ok().filter(|&bytes| bytes <= TABLE_BYTES)?];
    file.read_exact_at(&mut piece, offset).ok()?;
    Some(piece)
}

fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    let field = bytes.get(at..at + size).unwrap_or_default();
    field.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn segment(entry: &[u8]) -> Result<Segment, &'static str> {
    let flags = number(entry, 4, 4);
    let has = |flag, protection| if flags & flag != 0 { protection } else { 0 };
    let segment = Segment {
        protection: has(PF_R, libc::PROT_READ)
            | has(PF_W, libc::PROT_WRITE)
            | has(PF_X, libc::PROT_EXEC),
        offset: number(entry, 8, 8),
        address: number(entry, 16, 8),
        file_bytes: number(entry, 32, 8),
        bytes: number(entry, 40, 8),
    };
    if segment.offset > FILE_BYTES || segment.file_bytes > segment.bytes {
        return Err(BROKEN);
    }
    if segment.address > REACH || segment.bytes > REACH {
        return Err("it is too large, or linked to an unusual address");
    }
    Ok(segment)
}

fn loader_path(file: &File, entry: &[u8]) -> Result<OsString, &'static str> {
    let bytes = usize::try_from(number(entry, 32, 8).min(LOADER_PATH_BYTES)).unwrap_or(0);
    let mut path = vec![0; bytes];
    file.read_exact_at(&mut path, number(entry, 8, 8)).map_err(|_| BROKEN)?;
    path.truncate(path.iter().position(|&byte| byte == 0).unwrap_or(bytes));
    Ok(OsString::from_vec(path))
}
