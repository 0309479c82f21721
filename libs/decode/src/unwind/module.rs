//! A module of a process: its place, and the tables that unwind its calls.

use super::machine::{Mapping, Memory};
use crate::elf::PROGRAM_HEADER_BYTES;
use crate::elf::program::PT_LOAD;
use crate::elf::read_at::{HEADER_BYTES, MAGIC, number};
use gimli::{BaseAddresses, EhFrameHdr, LittleEndian};

/// Maximum size of a table, in bytes. The C++ library's has 0.2 MB.
const MAX_TABLE_BYTES: u64 = 2 << 20;
/// Maximum number of program headers.
const MAX_HEADERS: u64 = 64;
/// `PT_GNU_EH_FRAME`.
const EH_FRAME: u64 = 0x6474_e550;
/// Size of an address, in bytes.
pub(super) const ADDRESS_BYTES: u8 = 8;

/// A loaded module.
pub(super) struct Module {
    /// Path of its file.
    pub(super) file: String,
    /// Difference between the addresses in memory and those in the file.
    pub(super) bias: u64,
    /// `.eh_frame_hdr` and `.eh_frame`.
    pub(super) index: Vec<u8>,
    pub(super) frames: Vec<u8>,
    pub(super) bases: BaseAddresses,
}

/// A part of a module: a type, and its place in the file and in memory.
struct Part {
    kind: u64,
    offset: u64,
    address: u64,
    bytes: u64,
}

impl Module {
    /// Reads the module whose code is in the mapping `code`; `None` if it has no tables.
    pub(super) fn load(memory: &impl Memory, mappings: &[Mapping], code: &Mapping) -> Option<Self> {
        let is_first =
            |it: &&Mapping| it.file == code.file && it.offset == 0 && it.start <= code.start;
        let base = mappings.iter().rfind(is_first)?.start;
        let parts = parts(memory, base)?;
        let first = parts.iter().find(|part| part.kind == PT_LOAD && part.offset == 0)?;
        let bias = base.wrapping_sub(first.address);
        let index_part = parts.iter().find(|part| part.kind == EH_FRAME)?;
        let index_address = bias.wrapping_add(index_part.address);
        let index = bytes(memory, index_address, index_part.bytes)?;
        let bases = BaseAddresses::default().set_eh_frame_hdr(index_address);
        let parsed = EhFrameHdr::new(&index, LittleEndian).parse(&bases, ADDRESS_BYTES).ok()?;
        let address = parsed.eh_frame_ptr().direct().ok()?;
        let inside = address.wrapping_sub(bias);
        let around = parts
            .iter()
            .find(|part| part.kind == PT_LOAD && inside.wrapping_sub(part.address) < part.bytes)?;
        let length = around.bytes - inside.wrapping_sub(around.address);
        let frames = bytes(memory, address, length.min(MAX_TABLE_BYTES))?;
        let bases = bases.set_eh_frame(address);
        Some(Self { file: code.file.clone(), bias, index, frames, bases })
    }
}

/// The program headers of the module that begins at `base`.
fn parts(memory: &impl Memory, base: u64) -> Option<Vec<Part>> {
    let mut head = [0; HEADER_BYTES];
    memory.read(base, &mut head)?;
    if !head.starts_with(MAGIC) {
        return None;
    }
    let table = base.wrapping_add(number(&head, 32, 8));
    (0..number(&head, 56, 2).min(MAX_HEADERS))
        .map(|at| {
            let mut header = [0; PROGRAM_HEADER_BYTES];
            memory.read(table.wrapping_add(at * PROGRAM_HEADER_BYTES as u64), &mut header)?;
            Some(Part {
                kind: number(&header, 0, 4),
                offset: number(&header, 8, 8),
                address: number(&header, 16, 8),
                bytes: number(&header, 32, 8),
            })
        })
        .collect()
}

fn bytes(memory: &impl Memory, address: u64, length: u64) -> Option<Vec<u8>> {
    let length = Some(length).filter(|length| *length <= MAX_TABLE_BYTES)?;
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    memory.read(address, &mut bytes)?;
    Some(bytes)
}
