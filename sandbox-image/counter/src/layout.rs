//! The layout of the address space. All code of the program is in the first 2 GiB, so every return
//! address fits 32 bits. The kernel chooses no address of the program, so the program gets the same
//! addresses in every run.
//!
//! Everything of the counter is above [`ADDRESSES_END`], where the program cannot map anything and
//! no system call accesses anything for it. Generated code and its data are in one area at a random
//! place among [`HIDDEN`], which only the base of gs tells. Places in the area are offsets.

use std::ops::Range;

/// The granularity of mappings.
pub(crate) const PAGE: u64 = 4096;
/// [`PAGE`] as a `usize`.
pub(crate) const PAGE_BYTES: usize = 4096;
/// Addresses of the program itself: a position-independent program is at the start, any other at
/// its own address.
pub(crate) const MAIN: Range<u64> = 0x40_0000..0x4000_0000;
/// Addresses of the dynamic loader, and of every file that is mapped without a requested address.
pub(crate) const FILES: Range<u64> = 0x4000_0000..0x6800_0000;
/// The first address that cannot have code.
pub(crate) const REACH: u64 = 1 << 31;

/// Possible places of the counter's area: 2^33 pages.
pub(crate) const HIDDEN: Range<u64> = 0x3100_0000_0000..0x5100_0000_0000;
/// Size of the counter's area. It begins with the [`Context`](crate::context::Context).
pub(crate) const AREA_BYTES: u64 = 0xC00_0000;
/// The program's vector registers while our own code runs.
pub(crate) const VECTORS: u64 = 0x1000;
/// A byte for every system call number: whether the counter must intercept the call.
pub(crate) const CALLS: u64 = 0x1_0000;
/// The table for jumps whose target is known only at run time; see
/// [`links`](crate::translation::block_chaining).
pub(crate) const BUCKETS: u64 = 0x2_0000;
/// The number of entries of this table: one for each value of the low 16 bits of an address.
pub(crate) const BUCKET_COUNT: usize = 1 << 16;
/// Translated code.
pub(crate) const HOT: Range<u64> = 0x10_0000..0x500_0000;
/// Code that runs once, on the way to code that is not translated yet.
pub(crate) const COLD: Range<u64> = HOT.end..0x800_0000;
/// Table of offsets: for the low 16 bits of a target's address, where in a call's cache
/// ([`CACHES`]) the entry of that target is.
pub(crate) const SPREADS: u64 = COLD.end;
/// Numbers of instructions that each block of the program executed.
pub(crate) const TALLIES: Range<u64> = COLD.end + 0x10_0000..COLD.end + 0x80_0000;
/// Caches of the targets that each call of the program has had so far.
pub(crate) const CACHES: Range<u64> = TALLIES.end..AREA_BYTES;

/// The emulated program break begins here.
pub(crate) const BREAK: u64 = 0x1000_0000_0000;
/// Maximum growth of the break, in bytes: more than any limit of address space allows.
pub(crate) const BREAK_BYTES: u64 = 1 << 40;
/// Anonymous mappings grow down from here.
pub(crate) const ANONYMOUS_END: u64 = 0x2000_0000_0000;
/// The program's stack grows down from here.
pub(crate) const STACK_END: u64 = 0x3000_0000_0000;
/// The largest stack of a program, even without a limit.
pub(crate) const STACK_BYTES: u64 = 1 << 30;
/// The first address that the program cannot use.
pub(crate) const ADDRESSES_END: u64 = STACK_END;

/// `bytes` rounded up to whole pages, saturating.
pub(crate) fn whole_pages(bytes: u64) -> u64 {
    bytes.checked_next_multiple_of(PAGE).unwrap_or(u64::MAX - (PAGE - 1))
}

/// An address in the first 2 GiB, or a place in the counter's area.
#[expect(clippy::cast_possible_truncation, reason = "all addresses of the layout fit")]
pub(crate) const fn absolute(address: u64) -> u32 {
    address as u32
}
