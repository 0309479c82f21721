//! What a program allocated, as its own malloc tells it.

use crate::execution::{Execution, Written};
use serde::{Deserialize, Serialize};

/// Most sites of a [`Record`], the one that stands for all others included.
pub const MAX_SITES: usize = 512;
/// Most calls of one trace.
pub const MAX_FRAMES: usize = 32;
/// Most calls of malloc and its kin that are kept one by one.
pub const MAX_EVENTS: usize = 10_000;
/// Most of what addr2line says of a record's traces, in bytes.
pub const MAX_LINES_BYTES: usize = 384 << 10;

/// How a run went of the [`Variant::Allocations`](crate::Variant::Allocations) build.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Allocated {
    /// How it ended.
    pub execution: Execution,
    /// What was recorded, until then if it ended otherwise than it should; absent where nothing
    /// was.
    pub record: Option<Record>,
    /// What it wrote.
    pub written: Written,
}

/// What a program allocated from its first static constructor on. The program can write over all
/// of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The sums.
    pub sums: Sums,
    /// The last word: how long the calls went on, in nanoseconds from the first.
    pub last_ns: u64,
    /// Where memory was asked for: the largest part of the peak first, all that had no room last.
    pub sites: Vec<Site>,
    /// What was live over time.
    pub snapshots: Vec<Snapshot>,
    /// The first calls, at most [`MAX_EVENTS`], in their order.
    pub events: Vec<Event>,
    /// How many there were beyond those.
    pub events_dropped: u64,
    /// `addr2line -a -i -f -C` of the traces' addresses, of as many as there was room for.
    #[serde(with = "serde_bytes")]
    pub lines: Vec<u8>,
}

/// Sums over all calls, exact unless blocks are [`untracked`](Self::untracked).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    /// Calls that gave memory.
    pub allocations: u64,
    /// Blocks that were given back; a realloc gives its old one back.
    pub frees: u64,
    /// What was asked for in all, in bytes.
    pub allocated_bytes: u64,
    /// The most that was live at one time, in bytes as they were asked for.
    pub peak_bytes: u64,
    /// How many blocks were live then.
    pub peak_blocks: u64,
    /// When that was first so, in nanoseconds from the first call.
    pub peak_ns: u64,
    /// Blocks that were live at the end, the buffers of the standard streams left out.
    pub leaked_blocks: u64,
    /// Their bytes.
    pub leaked_bytes: u64,
    /// Blocks that were given when more were live than can be followed. That they were given is in
    /// the sums; what became of them, by free or realloc, is not, so unless this is 0 every sum is
    /// a lower bound.
    pub untracked: u64,
}

/// A chain of calls that asked for memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Addresses in the program at which the calls stand, the innermost first, at most
    /// [`MAX_FRAMES`]. Empty where a library called on its own; absent for all sites that there
    /// was no room for.
    pub trace: Option<Vec<u64>>,
    /// Calls.
    pub allocations: u64,
    /// What they asked for, in bytes.
    pub allocated_bytes: u64,
    /// What of it was live at the peak, in bytes.
    pub peak_bytes: u64,
    /// Blocks that were live at the end.
    pub leaked_blocks: u64,
    /// Their bytes.
    pub leaked_bytes: u64,
}

/// What was live at one moment.
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
    /// What was called.
    pub function: Function,
    /// The block.
    pub address: u64,
    /// What was asked for, in bytes; 0 of one that frees.
    pub bytes: u64,
    /// The block's place in [`Record::sites`].
    pub site: u32,
}

/// malloc and its kin.
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
    /// In the order of the hook's numbers.
    pub const ALL: [Self; 11] = [
        Self::Malloc,
        Self::Calloc,
        Self::Realloc,
        Self::AlignedAlloc,
        Self::PosixMemalign,
        Self::Memalign,
        Self::Valloc,
        Self::Pvalloc,
        Self::New,
        Self::Free,
        Self::Delete,
    ];

    /// As it is written in C++.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Malloc => "malloc",
            Self::Calloc => "calloc",
            Self::Realloc => "realloc",
            Self::AlignedAlloc => "aligned_alloc",
            Self::PosixMemalign => "posix_memalign",
            Self::Memalign => "memalign",
            Self::Valloc => "valloc",
            Self::Pvalloc => "pvalloc",
            Self::New => "new",
            Self::Free => "free",
            Self::Delete => "delete",
        }
    }
}
