//! What is learnt in runs of their own, of which nothing is timed.

use crate::ran::{Execution, Written};
use serde::{Deserialize, Serialize};

/// One run that was looked into.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probed {
    /// How it ended.
    pub execution: Execution,
    /// What was seen; absent where this sandbox may not look.
    pub memory: Option<Memory>,
}

/// A process's memory as `/proc` tells it, in bytes. It is looked at before every system call that
/// can make its mappings smaller, and when it is about to exit, while the calling thread waits:
/// between two looks a mapping cannot shrink, so the largest sizes of one thread are exact. Of
/// several, one may grow while another's call is let go, so `data_stack_bytes` may miss what lived
/// for microseconds. A process that a signal ends makes no last call (but abort(3) does): it is
/// known as of a millisecond before. Threads share all of this; other processes are not seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Largest `VmData` + `VmStk`: the memory used as document 003 defines it.
    pub data_stack_bytes: u64,
    /// `VmPeak`, the largest `VmSize`.
    pub size_bytes: u64,
    /// `VmExe`.
    pub text_bytes: u64,
    /// Largest `VmSwap`.
    pub swap_bytes: u64,
    /// `VmRSS` at the last look.
    pub resident_bytes: u64,
    /// `statm` at the look at which the resident set was largest: size, resident, shared, text,
    /// lib, data + stack, dirty.
    pub statm_bytes: [u64; 7],
    /// Resident bytes of `[heap]` in `smaps`, the largest seen.
    pub heap_bytes: Option<u64>,
    /// Resident bytes of `[stack]` in `smaps`, the largest seen.
    pub stack_bytes: Option<u64>,
    /// The peak of a memory cgroup that holds this run alone; absent where there is none. It
    /// counts what the run touched first: anonymous memory, page cache, files in a tmpfs, and the
    /// kernel's memory for it, of all its processes. What others had touched, like the binary and
    /// the input, it does not; what an earlier run left in caches it does. It is charged in
    /// batches of some pages a processor.
    pub cgroup_peak_bytes: Option<u64>,
    /// How often was looked.
    pub looks: u32,
}

/// One run under the instruction counter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// How it ended, and what it took under the counter.
    pub execution: Execution,
    /// Instructions in user mode, or why they could not be counted.
    pub instructions: Result<u64, String>,
    /// What it wrote.
    pub written: Written,
}

/// A profile of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Profiled {
    /// How the instrumented program ended.
    pub execution: Execution,
    /// Where its time went.
    pub profile: Profile,
}

/// Where a program's time went, as the tools of the sandbox tell it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Profile {
    /// The program left no readable `gmon.out`.
    Absent,
    /// `gprof -b -l -p`'s flat profile.
    Listing(#[serde(with = "serde_bytes")] Vec<u8>),
    /// gprof refused. Many versions do where functions were inlined ("somebody miscounted"): the
    /// histogram that it would have read, and the lines of its addresses by `addr2line`.
    Addresses {
        /// Samples by address, in the order of the addresses.
        samples: Vec<(u64, u16)>,
        /// `addr2line -a -i -f -C` of these addresses.
        #[serde(with = "serde_bytes")]
        lines: Vec<u8>,
    },
}
