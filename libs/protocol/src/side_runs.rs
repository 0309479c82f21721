//! Separate runs that are not timed: memory probe, instruction count, profile, checker and
//! generator.

use crate::execution::{Ending, Execution, Written};
use crate::run::{Limits, Run};
use crate::trace::SourceLine;
use serde::{Deserialize, Serialize};

/// Bytes by which a memory cgroup's count for a program may exceed the memory limit, or the
/// program's resident set. The count includes the kernel's memory for the program, such as page
/// tables and the kernel stacks of 64 threads.
pub const HELD_SLACK_BYTES: u64 = 16 << 20;

/// One run under the memory probe.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probed {
    /// Ending and figures of the run.
    pub execution: Execution,
    /// The memory; absent if this sandbox cannot probe, or if there was no reading.
    pub memory: Option<Memory>,
}

/// A process's memory from `/proc`, in bytes.
///
/// The runner reads it before every system call that can make a mapping smaller and before the
/// process exits, while the calling thread waits. Between two readings no mapping can shrink, so
/// the largest sizes of a process with one thread are exact. With several threads, one can map
/// memory during another's call, so `data_stack_bytes` can miss memory that lived for microseconds.
/// A process that a signal ends makes no last call (except by abort(3)), so its last reading is up
/// to a millisecond old. Threads share this memory. Memory of other processes of the run is not
/// read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Largest `VmData` + `VmStk`: used memory, as document 003 defines it.
    pub data_stack_bytes: u64,
    /// `VmPeak`, the largest `VmSize`.
    pub size_bytes: u64,
    /// `VmExe`.
    pub text_bytes: u64,
    /// Largest `VmSwap`.
    pub swap_bytes: u64,
    /// `VmRSS` at the last reading.
    pub resident_bytes: u64,
    /// `statm` at the reading with the largest resident set: size, resident, shared, text,
    /// lib, data + stack, dirty.
    pub statm_bytes: [u64; 7],
    /// Resident bytes of `[heap]` in `smaps`, the largest seen.
    pub heap_bytes: Option<u64>,
    /// Resident bytes of `[stack]` in `smaps`, the largest seen.
    pub stack_bytes: Option<u64>,
    /// Resident bytes in `smaps` without the pages of files, the largest seen. `smaps` counts
    /// page table entries, so this is exact. `ru_maxrss` is not exact: its counters are updated in
    /// batches.
    pub anonymous_bytes: Option<u64>,
    /// Largest memory of the run, as a memory cgroup counts it; absent without a memory cgroup. The
    /// cgroup counts the pages that the run's processes touch first: anonymous memory, shared
    /// mappings, page cache, files in scratch, and kernel memory. Not counted are output, and pages
    /// that others touched before (the binary, the input). If the run has a cgroup of its own, this
    /// is that cgroup's peak, which includes pages that an earlier run left in caches. Otherwise it
    /// is the largest growth of the sandbox's cgroup that was seen at a reading. The kernel charges
    /// pages in batches for each processor, so the figure is not exact to the page.
    pub cgroup_peak_bytes: Option<u64>,
    /// Number of readings of the memory.
    pub readings: u32,
}

/// One run under the instruction counter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// Ending of the run, and its figures under the counter.
    pub execution: Execution,
    /// Instructions in user mode, or why they could not be counted.
    pub instructions: Result<u64, String>,
    /// The instructions outside of libraries; absent if they could not be counted, or if the
    /// program is static.
    pub own_instructions: Option<u64>,
    /// The run's output.
    pub written: Written,
}

/// Request to run the program under the instruction counter on the inputs in
/// [`File::Inputs`](crate::File::Inputs), one after another in one process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountSeries {
    /// The program, and the limits of the whole process. Its `input` is ignored.
    pub run: Run,
    /// The time limit of one input on the wall clock, in milliseconds.
    pub each_ms: u64,
    /// The time after which no further input begins, in milliseconds.
    pub all_ms: u64,
    /// The lines to look at. If there are some, the program is the build
    /// [`Variant::Plain`](crate::Variant::Plain).
    pub lines: SeriesLines,
}

