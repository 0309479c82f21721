//! The channel between a sandbox's host and the runner inside it.
//!
//! ```text
//! host                          runner
//!  |  <---------- Hello ---------  |   once; other SOURCES are refused
//!  |  --------- KeepTo ----------> |   once: processors for all but measured programs, no answer
//!  |  --------- Put (n times) ---> |   a file in pieces, no answer
//!  |  --------- Compile ---------> |
//!  |  <-------- Compiled --------  |
//!  |  --------- Fetch (n times) -> |   a binary in pieces
//!  |  <-------- Fetched ---------  |
//!  |  --------- Generate --------> |   an input, by the recipe that was put
//!  |  <-------- Generated -------- |
//!  |  -------- Continue ---------> |   a longer input, no answer
//!  |  --------- Run -------------> |   a batch of repetitions under a stop rule,
//!  |  <--------- Batch ----------  |   so that nothing crosses between two samples
//!  |  --------- Probe -----------> |   one run whose memory is read, not timed
//!  |  <-------- Probed ----------  |
//!  |  --------- Count -----------> |   one run under the instruction counter, not timed
//!  |  <-------- Counted ---------  |
//!  |  ------ CountForked --------> |   the same, in a process that is forked before its input
//!  |  <-------- Counted ---------  |
//!  |  ------ CountByLine --------> |   the same, keeping where the instructions were executed
//!  |  <-------- Counted ---------  |
//!  |  ------- ReadLines ---------> |
//!  |  <--------- Lines ----------  |   the lines of what was kept
//!  |  ------ CountSeries --------> |   the same on many inputs that were put, in one process
//!  |  <----- CountedSeries ------  |
//!  |  --------- Trace -----------> |   the same, by lines, functions and chains of calls
//!  |  <-------- Traced ----------  |
//!  |  -------- FindFault --------> |   one run, traced to its crash or to its limit of time
//!  |  <-------- Faulted ---------  |
//!  |  ------- SampleLines -------> |   one run, stopped at intervals for a look at its stack
//!  |  <------ SampledLines ------  |
//!  |  --------- Profile ---------> |
//!  |  <-------- Profiled --------  |
//!  |  -------- Allocate ---------> |   one run whose malloc records its calls, not timed
//!  |  <------- Allocated --------  |
//!  |  ------- FetchStdout -------> |   the last run's stdout in pieces, for a checker
//!  |  <-------- Fetched ---------  |
//!  |  ---------- Check ----------> |   in another sandbox: the checker's verdict on it
//!  |  <-------- Checked ---------  |
//!  |  ----------- Make ----------> |   in another sandbox: an input, by a caller's generator
//!  |  <---------- Made ----------  |
//! ```
//!
//! One request is under way at a time. If the host sends anything during a request, or if the
//! channel ends at any time, the runner kills all of the program's processes and exits.
//!
//! A frame is a little-endian `u32` length and that many bytes of postcard. Both sides are built
//! from the same sources ([`SOURCES`]), so no other version ever has to read the encoding.

#![forbid(unsafe_code)]

mod allocations;
pub mod ask;
mod compile;
mod enter;
mod execution;
mod frame;
mod message;
mod run;
mod side_runs;
mod trace;
mod variant;

pub use allocations::{
    Allocated, Blocks, Event, Function, Left, LeftKind, MAX_EVENTS, MAX_FRAMES, MAX_LINES_BYTES,
    MAX_SITES, Record, Site, Snapshot, Sums, add_left,
};
pub use ask::Ask;
pub use compile::libraries::{FURTHER_LIBRARIES, LIBRARIES, LOADER};
pub use compile::{
    Binary, CheckedFile, Compile, Compiled, DEFAULT_FLAGS, Fetch, FetchStdout, File, Generate,
    Generated, LINE_FLAGS, ListedFile, PRECOMPILED_DEPENDENCIES, PRECOMPILED_DIR,
    PRECOMPILED_HEADER, Piece, bundled, header_flags, header_folder, read_list,
};
pub use enter::{ENTER_IDS, Enter, Hello, RUN_CGROUP, RUNNER_CGROUP};
pub use execution::{
    BatchResult, Breach, Ending, Execution, InteractorRun, OTHERS_NS, OTHERS_SHARE, Sample,
    WordDigest, Written,
};
pub use frame::{FrameError, MAX_FRAME_BYTES, decode, encode, read_frame, write_frame};
pub use message::{Request, Response};
pub use run::{
    Budget, Clock, Continue, FIRST_PART, FileName, Input, Limits, MAX_FILE_NAME_BYTES, NamedFiles,
    Run, Stop, Subject,
};
pub use side_runs::{
    Check, Checked, CountSeries, Counted, CountedSeries, HELD_SLACK_BYTES, InputCount, Made, Make,
    Memory, Probed, Profile, Profiled, SeriesLines,
};
pub use trace::{
    Faulted, FunctionCost, LineCost, LineCounts, LineSamples, MAX_COUNTED_LINES, MAX_NAME_BYTES,
    MAX_SAMPLED_LINES, MAX_SAMPLES, MAX_STACK_CALLS, MAX_TRACE_FUNCTIONS, MAX_TRACE_LINES,
    MAX_TRACE_STACKS, SampleLines, SampledLines, SourceLine, Stack, StackCall, StackCost, Trace,
    Traced, original_name,
};
pub use variant::Variant;

