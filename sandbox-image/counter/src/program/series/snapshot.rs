//! The program's memory and registers at one moment.
//!
//! Present pages are copied. All other pages are dropped when the snapshot is restored, so that the
//! kernel fills them anew: with zeros, or a file's content. Later mappings are removed.

use crate::abort;
use crate::context::{Context, address, context};
use crate::layout::{ADDRESSES_END, PAGE, PAGE_BYTES, VECTORS, whole_pages};
use crate::profiling::tallies::tallies;
use crate::program::call::Call;
use crate::program::memory::{Memory, Places};
use crate::sys;
use std::arch::asm;
use std::fs::{self, File};
use std::ops::Range;
use std::os::unix::fs::FileExt;

/// Maximum number of bytes of memory that are copied. A program that has more at its first input is
/// started anew for each input.
const MAX_COPIED_BYTES: u64 = 16 << 20;
/// Absent pages are copied as well if there are at most this many between present ones: dropping
/// them would take longer.
const SMALL_GAP: usize = 8;
/// Used size of the saved vector registers, in bytes: up to the end of the registers of AVX-512.
const VECTOR_BYTES: usize = 4096;
/// Bits of a page's entry that say that the page is in memory, or swapped out, see proc(5).
const IS_THERE: u64 = 0b11 << 62;
/// The length of a page's entry in `/proc/self/pagemap`, in bytes.
const ENTRY_BYTES: usize = 8;
/// Size of the state of x87, in bytes.
const X87_BYTES: usize = 108;

pub(crate) struct Snapshot {
    context: Context,
    tallies: Vec<u64>,
    vectors: Vec<u8>,
    /// State of x87, which the counter does not save otherwise.
    x87: [u8; X87_BYTES],
    places: Places,
    regions: Vec<Region>,
    copies: Vec<Copy>,
    gaps: Vec<Range<u64>>,
}

/// A mapping of the program.
struct Region {
    range: Range<u64>,
    /// Whether the same mapping can be made again: it is anonymous, private and writable.
    is_renewable: bool,
    is_changed: bool,
}

/// A copy of adjacent pages.
struct Copy {
    start: u64,
    bytes: Vec<u8>,
}

impl Snapshot {
    /// `None` if there is too much to copy, or if the kernel does not say which pages are present.
    pub(crate) fn take(memory: &Memory) -> Option<Self> {
        let pages = File::open("/proc/self/pagemap").ok()?;
        let (mut regions, mut copies, mut gaps) = (Vec::new(), Vec::new(), Vec::new());
        let mut bytes = 0;
        for line in fs::read_to_string("/proc/self/maps").ok()?.lines() {
            let (range, is_writable, is_renewable) = region(line)?;
            if range.start >= ADDRESSES_END {
                continue;
            }
            if is_writable {
                let (there, absent) = split(&pages, &range)?;
                bytes += there.iter().map(|part| part.end - part.start).sum::<u64>();
                if bytes > MAX_COPIED_BYTES {
                    return None;
                }
                copies.extend(there.into_iter().map(Copy::of));
                gaps.extend(absent);
            }
            regions.push(Region { range, is_renewable, is_changed: false });
        }
        let mut x87 = [0; X87_BYTES];
        // SAFETY: the area is long enough. `prepare` has mapped the other areas, and nobody has
        // borrowed them.
        let (context, vectors) = unsafe {
            // `fnsave` also resets x87.
            asm!("fnsave [{0}]", "frstor [{0}]", in(reg) x87.as_mut_ptr());
            let vectors = std::slice::from_raw_parts(address(VECTORS) as *const u8, VECTOR_BYTES);
            (std::ptr::read(context()), vectors.to_vec())
        };
        let tallies = tallies().map_or_else(Vec::new, |tallies| tallies.values());
        Some(Self {
            context,
            tallies,
            vectors,
            x87,
            places: memory.places(),
            regions,
            copies,
            gaps,
        })
    }

    /// Notes which mappings the program's call changes. Returns whether all changes can be undone.
    pub(crate) fn covers(&mut self, call: &Call) -> bool {
        const EXECUTABLE: u64 = libc::PROT_EXEC as u64;
        let [start, bytes, third, flags, ..] = call.arguments;
        match call.number {
            // The counter chooses the place, so `Places` knows it.
            libc::SYS_mmap => start == 0 && flags & Call::PLACED == 0 && third & EXECUTABLE == 0,
            libc::SYS_mprotect => third & EXECUTABLE == 0 && self.change(start, bytes),
            libc::SYS_munmap => self.change(start, bytes),
            // A mapping that grows moves if it may, see `system_calls`.
            libc::SYS_mremap => {
                let moves = flags == sys::word(libc::MREMAP_MAYMOVE);
                let shrinks = third <= bytes && flags & sys::word(libc::MREMAP_FIXED) == 0;
                (moves || shrinks) && self.change(start, bytes)
            }
            _ => true,
        }
    }