/// Lines of the program that a series looks at, besides counting all instructions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum SeriesLines {
    /// No line.
    None,
    /// The line whose instructions are counted.
    Cost(SourceLine),
    /// All lines: which of them each input reaches.
    Reached,
}

/// Known results for the inputs of a series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CountedSeries {
    /// Ending and figures of the process.
    pub execution: Execution,
    /// Results for the first inputs. The inputs after them have no result, and must be requested
    /// again.
    pub counts: Vec<InputCount>,
    /// For [`SeriesLines::Reached`]: the lines with code, at most
    /// [`MAX_CODE_LINES`](crate::MAX_CODE_LINES). Empty if they are not known.
    pub code_lines: Vec<SourceLine>,
}

/// The result of the instruction counter for one input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputCount {
    /// Ending of the program.
    pub ending: Ending,
    /// Instructions in user mode, or why they could not be counted.
    pub instructions: Result<u64, String>,
    /// The instructions outside of libraries, as in [`Counted`].
    pub own_instructions: Option<u64>,
    /// Addresses (in the binary) and instructions of the program's costliest basic blocks, at most
    /// [`MAX_INPUT_BLOCKS`](crate::MAX_INPUT_BLOCKS). Empty if the input was not counted in a
    /// series.
    pub blocks: Vec<(u32, u64)>,
    /// The instructions of the requested line, without those of libraries that it calls. Absent if
    /// no line was requested, or if there is no debug information.
    pub line_instructions: Option<u64>,
    /// Indices of the lines with code that this input reached and no earlier input of the series.
    pub new_lines: Vec<u32>,
}

impl From<Counted> for InputCount {
    fn from(counted: Counted) -> Self {
        let Counted { execution, instructions, own_instructions, .. } = counted;
        let (ending, blocks, line_instructions) = (execution.ending, Vec::new(), None);
        let new_lines = Vec::new();
        Self { ending, instructions, own_instructions, blocks, line_instructions, new_lines }
    }
}

/// A profile of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Profiled {
    /// Ending and figures of the instrumented program.
    pub execution: Execution,
    /// Distribution of the program's time.
    pub profile: Profile,
}

/// Distribution of a program's time over its code, from gprof and addr2line in the sandbox.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Profile {
    /// The program left no readable `gmon.out`.
    Absent,
    /// The flat profile of `gprof -b -l -p`.
    Listing(#[serde(with = "serde_bytes")] Vec<u8>),
    /// gprof failed, as many versions do if functions were inlined ("somebody miscounted"). This is
    /// the histogram from `gmon.out`, and the lines of its addresses from `addr2line`.
    Addresses {
        /// Samples by address, in the order of the addresses.
        samples: Vec<(u64, u16)>,
        /// `addr2line -a -i -f -C` of these addresses.
        #[serde(with = "serde_bytes")]
        lines: Vec<u8>,
    },
}

/// Request to run the build [`Variant::Plain`](crate::Variant::Plain) once as a checker. Its
/// arguments are the paths of the three [`CheckedFile`](crate::CheckedFile)s, which must have been
/// put: the input, the output and the expected output, as testlib wants them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// Limits of the checker.
    pub limits: Limits,
}

/// The result of a checker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// Ending and figures of the checker.
    pub execution: Execution,
    /// The beginning of the checker's stderr, at most
    /// [`MAX_CHECKER_MESSAGE_BYTES`](crate::MAX_CHECKER_MESSAGE_BYTES).
    #[serde(with = "serde_bytes")]
    pub message: Vec<u8>,
}

/// Request to run the build [`Variant::Plain`](crate::Variant::Plain) once as a generator. Its
/// arguments are the size and the seed, and its stdout is the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Make {
    /// The size.
    pub n: u64,
    /// The seed.
    pub seed: u32,
    /// Limits of the generator.
    pub limits: Limits,
}

/// The result of a generator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// Ending and figures of the generator.
    pub execution: Execution,
    /// Length and digests of the input, without its beginning.
    pub written: Written,
}
