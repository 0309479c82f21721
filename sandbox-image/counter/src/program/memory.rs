//! Tracks the program's mappings as far as the counter needs them: which pages are code, which have
//! been translated, and where the next mapping goes.

use crate::abort;
use crate::layout::absolute;
use crate::layout::{
    ANONYMOUS_END, BREAK, BREAK_BYTES, FILES, PAGE, PAGE_BYTES, REACH, whole_pages,
};
use crate::sys;
use crate::translation::block::BLOCK_BYTES;

/// Flag of a page that holds code.
const CODE: u8 = 1;
/// Flag of a page of which some code has been translated.
const TRANSLATED: u8 = 2;
/// The number of pages that can hold code.
const PAGES: usize = (REACH / PAGE) as usize;

/// A page of the kernel that can be called but not read, `VSYSCALL_ADDR` of `asm/vsyscall.h`.
const VSYSCALL: u64 = 0xffff_ffff_ff60_0000;

pub(crate) struct Memory {
    pages: Vec<u8>,
    places: Places,
    /// Whether code has been mapped where it cannot be translated.
    far_code: bool,
}

/// Addresses of the next mappings.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    next_file: u64,
    anonymous: u64,
    program_break: u64,
}

impl Memory {
    pub(crate) fn new() -> Self {
        Self {
            pages: vec![0; PAGES],
            places: Places {
                next_file: FILES.start,
                anonymous: ANONYMOUS_END,
                program_break: BREAK,
            },
            far_code: false,
        }
    }

    /// The pages of a range that can hold code.
    fn pages(&mut self, start: u64, bytes: u64) -> &mut [u8] {
        let end = start.saturating_add(whole_pages(bytes)).min(REACH);
        let page = |address: u64| usize::try_from(address / PAGE).unwrap_or(PAGES);
        self.pages.get_mut(page(start)..page(end)).unwrap_or_default()
    }

    /// Records that a range has been mapped, unmapped or given another protection. Returns whether
    /// it has translations, which must be forgotten.
    #[must_use]
    pub(crate) fn changed(&mut self, start: u64, bytes: u64, code: bool) -> bool {
        self.far_code |= code && start.saturating_add(bytes) > REACH;
        let pages = self.pages(start, bytes);
        let translated = pages.iter().any(|page| page & TRANSLATED != 0);
        pages.fill(if code { CODE } else { 0 });
        translated
    }

    pub(crate) fn is_translated(&mut self, start: u64, bytes: u64) -> bool {
        self.pages(start, bytes).iter().any(|page| page & TRANSLATED != 0)
    }

    pub(crate) fn is_code(&self, address: u32) -> bool {
        self.pages.get(address as usize / PAGE_BYTES).is_some_and(|page| page & CODE != 0)
    }

    /// The target of a jump as 32 bits. Ends the program if the target cannot be translated.
    pub(crate) fn reachable(&self, target: u64) -> u32 {
        if target < REACH && self.is_code(absolute(target)) {
            return absolute(target);
        }
        if target & !(PAGE - 1) == VSYSCALL {
            abort::unsupported("it calls the kernel's vsyscall page");
        }
        if target >= REACH && self.far_code {
            abort::unsupported("it runs code that it made itself or that is too far away");
        }
        sys::fault()
    }

    /// The bytes that a block at `start` can consist of. Marks their pages as translated. `start`
    /// must be code.
    pub(crate) fn code(&mut self, start: u32) -> &'static [u8] {
        let first = start as usize / PAGE_BYTES;
        let mut end = first;
        while end < first + 2 && self.pages.get(end).is_some_and(|page| page & CODE != 0) {
            self.pages[end] |= TRANSLATED;
            end += 1;
        }
        let bytes = (end * PAGE_BYTES - start as usize).min(BLOCK_BYTES);
        // SAFETY: these pages are mapped and executable, hence readable, and not writable. So
        // nothing changes them while the block is decoded and copied.
        unsafe { std::slice::from_raw_parts(start as usize as *const u8, bytes) }
    }

    /// An address for `bytes` in the area of files, if there is space.
    pub(crate) fn place_file(&mut self, bytes: u64) -> Option<u64> {
        let place = self.places.next_file;
        let end = place.checked_add(whole_pages(bytes)).filter(|&end| end <= FILES.end)?;
        self.places.next_file = end;
        Some(place)
    }

    /// An address for anonymous memory, if there is space.
    pub(crate) fn place_anonymous(&mut self, bytes: u64) -> Option<u64> {
        let place = self.places.anonymous.checked_sub(whole_pages(bytes))?;
        self.places.anonymous = Some(place).filter(|&place| place > BREAK + BREAK_BYTES)?;
        Some(place)
    }

    pub(crate) fn places(&self) -> Places {
        self.places
    }

    /// Removes all mappings that were placed after `places` was read. None of them has code.
    pub(crate) fn return_to(&mut self, places: Places) {
        self.move_break(places.program_break);
        let now = self.places;
        sys::unmap(now.anonymous, places.anonymous);
        sys::unmap(places.next_file, now.next_file);
        self.places = places;
    }

    /// Moves the program break, and returns the new break.
    pub(crate) fn move_break(&mut self, wish: u64) -> u64 {
        if !(BREAK..=BREAK + BREAK_BYTES).contains(&wish) {
            return self.places.program_break;
        }
        let (old, new) = (whole_pages(self.places.program_break), whole_pages(wish));
        if new > old {
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            if sys::map(old, new - old, protection, libc::MAP_FIXED).is_err() {
                return self.places.program_break;
            }
        } else if new < old {
            sys::unmap(new, old);
        }
        self.places.program_break = wish;
        wish
    }
}
