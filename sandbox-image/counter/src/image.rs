//! Loads the program and its dynamic loader as the kernel would.

use crate::layout::{FILES, MAIN, PAGE, whole_pages};
use crate::memory::Memory;
use crate::{report, sys};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::FileExt;

/// Segments of an image at most: nobody's linker makes so many.
const SEGMENTS: u64 = 64;
/// The longest path of a dynamic loader.
const LOADER_PATH_BYTES: u64 = 4096;
/// The sizes of the two headers that matter.
const HEADER_BYTES: usize = 64;
const SEGMENT_BYTES: usize = 56;
/// What an image for this machine begins with: the magic number, 64 bits, little-endian.
const MAGIC: &[u8] = b"\x7fELF\x02\x01";
const MACHINE: u64 = 62;
const EXECUTABLE: u64 = 2;
const SHARED: u64 = 3;
const PT_LOAD: u64 = 1;
const PT_INTERP: u64 = 3;
const PT_PHDR: u64 = 6;
const PF_X: u64 = 1;
const PF_W: u64 = 2;
const PF_R: u64 = 4;

/// An image as it lies in memory.
pub(crate) struct Image {
    /// What was added to all its addresses.
    pub(crate) base: u64,
    pub(crate) entry: u64,
    /// Where its segments are described, and how many there are.
    pub(crate) segments: u64,
    pub(crate) segment_count: u64,
    /// The path of its dynamic loader.
    pub(crate) loader: Option<OsString>,
}

struct Segment {
    flags: u64,
    offset: u64,
    address: u64,
    file_bytes: u64,
    bytes: u64,
}

fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    let field = bytes.get(at..at + size).unwrap_or_default();
    field.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Loads the program to where it belongs.
pub(crate) fn load_main(path: &OsStr, memory: &mut Memory) -> Image {
    load(path, memory, |extent, _| {
        let base = if extent.start < PAGE { MAIN.start } else { 0 };
        let fits = base + extent.start >= MAIN.start.min(extent.start.max(PAGE))
            && extent.end.checked_add(base).is_some_and(|end| end <= MAIN.end);
        fits.then_some(base)
    })
    .unwrap_or_else(|reason| report::unsupported(reason))
}

/// Loads the dynamic loader among the files.
pub(crate) fn load_loader(path: &OsStr, memory: &mut Memory) -> Image {
    load(path, memory, |extent, memory| {
        let place = memory.place_file(extent.end).filter(|place| FILES.contains(place));
        place.filter(|_| extent.start < PAGE)
    })
    .unwrap_or_else(|_| report::unsupported("its dynamic loader cannot be loaded"))
}

type Placed<'a> = &'a dyn Fn(Range<u64>, &mut Memory) -> Option<u64>;

fn load(
    path: &OsStr,
    memory: &mut Memory,
    place: impl Fn(Range<u64>, &mut Memory) -> Option<u64>,
) -> Result<Image, &'static str> {
    let place: Placed<'_> = &place;
    let file = File::open(path).map_err(|_| "it cannot be read")?;
    let mut header = [0; HEADER_BYTES];
    file.read_exact_at(&mut header, 0).map_err(|_| "it is not a program")?;
    let kind = number(&header, 16, 2);
    if !header.starts_with(MAGIC)
        || number(&header, 18, 2) != MACHINE
        || ![EXECUTABLE, SHARED].contains(&kind)
    {
        return Err("it is not a program for this machine");
    }
    let (table, count) = (number(&header, 32, 8), number(&header, 56, 2));
    if count > SEGMENTS {
        return Err("it has too many segments");
    }
    let mut image = Image { base: 0, entry: 0, segments: 0, segment_count: count, loader: None };
    let mut segments = Vec::new();
    for at in 0..count {
        let mut entry = [0; SEGMENT_BYTES];
        let offset = table + at * SEGMENT_BYTES as u64;
        file.read_exact_at(&mut entry, offset).map_err(|_| "its header is broken")?;
        let field = |at| number(&entry, at, 8);
        match number(&entry, 0, 4) {
            PT_LOAD => segments.push(Segment {
                flags: number(&entry, 4, 4),
                offset: field(8),
                address: field(16),
                file_bytes: field(32),
                bytes: field(40),
            }),
            PT_INTERP => image.loader = Some(loader_path(&file, field(8), field(32))?),
            PT_PHDR => image.segments = field(16),
            _ => {}
        }
    }
    let ends = |segment: &Segment| segment.address.saturating_add(segment.bytes);
    let extent = segments.iter().map(|segment| segment.address).min().unwrap_or(0)
        ..segments.iter().map(ends).max().unwrap_or(0);
    image.base = place(extent, memory).ok_or("it is too large or linked to an unusual address")?;
    for segment in &segments {
        map(&file, image.base, segment, memory)?;
        let covered = segment.offset..segment.offset + segment.file_bytes;
        if image.segments == 0 && covered.contains(&table) {
            image.segments = segment.address + (table - segment.offset);
        }
    }
    image.segments += image.base;
    image.entry = image.base + number(&header, 24, 8);
    Ok(image)
}

fn loader_path(file: &File, offset: u64, bytes: u64) -> Result<OsString, &'static str> {
    let bytes = usize::try_from(bytes.min(LOADER_PATH_BYTES)).unwrap_or(0);
    let mut path = vec![0; bytes];
    file.read_exact_at(&mut path, offset).map_err(|_| "its header is broken")?;
    path.truncate(path.iter().position(|&byte| byte == 0).unwrap_or(bytes));
    Ok(OsString::from_vec(path))
}

fn map(file: &File, base: u64, segment: &Segment, memory: &mut Memory) -> Result<(), &'static str> {
    const FAILED: &str = "its segments cannot be mapped";
    let has = |flag, protection| if segment.flags & flag != 0 { protection } else { 0 };
    let (write, code) = (has(PF_W, libc::PROT_WRITE), has(PF_X, libc::PROT_EXEC));
    if write != 0 && code != 0 {
        return Err("it has memory that is both writable and executable");
    }
    let protection = has(PF_R, libc::PROT_READ) | write | code;
    let inset = segment.address % PAGE;
    let start = base + segment.address - inset;
    let (in_file, end) =
        (base + segment.address + segment.file_bytes, base + segment.address + segment.bytes);
    let mut mapped = start;
    if segment.file_bytes > 0 {
        let offset = segment.offset.checked_sub(inset).ok_or(FAILED)?;
        let flags = sys::word(libc::MAP_PRIVATE | libc::MAP_FIXED);
        let descriptor = sys::word(file.as_raw_fd());
        let length = in_file - start;
        let arguments = [start, length, sys::word(protection), flags, descriptor, offset];
        // SAFETY: `place` has found that this range is the image's.
        sys::value(unsafe { sys::call(sys::number(libc::SYS_mmap), arguments) })
            .map_err(|_| FAILED)?;
        mapped = whole_pages(in_file);
    }
    if end > in_file && write != 0 && mapped > in_file {
        let rest = usize::try_from(mapped.min(whole_pages(end)) - in_file).unwrap_or(0);
        // SAFETY: the rest of the segment's last page in the file, which is mapped and writable.
        unsafe { (in_file as *mut u8).write_bytes(0, rest) };
    }
    if end > mapped {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED | libc::MAP_NORESERVE;
        sys::map(mapped, whole_pages(end) - mapped, protection, flags).map_err(|_| FAILED)?;
    }
    let _ = memory.changed(start, end - start, code != 0);
    Ok(())
}
