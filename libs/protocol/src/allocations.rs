//! A program's allocations, as its own malloc records them.

use crate::execution::{Execution, Written};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maximum number of sites in a [`Record`], including the one that collects all others.
pub const MAX_SITES: usize = 512;
/// Maximum number of calls in one trace.
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
    /// The record, up to the end of the run however it ended; absent if there is none.
    pub record: Option<Record>,
    /// The run's output.
    pub written: Written,
}

/// A program's allocations from its first static constructor on. The program can overwrite all of
/// this.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The sums.
    pub sums: Sums,
    /// The time of the last call, in nanoseconds from the first call.
    pub last_ns: u64,
    /// Sites where memory was requested. The one with the largest part of the peak comes first; the
    /// one that collects all others comes last.
    pub sites: Vec<Site>,
    /// Live memory over time.
    pub snapshots: Vec<Snapshot>,
    /// The first calls in order, at most [`MAX_EVENTS`].
    pub events: Vec<Event>,
    /// The number of later calls, which were dropped.
    pub events_dropped: u64,
    /// Output of `addr2line -a -i -f -C` for the traces' addresses, as many as there was room for.
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
    /// The largest sum of live bytes, as they were requested.
    pub peak_bytes: u64,
    /// Live blocks at that time.
    pub peak_blocks: u64,
    /// Time at which the peak was first reached, in nanoseconds from the first call.
    pub peak_ns: u64,
    /// Blocks that were live at the end.
    pub left_blocks: u64,
    /// Their bytes.
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
    /// for a request that a library made on its own; `None` for the site that collects all others.
    pub trace: Option<Vec<u64>>,
    /// Calls.
    pub allocations: u64,
    /// The bytes that they requested.
    pub allocated_bytes: u64,
    /// The site's live bytes at the peak.
    pub peak_bytes: u64,
    /// The site's blocks that were live at the end.
    pub left: Left,
}

/// Blocks that were live at the end. There is no entry without a block.
pub type Left = BTreeMap<LeftKind, Blocks>;

/// Adds blocks to those that are left. All figures come from the program, so the sums saturate.
pub fn add_left(sum: &mut Left, more: &Left) {
    for (kind, part) in more {
        let sum = sum.entry(*kind).or_default();
        sum.blocks = sum.blocks.saturating_add(part.blocks);
        sum.bytes = sum.bytes.saturating_add(part.bytes);
    }
}

/// Some blocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocks {
    /// Their number.
    pub blocks: u64,
    /// The bytes that were requested.
    pub bytes: u64,
}

/// Kind of a block by what still pointed to it at the end, as valgrind's memcheck tells blocks
/// apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LeftKind {
    /// Nothing.
    Lost,
    /// Only lost blocks.
    IndirectlyLost,
    /// Only pointers into its middle.
    PossiblyLost,
    /// Variables, or blocks that they reach.
    Reachable,
    /// A library's buffer for the standard streams or for a file of stdio, which lives until the
    /// end by design.
    StreamBuffer,
    /// Not known, because nobody looked: the program did not end by `exit`, other threads went on,
    /// blocks were untracked, or memory was unreadable.
    Unknown,
}

/// Live memory at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// In nanoseconds from the first call.
    pub time_ns: u64,
    /// Bytes.
    pub live_bytes: u64,
    /// Blocks.
    pub live_blocks: u64,
}

/// One call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// In nanoseconds from the first call.
    pub time_ns: u64,
    /// The function that was called.
    pub function: Function,
    /// The block.
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

    /// The function's name in C++.
    pub fn as_str(self) -> &'static str {
        Self::NAMES[self as usize].1
    }
}
