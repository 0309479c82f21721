//! Policy: every bound of the system, by name.

use std::time::Duration;

/// One mebibyte, in bytes.
pub const MIB: u64 = 1 << 20;

/// Largest source, in bytes.
pub const MAX_SOURCE_BYTES: usize = 1 << 20;
/// Largest explicit input of one size, in bytes. It lies in the sandbox's work tmpfs.
pub const MAX_INPUT_BYTES: usize = 16 << 20;
/// Largest sum of a job's explicit inputs, in bytes.
pub const MAX_INPUTS_BYTES: usize = 48 << 20;
/// Largest input that a spec may describe, in bytes. It is made in the sandbox, next to the
/// program.
pub const MAX_GENERATED_BYTES: u64 = profiler_input::limits::MAX_BYTES;
/// Most of the beginning of stdout that a request may ask for, in bytes.
pub const MAX_STDOUT_BYTES: u32 = 4 << 10;
/// Most specs of one job: candidates for the worst case.
pub const MAX_CANDIDATES: usize = 8;
/// Longest spec, as it goes into a sandbox, in bytes.
pub const MAX_SPEC_BYTES: usize = 256 << 10;
/// How much work it may be to check the specs of a job at all sizes, in steps of
/// [`profiler_input::Estimate`]: about half a second.
pub const MAX_CHECK_STEPS: u64 = 1 << 24;
/// Most test cases of one job.
pub const MAX_TEST_CASES: usize = 64;
/// Longest answer that a test case may expect, in bytes; its input may be as long as an explicit
/// one.
pub const MAX_ANSWER_BYTES: usize = 64 << 10;
/// Largest input size.
pub const MAX_SIZE: u32 = 1_000_000_000;
/// Most sizes of one job.
pub const MAX_SIZES: usize = 64;
/// Most compiler flags of one job.
pub const MAX_FLAGS: usize = 64;
/// Longest compiler flag, in bytes.
pub const MAX_FLAG_BYTES: usize = 256;
/// Longest task id, in bytes.
pub const MAX_TASK_ID_BYTES: usize = 256;
/// Largest memory limit that a request may ask for, in MiB.
pub const MAX_MEMORY_MB: u32 = 16 << 10;
/// Smallest memory limit, in MiB: a C++ program's libraries alone need about 3.
pub const MIN_MEMORY_MB: u32 = 4;
/// Longest time limit of one run.
pub const MAX_TIMEOUT: Duration = Duration::from_secs(60);
/// Shortest time limit of one run.
pub const MIN_TIMEOUT: Duration = Duration::from_millis(1);

/// Time limit of one run, on the headline clock.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(2);
/// What a task's own runtime limit is widened by, so that a program just over it is still measured.
pub const RUNTIME_LIMIT_MARGIN: Duration = Duration::from_millis(250);
/// The hard stop of the wall clock is twice the time limit and this.
pub const WALL_MARGIN: Duration = Duration::from_millis(250);
/// Memory limit of one run, resident, in MiB.
pub const DEFAULT_MEMORY_MB: u32 = 512;
/// Stack of the program, in bytes.
pub const STACK_BYTES: u64 = 256 * MIB;
/// Largest file the program may write, stdout included, in bytes.
pub const FILE_BYTES: u64 = 50 * 1_000_000;
/// Processes and threads of the program, the sandbox's own included.
pub const PROCESSES: u64 = 64;
/// Open files of the program.
pub const OPEN_FILES: u64 = 1024;
/// `RLIMIT_AS` is this much above the memory limit: threads reserve stacks that they never touch,
/// and a mapping of some GiB that stays untouched is no offence.
pub const ADDRESS_SPACE_MARGIN_BYTES: u64 = 64 << 30;

/// Time limit of the compiler, processor time.
pub const COMPILE_CPU: Duration = Duration::from_secs(10);
/// Time limit of the compiler, wall clock.
pub const COMPILE_WALL: Duration = Duration::from_secs(20);
/// Memory limit of the compiler, in bytes.
pub const COMPILE_MEMORY_BYTES: u64 = 2048 * MIB;
/// Largest file the compiler may write, in bytes.
pub const COMPILE_FILE_BYTES: u64 = 64 * MIB;

/// What the empty build and the instruction counter take at most, in bytes: no program makes them
/// larger.
pub const TOOLS_BYTES: u64 = 16 * MIB;
/// What the builds of a job may take together, in bytes. An interactor is one of them.
pub const BUILDS_BYTES: u64 = 4 * COMPILE_FILE_BYTES;
/// Size of the runner's tmpfs, in bytes. All that a job can make the runner keep at one time fits,
/// or a program could fill it and so break what measures it: the builds, source, input, stdout,
/// stderr, what it tells in a run of its own, what is put beside them, and small files of the
/// runner's own. An interactor is the second source, and its stderr lies where stdout does without
/// one.
pub const WORK_TMPFS_BYTES: u64 = BUILDS_BYTES
    + 2 * MAX_SOURCE_BYTES as u64
    + MAX_GENERATED_BYTES
    + 3 * FILE_BYTES
    + TOOLS_BYTES
    + MIB;