use std::ops::Range;

/// SHA-256 of the sources of the runner, the counter, the generator and this protocol.
pub const SOURCES: &str = env!("RUNNER_SOURCES");
/// Largest piece of a file in one [`Request::Put`], in bytes.
pub const MAX_PIECE_BYTES: usize = 128 << 10;
/// Maximum number of inputs of a series.
pub const MAX_SERIES_INPUTS: usize = 64;
/// Maximum number of basic blocks in the result for one input of a series.
pub const MAX_INPUT_BLOCKS: usize = 1024;
/// Maximum number of lines with code of a program whose reached lines are known.
pub const MAX_CODE_LINES: usize = 4000;
/// Maximum size of the inputs of a series, including the length before each, in bytes.
pub const MAX_SERIES_BYTES: usize = 1 << 20;
/// Maximum size of the kept part of a compiler's or a tool's output, in bytes.
pub const MAX_DIAGNOSTIC_BYTES: usize = 256 << 10;
/// Maximum size of the list of the files that a compilation read, in bytes.
pub const MAX_DEPENDENCIES_BYTES: usize = 128 << 10;
/// Maximum size of the kept part of a gprof listing, in bytes.
pub const MAX_LISTING_BYTES: usize = 512 << 10;
/// Largest file of a tool's output that the runner keeps for later runs of a build, in bytes.
pub const MAX_KEPT_BYTES: u64 = 2 << 20;
/// Number of files of up to [`MAX_KEPT_BYTES`] that the runner keeps.
pub const KEPT_FILES: u64 = 4;
/// Maximum size of the kept end of a program's stderr, in bytes.
pub const MAX_STDERR_TAIL_BYTES: usize = 4 << 10;
/// Maximum size of the kept end of the stderr of the build [`Variant::Sanitized`], in bytes: a
/// report with the trace of a deep recursion.
pub const MAX_SANITIZER_BYTES: usize = 64 << 10;
/// Maximum size of the beginning of a program's stdout that can be requested, in bytes.
pub const MAX_STDOUT_HEAD_BYTES: u32 = 68 << 10;
/// Maximum size of the kept beginning of a checker's stderr, in bytes.
pub const MAX_CHECKER_MESSAGE_BYTES: usize = 1 << 10;
/// Group id, inside the sandbox, of every untrusted process. It is also the user id if the sandbox
/// has only one user. If the runner is the sandbox's root, the user id is one of [`USERS`].
pub const PROGRAM_ID: u32 = 10_001;
/// User ids of programs and interactors in sandboxes whose root is the runner. systemd gives these
/// ids to transient services, so people have others.
pub const USERS: Range<u32> = 61_184..65_520;
/// Group id of the interactor, if the runner is the sandbox's root.
pub const INTERACTOR_ID: u32 = PROGRAM_ID + 1;
/// The folder where the runner keeps the binary, the input and the outputs. Only the runner may
/// write there.
pub const WORK_DIR: &str = "/code";
/// The program's working folder, empty at the beginning of every run. Only the program may write
/// there.
pub const SCRATCH_DIR: &str = "/tmp";
/// Path of the runner in the image.
pub const RUNNER_PATH: &str = "/usr/local/bin/swiftprof-runner";
/// The runner's argument that makes it enter its own namespaces first; it then reads [`Enter`].
pub const ENTER: &str = "enter";
