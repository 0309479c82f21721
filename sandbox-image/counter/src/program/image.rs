//! Loads the program and its dynamic loader as the kernel would.

use crate::abort;
use crate::layout::{MAIN, PAGE, REACH, whole_pages};
use crate::program::memory::Memory;
use crate::sys;
use profiler_decode::elf::{self, Program, Segment};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStringExt;

const UNMAPPED: &str = "its segments cannot be mapped";

/// An image in memory.
pub(crate) struct Image {
    /// The number that was added to all its addresses.
    pub(crate) base: u64,
    pub(crate) entry: u64,
    /// The address and the number of its program headers.
    pub(crate) segments: u64,
    pub(crate) segment_count: u64,
    /// The path of its dynamic loader.
    pub(crate) loader: Option<OsString>,
}

/// The addresses of the functions of the program at `path`, which is loaded at `base`.
pub(crate) fn functions(path: &OsStr, base: u64) -> Vec<u32> {
    File::open(path).map_or_else(|_| Vec::new(), |it| elf::function_addresses(&it, base))
}

/// Loads the program at its address.
pub(crate) fn load_main(path: &OsStr, memory: &mut Memory) -> Image {
    load(path, memory, |extent, _| {
        let base = if extent.start < PAGE { MAIN.start } else { 0 };
        (extent.end + base <= MAIN.end).then_some(base)
    })
    .unwrap_or_else(|reason| abort::unsupported(reason))
}

/// Loads the dynamic loader into the area of files.
pub(crate) fn load_loader(path: &OsStr, memory: &mut Memory) -> Image {
    load(
        path,
        memory,
        |extent, memory| {
            if extent.start < PAGE { memory.place_file(extent.end) } else { None }
        },
    )
    .unwrap_or_else(|_| abort::unsupported("its dynamic loader cannot be loaded"))
}

fn load(
    path: &OsStr,
    memory: &mut Memory,
    place: fn(Range<u64>, &mut Memory) -> Option<u64>,
) -> Result<Image, &'static str> {
    let file = File::open(path).map_err(|_| "it cannot be read")?;
    let elf = Program::read(&file, REACH)?;
    let start = elf.segments.iter().map(|segment| segment.address).min().unwrap_or(0);
    let end = elf.segments.iter().map(|segment| segment.address + segment.bytes).max();
    let base = place(start..end.unwrap_or(0), memory)
        .ok_or("it is too large, or linked to an unusual address")?;
    let mut image = Image {
        base,
        entry: base + elf.entry,
        segments: 0,
        segment_count: elf.count,
        loader: elf.loader.map(OsString::from_vec),
    };
    for segment in &elf.segments {
        map(&file, base, segment, memory)?;
        if (segment.offset..segment.offset + segment.file_bytes).contains(&elf.table) {
            image.segments = base + segment.address + (elf.table - segment.offset);
        }
    }
    Ok(image)
}

fn map(file: &File, base: u64, segment: &Segment, memory: &mut Memory) -> Result<(), &'static str> {
    let (write, code) = (segment.is_writable, segment.is_executable);
    if write && code {
        return Err("it has memory that is both writable and executable");
    }
    let allows = |is_allowed, protection| if is_allowed { protection } else { 0 };
    let protection = allows(segment.is_readable || code, libc::PROT_READ)
        | allows(write, libc::PROT_WRITE)
        | allows(code, libc::PROT_EXEC);
    let inset = segment.address % PAGE;
    let address = base + segment.address;
    let (start, in_file, end) =
        (address - inset, address + segment.file_bytes, address + segment.bytes);
    let mut mapped = start;
    if segment.file_bytes > 0 {
        let offset = segment.offset.checked_sub(inset).ok_or(UNMAPPED)?;
        let flags = sys::word(libc::MAP_PRIVATE | libc::MAP_FIXED);
        let descriptor = sys::word(file.as_raw_fd());
        let arguments = [start, in_file - start, sys::word(protection), flags, descriptor, offset];
        // SAFETY: `place` has found that this range is the image's.
        sys::value(unsafe { sys::call(libc::SYS_mmap, arguments) }).map_err(|_| UNMAPPED)?;
        mapped = whole_pages(in_file);
    }
    if end > in_file && write && mapped > in_file {
        let rest = usize::try_from(mapped.min(whole_pages(end)) - in_file).unwrap_or(0);
        // SAFETY: the rest of the segment's last page in the file, which is mapped and writable.
        unsafe { (in_file as *mut u8).write_bytes(0, rest) };
    }
    if end > mapped {
        let bytes = whole_pages(end) - mapped;
        sys::map(mapped, bytes, protection, libc::MAP_FIXED).map_err(|_| UNMAPPED)?;
    }
    // No translation exists yet that could be stale.
    let _ = memory.changed(start, end - start, code);
    Ok(())
}