/// Size of the program's tmpfs, in bytes.
pub const SCRATCH_TMPFS_BYTES: u64 = 96 * MIB;
/// Files in the program's tmpfs.
pub const SCRATCH_INODES: u64 = 4096;
/// What a sandbox's memory cgroup holds beside the program, its builds and its input: the rest of
/// both tmpfs and the runner. So our own bytes never kill the program. Children may take it
/// together before the kernel sees them at the limit, so it is no larger than it has to be.
pub const ALLOWANCE_BYTES: u64 =
    WORK_TMPFS_BYTES - BUILDS_BYTES - MAX_GENERATED_BYTES + SCRATCH_TMPFS_BYTES + 16 * MIB;
/// What a sandbox's memory cgroup holds while something is compiled, in bytes.
pub const COMPILING_BYTES: u64 = COMPILE_MEMORY_BYTES + BUILDS_BYTES + ALLOWANCE_BYTES;

/// For all test cases together.
pub const TEST_CASES_BUDGET: Duration = Duration::from_secs(10);
/// How long making one input may take.
pub const GENERATE_TIMEOUT: Duration = Duration::from_secs(10);
/// Address space of the process that makes an input, in bytes.
pub const GENERATE_BYTES: u64 = 256 * MIB;
/// Repetitions of one size, after the warm-up, before its headline may be known well enough.
pub const LEAST_REPETITIONS: u32 = 5;
/// Repetitions of one size at most: what is not known by then will not be.
pub const MOST_REPETITIONS: u32 = 100;
/// A size's share of the time budget; what a size leaves over passes on to the next. A default
/// report must take less than 2 s a size, all in all: the rest of that is for starting the sandbox,
/// for the compiler, the start-up, and a last repetition that takes longer than it was predicted
/// to.
pub const SHARE: Duration = Duration::from_millis(1500);
/// For all sizes of a schedule that grows, instead.
pub const AUTO_BUDGET: Duration = Duration::from_secs(20);
/// A size is looked into only if its median wall clock is at most this part of the budget that is
/// left.
pub const PROBE_PART: u32 = 4;
/// Runs of the runner's fixed piece of work, which says how fast the processor is.
pub const CALIBRATION_RUNS: u32 = 4;
/// For the runs of the calibration together; on a host that is not loaded they take about 15 ms.
pub const CALIBRATION_BUDGET: Duration = Duration::from_millis(100);
/// Runs of the empty program at least, the first included, which is not counted.
pub const LEAST_START_UPS: u32 = 6;
/// Runs of the empty program at most, the first included.
pub const MOST_START_UPS: u32 = 11;
/// For the runs of the empty program together; on a host that is not loaded they take about 10 ms,
/// but the first may find everything cold.
pub const START_UP_BUDGET: Duration = Duration::from_millis(500);
/// By how much the instruction counter may slow a run down, at its time limit.
pub const COUNT_SLOW_DOWN: u32 = 20;
/// Time limit of one counted run, whatever the program's own.
pub const MAX_COUNT: Duration = Duration::from_secs(60);
/// A size's share of the time for counting; what a size leaves over passes on to the next.
pub const COUNT_SHARE: Duration = Duration::from_secs(10);
/// For everything that is measured and counted for growth alone, where the job asks for it.
pub const GROWTH_BUDGET: Duration = Duration::from_secs(30);
/// The part of it that is for sizes of its own; the rest is for counting.
pub const GROWTH_SIZES_BUDGET: Duration = Duration::from_secs(12);
/// Time limit of a run at such a size.
pub const GROWTH_TIMEOUT: Duration = Duration::from_secs(1);
/// What the repetitions of such a size may take.
pub const GROWTH_SHARE: Duration = Duration::from_millis(500);
/// Sizes that are counted for growth.
pub const GROWTH_COUNTS: usize = 7;
/// What the counter needs beside the program where it says what was executed where, in bytes.
pub const TRACE_BYTES: u64 = 64 * MIB;
/// Addresses that the counter takes beside the program's own, in bytes: for the copy of its code,
/// and for its shadow stack.
pub const COUNTER_ADDRESS_BYTES: u64 = 2048 * MIB;
/// By how much recording its allocations may slow a run down, at its time limit.
pub const RECORD_SLOW_DOWN: u32 = 20;
/// Time limit of a run whose allocations are recorded, whatever the program's own.
pub const MAX_RECORD: Duration = Duration::from_secs(30);
/// What recording takes of the program's own memory at most, in bytes: the table of live blocks,
/// the smaller one that it was made from, and the record.
pub const RECORD_BYTES: u64 = 256 * MIB;
/// How often a job that waits for a measured core looks whether one is free.
pub const CORE_RETRY: Duration = Duration::from_millis(20);

/// How long starting a sandbox may take, up to the runner's first frame: 0.3 s on a host with
/// nothing else to do.
pub const START_TIMEOUT: Duration = Duration::from_secs(10);
/// What the runner may need beyond the limits of what it runs before it counts as silent. That is
/// the last resort: one that dies or is stopped is seen at once.
pub const ANSWER_MARGIN: Duration = Duration::from_secs(5);
/// How long a Docker daemon may take for one call. The slowest, removing a container, takes 0.2 s.
pub const DAEMON_TIMEOUT: Duration = Duration::from_secs(10);
/// How often an idle pool asks whether its sandboxes could still be started.
pub const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// How long the answer may take.
pub const CHECK_TIMEOUT: Duration = Duration::from_secs(2);
/// How many events may wait unread before the run waits for its reader.
pub const EVENT_QUEUE: usize = 256;
/// Sandboxes that wait, started, for the next job.
pub const WARM_SANDBOXES: usize = 1;
