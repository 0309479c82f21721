//! A program's allocations, as its own malloc records them.

use crate::execution::{Execution, Written};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maximum number of sites in a [`Record`], including the site that sums up all further ones.
pub const MAX_SITES: usize = 512;
/// Maximum number of calls in the trace of a site.
pub const MAX_FRAMES: usize = 32;
/// Maximum number of calls of malloc and its relatives that are kept one by one.
pub const MAX_EVENTS: usize = 10_000;
/// Longest output of addr2line about a record's traces, in bytes.
pub const MAX_LINES_BYTES: usize = 384 << 10;

/// The result of a run of the [`Variant::Allocations`](crate::Variant::Allocations) build.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Allocated {
    /// Ending and figures of the run.
    pub execution: Execution,
    /// The record, up to the end of the run, however it ended; absent if it cannot be read.
    pub record: Option<Record>,
    /// The run's output.
    pub written: Written,
}

/// A program's allocations from its first static constructor on. The program can forge all of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The sums.
    pub sums: Sums,
    /// The time of the last call, in nanoseconds from the first call.
    pub last_ns: u64,
    /// Sites where memory was requested. The one with the largest part of the peak comes first; the
    /// one that sums up all further sites comes last.
    pub sites: Vec<Site>,
    /// Live memory over time.
    pub snapshots: Vec<Snapshot>,
    /// The first calls in order, at most [`MAX_EVENTS`].
    pub events: Vec<Event>,
    /// The number of later calls, which were dropped.
    pub events_dropped: u64,
    /// Output of `addr2line -a -i -f -C` for as many of the traces' addresses as there was room
    /// for.
    #[serde(with = "serde_bytes")]
    pub lines: Vec<u8>,
}

/// Sums over all calls. They are exact unless blocks are [`untracked`](Self::untracked).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    /// Calls that allocated memory.
    pub allocations: u64,
    /// Blocks that were freed. A realloc frees its old block.
    pub frees: u64,
    /// The sum of all requested bytes.
    pub allocated_bytes: u64,
    /// The largest sum of requested bytes that were live at one time.
    pub peak_bytes: u64,
    /// Live blocks at the peak.
    pub peak_blocks: u64,
    /// Time at which the peak was first reached, in nanoseconds from the first call.
    pub peak_ns: u64,
    /// Blocks that were live at the end.
    pub left_blocks: u64,
    /// Bytes of the blocks that were live at the end.
    pub left_bytes: u64,
    /// Blocks that were allocated while more blocks were live than the hook can follow. The sums
    /// include their allocation, but not their free or realloc. So unless this is 0, every sum is a
    /// lower bound.
    pub untracked: u64,
}

/// A chain of calls that requested memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Addresses of the calls in the program, the innermost first, at most [`MAX_FRAMES`]. Empty
    /// for a request that a library made on its own; `None` for the site that sums up all further
    /// ones.
    pub trace: Option<Vec<u64>>,
    /// Number of calls that allocated memory.
    pub allocations: u64,
    /// Bytes that these calls requested.
    pub allocated_bytes: u64,
    /// The site's live bytes at the peak.
    pub peak_bytes: u64,
    /// The site's blocks that were live at the end.
    pub left: Left,
}

/// Blocks that were live at the end, by kind. Each entry has at least one block.
pub type Left = BTreeMap<LeftKind, Blocks>;

/// Adds `more` to `sum`. All figures come from the program, so the additions saturate.
pub fn add_left(sum: &mut Left, more: &Left) {
    for (kind, part) in more {
        let sum = sum.entry(*kind).or_default();
        sum.blocks = sum.blocks.saturating_add(part.blocks);
        sum.bytes = sum.bytes.saturating_add(part.bytes);
    }
}

/// Number and size of a group of blocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocks {
    /// Number of blocks.
    pub blocks: u64,
    /// Requested bytes.
    pub bytes: u64,
}

/// Kind of a block that was live at the end, by what pointed to it, as in valgrind's memcheck.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LeftKind {
    /// Nothing pointed to it.
    Lost,
    /// Only lost blocks pointed to it.
    IndirectlyLost,
    /// Pointers led only to its middle.
    PossiblyLost,
    /// A variable pointed to it, or a block that a variable reaches.
    Reachable,
    /// A library's buffer for the standard streams or for a file of stdio, which lives until the
    /// end by design.
    StreamBuffer,
    /// Unknown, because no search was made: the program did not end by `exit`, other threads went
    /// on, blocks were untracked, or memory was unreadable.
    Unknown,
}

/// Live memory at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Time from the first call, in nanoseconds.
    pub time_ns: u64,
    /// Live bytes.
    pub live_bytes: u64,
    /// Live blocks.
    pub live_blocks: u64,
}

/// One call of malloc or a relative of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Time from the first call, in nanoseconds.
    pub time_ns: u64,
    /// The function that was called.
    pub function: Function,
    /// Address of the block.
    pub address: u64,
    /// The requested bytes; 0 for a call that frees.
    pub bytes: u64,
    /// The index of the block's site in [`Record::sites`].
    pub site: u32,
}

/// malloc and its relatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each is called like its function")]
pub enum Function {
    Malloc,
    Calloc,
    Realloc,
    AlignedAlloc,
    PosixMemalign,
    Memalign,
    Valloc,
    Pvalloc,
    New,
    Free,
    Delete,
}

impl Function {
    /// Each function with its name in C++, in the order of the hook's numbers.
    pub const NAMES: [(Self, &'static str); 11] = [
        (Self::Malloc, "malloc"),
        (Self::Calloc, "calloc"),
        (Self::Realloc, "realloc"),
        (Self::AlignedAlloc, "aligned_alloc"),
        (Self::PosixMemalign, "posix_memalign"),
        (Self::Memalign, "memalign"),
        (Self::Valloc, "valloc"),
        (Self::Pvalloc, "pvalloc"),
        (Self::New, "new"),
        (Self::Free, "free"),
        (Self::Delete, "delete"),
    ];

    /// Does not compile if a function is missing from [`Self::NAMES`] or at another place.
    const ARE_IN_ORDER: () = {
        let mut at = 0;
        while at < Self::NAMES.len() {
            assert!(Self::NAMES[at].0 as usize == at);
            at += 1;
        }
        assert!(Self::Delete as usize + 1 == Self::NAMES.len());
    };

    /// The function's name in C++.
    pub fn as_str(self) -> &'static str {
        let () = Self::ARE_IN_ORDER;
        Self::NAMES[self as usize].1
    }
}
