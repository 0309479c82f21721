//! A module of a process: its place, and the tables that unwind its calls.

use super::machine::{Mapping, Memory};
use gimli::{BaseAddresses, EhFrameHdr, LittleEndian};

/// Maximum size of a table, in bytes. The C++ library's has 0.2 MB.
const MAX_TABLE_BYTES: u64 = 2 << 20;
/// Maximum number of program headers.
const MAX_HEADERS: u16 = 64;
const HEADER_BYTES: usize = 56;
const LOADED: u32 = 1;
const EH_FRAME: u32 = 0x6474_e550;
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
    kind: u32,
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
        let first = parts.iter().find(|part| part.kind == LOADED && part.offset == 0)?;
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
            .find(|part| part.kind == LOADED && inside.wrapping_sub(part.address) < part.bytes)?;
        let length = around.bytes - inside.wrapping_sub(around.address);
        let frames = bytes(memory, address, length.min(MAX_TABLE_BYTES))?;
        let bases = bases.set_eh_frame(address);
        Some(Self { file: code.file.clone(), bias, index, frames, bases })
    }
}

/// The program headers of the module that begins at `base`.
fn parts(memory: &impl Memory, base: u64) -> Option<Vec<Part>> {
    let mut head = [0; 64];
    memory.read(base, &mut head)?;
    if !head.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (offset, count) = (long(&head, 32)?, u16::from_le_bytes([head[56], head[57]]));
    (0..count.min(MAX_HEADERS))
        .map(|number| {
            let mut header = [0; HEADER_BYTES];
            let at = u64::from(number) * HEADER_BYTES as u64;
            memory.read(base.wrapping_add(offset).wrapping_add(at), &mut header)?;
            let (kind, _) = header.split_first_chunk()?;
            Some(Part {
                kind: u32::from_le_bytes(*kind),
                offset: long(&header, 8)?,
                address: long(&header, 16)?,
                bytes: long(&header, 32)?,
            })
        })
        .collect()
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

fn bytes(memory: &impl Memory, address: u64, length: u64) -> Option<Vec<u8>> {
    let length = Some(length).filter(|length| *length <= MAX_TABLE_BYTES)?;
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    memory.read(address, &mut bytes)?;
    Some(bytes)
}
