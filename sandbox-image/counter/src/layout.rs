//! Where everything lies. All code, the program's and ours, is in the first 2 GiB: every
//! displacement and every return address then fits 32 bits, and what generated code uses has an
//! address that is a constant. Nothing is left to the kernel's choice, so that the program meets
//! the same addresses in every run.

use std::ops::Range;

/// The granularity of mappings.
pub(crate) const PAGE: u64 = 4096;
/// The same as a length.
pub(crate) const PAGE_BYTES: usize = 4096;
/// The program itself: a position-independent one at the start, another where it says.
pub(crate) const MAIN: Range<u64> = 0x40_0000..0x4000_0000;
/// The dynamic loader, and every file that is mapped without a wish for a place.
pub(crate) const FILES: Range<u64> = 0x4000_0000..0x6800_0000;
/// What belongs to the counter and must be within reach of generated code.
pub(crate) const OURS: Range<u64> = 0x6800_0000..0x7400_0000;
/// The first address that generated code cannot reach.
pub(crate) const REACH: u64 = 1 << 31;

/// The [`Context`](crate::context::Context).
pub(crate) const CONTEXT: u64 = OURS.start;
/// The program's vector registers while our own code runs.
pub(crate) const VECTORS: u64 = OURS.start + 0x1000;
/// A byte for every number of a system call: whether the counter must see it.
pub(crate) const CALLS: u64 = OURS.start + 0x1_0000;
/// The entry for every jump whose target is known only when it happens; see
/// [`links`](crate::translation::block_chaining).
pub(crate) const BUCKETS: u64 = OURS.start + 0x2_0000;
/// How many entries there are: all that 16 bits of an address distinguish.
pub(crate) const BUCKET_COUNT: usize = 1 << 16;
/// Translated code.
pub(crate) const HOT: Range<u64> = OURS.start + 0x10_0000..OURS.start + 0x500_0000;
/// The code that is run once, on the way to what is not translated yet.
pub(crate) const COLD: Range<u64> = HOT.end..OURS.start + 0x800_0000;
/// For every low 16 bits of an address, which entries of a call's [`CACHES`] it uses.
pub(crate) const SPREADS: u64 = COLD.end;
/// How often each block of the program was executed.
pub(crate) const TALLIES: Range<u64> = COLD.end + 0x10_0000..COLD.end + 0x80_0000;
/// Where each call of the program has led to.
pub(crate) const CACHES: Range<u64> = TALLIES.end..OURS.end;

/// The emulated program break begins here.
pub(crate) const BREAK: u64 = 0x1000_0000_0000;
/// How far it can grow: past what any limit of address space allows.
pub(crate) const BREAK_BYTES: u64 = 1 << 40;
/// Anonymous mappings grow down from here.
pub(crate) const ANONYMOUS_END: u64 = 0x2000_0000_0000;
/// The program's stack grows down from here.
pub(crate) const STACK_END: u64 = 0x3000_0000_0000;
/// The largest stack that a program gets, also where there is no limit.
pub(crate) const STACK_BYTES: u64 = 1 << 30;
/// The first address that is not a program's.
pub(crate) const ADDRESSES_END: u64 = 1 << 47;

/// `bytes` rounded up to whole pages; saturates.
pub(crate) fn whole_pages(bytes: u64) -> u64 {
    bytes.checked_next_multiple_of(PAGE).unwrap_or(u64::MAX - (PAGE - 1))
}

/// An address in the first 2 GiB.
#[expect(clippy::cast_possible_truncation, reason = "all addresses of the layout fit")]
pub(crate) const fn absolute(address: u64) -> u32 {
    address as u32
}