    fn change(&mut self, start: u64, bytes: u64) -> bool {
        let end = start.saturating_add(whole_pages(bytes));
        let mut is_renewable = true;
        for region in &mut self.regions {
            if region.range.start < end && start < region.range.end {
                region.is_changed = true;
                is_renewable &= region.is_renewable;
            }
        }
        is_renewable
    }

    /// Restores the program's memory and registers.
    pub(crate) fn restore(&mut self, memory: &mut Memory) {
        memory.return_to(self.places);
        for region in self.regions.iter_mut().filter(|region| region.is_changed) {
            let Range { start, end } = region.range;
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            if sys::map(start, end - start, protection, libc::MAP_FIXED).is_err() {
                abort::exit(abort::UNSUPPORTED);
            }
            region.is_changed = false;
        }
        for &Range { start, end } in &self.gaps {
            let arguments = [start, end - start, sys::word(libc::MADV_DONTNEED)];
            // SAFETY: only the program's own memory.
            unsafe { sys::call(libc::SYS_madvise, arguments) };
        }
        if let Some(tallies) = tallies() {
            tallies.return_to(&self.tallies);
        }
        // SAFETY: these pages are the program's, which are mapped and writable again, and Rust
        // borrows none of them. The context is the one that was read, and the areas are mapped.
        unsafe {
            for Copy { start, bytes } in &self.copies {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), *start as *mut u8, bytes.len());
            }
            std::ptr::copy_nonoverlapping(
                self.vectors.as_ptr(),
                address(VECTORS) as *mut u8,
                self.vectors.len(),
            );
            std::ptr::copy_nonoverlapping(&raw const self.context, context(), 1);
            asm!(
                "frstor [{}]",
                in(reg) self.x87.as_ptr(),
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
            );
        }
    }
}

impl Copy {
    fn of(range: Range<u64>) -> Self {
        let bytes = usize::try_from(range.end - range.start).unwrap_or(0);
        // SAFETY: a readable mapping of the program, which nothing changes during the copy.
        let bytes = unsafe { std::slice::from_raw_parts(range.start as *const u8, bytes) };
        Self { start: range.start, bytes: bytes.to_vec() }
    }
}

/// The mapping in a line of `/proc/self/maps`: its range, whether it is private and writable, and
/// whether it is anonymous as well.
fn region(line: &str) -> Option<(Range<u64>, bool, bool)> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let address = |text| u64::from_str_radix(text, 16).ok();
    let is_writable = fields.next()?.starts_with("rw-p");
    let is_anonymous = fields.nth(2)? == "0";
    Some((address(start)?..address(end)?, is_writable, is_writable && is_anonymous))
}

/// Parts of a mapping, in order.
type Parts = Vec<Range<u64>>;

/// The parts of a range that are copied, and those that are dropped.
fn split(pages: &File, range: &Range<u64>) -> Option<(Parts, Parts)> {
    let count = usize::try_from((range.end - range.start) / PAGE).ok()?;
    let mut entries = vec![0; count * ENTRY_BYTES];
    pages.read_exact_at(&mut entries, range.start / PAGE * ENTRY_BYTES as u64).ok()?;
    let is_there =
        |entry: &[u8]| entry.try_into().is_ok_and(|it| u64::from_le_bytes(it) & IS_THERE != 0);
    let mut parts: Vec<(bool, Range<u64>)> = Vec::new();
    for (at, entry) in entries.chunks(ENTRY_BYTES).enumerate() {
        let start = range.start + (at * PAGE_BYTES) as u64;
        match parts.last_mut() {
            Some((there, part)) if *there == is_there(entry) => part.end = start + PAGE,
            _ => parts.push((is_there(entry), start..start + PAGE)),
        }
    }
    let is_small = |part: &Range<u64>| part.end - part.start <= (SMALL_GAP * PAGE_BYTES) as u64;
    let (mut copied, mut gaps) = (Parts::new(), Parts::new());
    for (there, part) in parts {
        match copied.last_mut() {
            _ if !there && !is_small(&part) => gaps.push(part),
            Some(last) if last.end == part.start => last.end = part.end,
            _ => copied.push(part),
        }
    }
    Some((copied, gaps))
}
