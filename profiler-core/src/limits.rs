//! Policy: every bound of the system, by name.

use runner_protocol::{KEPT_FILES, MAX_KEPT_BYTES, MAX_SERIES_BYTES};
use std::time::Duration;

/// One mebibyte, in bytes.
pub const MIB: u64 = 1 << 20;

/// Factor by which this build waits longer for a program, the compiler or the runner. `cargo xtask
/// vm` builds for an emulated processor, which is some twenty times slower than a real one.
pub const PATIENCE: u32 = if option_env!("SWIFTPROF_EMULATED").is_some() { 6 } else { 1 };

/// Largest source, in bytes.
pub const MAX_SOURCE_BYTES: usize = 1 << 20;
/// Largest program that a caller has compiled, in bytes. A static program with debug information
/// fits.
pub const MAX_PROGRAM_BYTES: usize = 16 << 20;
/// Maximum number of a program's files besides the source.
pub const MAX_FILES: usize = 128;
/// Maximum number of folders of such files. A sandbox has few inodes.
pub const MAX_FOLDERS: usize = 256;
/// Longest path of such a file, in bytes.
pub const MAX_FILE_PATH_BYTES: usize = 255;
/// Maximum size of these files together, in bytes.
pub const MAX_FILES_BYTES: usize = 2 << 20;
/// Largest explicit input of one size, in bytes. The sandbox keeps the input in its work tmpfs.
pub const MAX_INPUT_BYTES: usize = 16 << 20;
/// Maximum size of all explicit inputs of a job together, in bytes.
pub const MAX_INPUTS_BYTES: usize = 48 << 20;
/// Largest input that a spec may describe, in bytes. The sandbox generates the input.
pub const MAX_GENERATED_BYTES: u64 = profiler_input::limits::MAX_BYTES;
/// Maximum number of input specs of one job. Each spec is a candidate for the worst case.
pub const MAX_CANDIDATES: usize = 8;
/// Longest encoded spec, in bytes.
pub const MAX_SPEC_BYTES: usize = 256 << 10;
/// Maximum work of checking a job's specs at all sizes, in steps of [`profiler_input::Estimate`].
/// The limit is worth about half a second. Fitting default sizes to the specs may take as much
/// again.
pub const MAX_CHECK_STEPS: u64 = 1 << 24;
/// Maximum number of test cases of one job.
pub const MAX_TEST_CASES: usize = 10_000;
/// Longest answer that a test case may expect, in bytes. The input of a test case may be as long as
/// an explicit input.
pub const MAX_ANSWER_BYTES: usize = 16 << 20;
/// Length of a SHA-256, in bytes.
pub const SHA256_BYTES: usize = 32;
/// Maximum size of the inputs and expected outputs of all test cases of a job together, in bytes.
pub const MAX_TESTS_BYTES: usize = 48 << 20;
/// Number of wrong test cases that a report describes, in order, and of those without a verdict. A
/// report of more has their results alone, so that it is never larger than a message.
pub const MAX_DESCRIBED_CASES: usize = 100;
/// Largest input size.
pub const MAX_SIZE: u64 = profiler_input::limits::MAX_N;
/// Largest size that the profiler chooses by itself, unless the job names a larger one. It fits an
/// int, because a program may read n as one.
pub const MAX_CHOSEN_SIZE: u64 = 1_000_000_000;
/// Maximum number of sizes of one job, and of explicit inputs.
pub const MAX_SIZES: usize = 64;
/// Maximum number of variables with a bound.
pub const MAX_BOUNDS: usize = 64;
/// Maximum number of bad fields of one request that are named. One more entry says that there are
/// others.
pub const MAX_VIOLATIONS: usize = profiler_input::limits::MAX_PROBLEMS;
/// Maximum number of compiler flags of one job.
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

/// Default time limit of one run, on the headline clock.
pub const DEFAULT_TIMEOUT: Duration = seconds(2);
/// Time that is added to a task's own runtime limit, so that a program just over that limit is
/// still measured.
pub const RUNTIME_LIMIT_MARGIN: Duration = Duration::from_millis(250);
/// Margin of a run's hard stop, which comes after twice the time limit plus this margin, on the
/// wall clock.
pub const WALL_MARGIN: Duration = Duration::from_millis(250);
/// Default limit of the resident set in one run, in MiB.
pub const DEFAULT_MEMORY_MB: u32 = 512;
/// Stack limit of the program, in bytes.
pub const STACK_BYTES: u64 = 256 * MIB;
/// Largest file that the program may write, in bytes. Stdout counts as a file.
pub const FILE_BYTES: u64 = 50 * 1_000_000;
/// Maximum number of processes and threads of the program, including those of the sandbox.
pub const PROCESSES: u64 = 64;
/// Maximum number of open files of the program.
pub const OPEN_FILES: u64 = 1024;
/// Margin of `RLIMIT_AS` above the memory limit, in bytes. Threads reserve stacks that they never
/// touch, and a large untouched mapping is harmless.
pub const ADDRESS_SPACE_MARGIN_BYTES: u64 = 64 << 30;

/// Limit of the compiler's processor time, unless a test sets another.
pub const COMPILE_CPU: Duration = seconds(10);
/// Limit of the compiler's wall clock, unless a test sets another.
pub const COMPILE_WALL: Duration = seconds(20);
/// Memory limit of the compiler, in bytes.
pub const COMPILE_MEMORY_BYTES: u64 = 2048 * MIB;
/// Largest file that the compiler may write, in bytes.
pub const COMPILE_FILE_BYTES: u64 = 64 * MIB;

/// Maximum size of the empty program and the instruction counter together, in bytes. Their size
/// does not depend on the submitted program.
pub const TOOLS_BYTES: u64 = 16 * MIB;
/// Maximum size of all builds of a job together, in bytes. The interactor is one of the builds.
pub const BUILDS_BYTES: u64 = 4 * COMPILE_FILE_BYTES;
/// Size of the runner's tmpfs, in bytes. Everything that a job can make the runner keep at one time
/// must fit. Otherwise a program could fill the tmpfs and break its own measurement. The parts are
/// builds, sources and headers, the input, the continued input, the inputs of a series and a copy
/// of the current one, stdout, stderr, the output of the instrumented builds, tools, kept answers
/// of tools, and small files of the runner. The second source is the interactor's. The interactor's
/// stderr takes the space that stdout takes in other tasks.
pub const WORK_TMPFS_BYTES: u64 = BUILDS_BYTES
    + 2 * MAX_SOURCE_BYTES as u64
    + MAX_FILES_BYTES as u64
    + MAX_GENERATED_BYTES
    + 3 * FILE_BYTES
    + MAX_CHECKED_INPUT_BYTES
    + MAX_CONTINUATION_BYTES
    + 2 * MAX_SERIES_BYTES as u64
    + TOOLS_BYTES
    + KEPT_FILES * MAX_KEPT_BYTES
    + MIB;
/// Size of the program's tmpfs, in bytes.
pub const SCRATCH_TMPFS_BYTES: u64 = 96 * MIB;
/// Maximum number of files in the program's tmpfs.
pub const SCRATCH_INODES: u64 = 4096;
/// Memory that a sandbox's cgroup allows in addition to the program, its builds and its input, in
/// bytes. This allowance covers the rest of both tmpfs, the runner and, in a native sandbox, the
/// copies of libraries, so the profiler's own memory never gets the program killed. Child processes
/// can use up the allowance before the kernel enforces the limit, so the allowance is as small as
/// possible.
pub const ALLOWANCE_BYTES: u64 =
    WORK_TMPFS_BYTES - BUILDS_BYTES - MAX_GENERATED_BYTES + SCRATCH_TMPFS_BYTES + 16 * MIB;
/// Limit of a sandbox's memory cgroup while the compiler runs, in bytes.
pub const COMPILING_BYTES: u64 = COMPILE_MEMORY_BYTES + BUILDS_BYTES + ALLOWANCE_BYTES;

/// Time that a program may spend on test cases that are not correct, unless the job asks for all of
/// them first. Further ones would show nothing new.
pub const FAILED_CASES_BUDGET: Duration = Duration::from_secs(10);
/// Time that a program may spend on all test cases, if they come last.
pub const TEST_CASES_BUDGET: Duration = Duration::from_secs(120);
/// Time that a program may spend on all test cases, if they come first. It is long, because a
/// program is not measured unless it has run on all of them.
pub const FIRST_CASES_BUDGET: Duration = Duration::from_secs(3600);
/// Default number of inputs of a stress test.
pub const STRESS_INPUTS: u32 = 1000;
/// Default time of a stress test.
pub const STRESS_TIME: Duration = Duration::from_secs(10);
/// Largest of the small sizes of a stress test. A brute force over all orders of this many things
/// takes far less than a second.
pub const STRESS_N_MAX: u64 = 10;
/// Maximum number of inputs of a stress test.
pub const MAX_STRESS_INPUTS: u32 = 1_000_000;
/// Longest time that a stress test may run.
pub const MAX_STRESS_TIME: Duration = Duration::from_secs(3600);
/// Default size up to which the worst input is searched and measured.
pub const WORST_SIZE: u64 = 1000;
/// Default number of inputs that a search for the worst input tries.
pub const WORST_EXECUTIONS: u32 = 100_000;
/// Default time of a search for the worst input.
pub const WORST_TIME: Duration = Duration::from_secs(60);
/// Maximum number of inputs of a search for the worst input.
pub const MAX_WORST_EXECUTIONS: u32 = 1_000_000;
/// Longest time that a search for the worst input may run.
pub const MAX_WORST_TIME: Duration = Duration::from_secs(3600);
/// Time limit of one run in a search for the worst input, as a multiple of the program's own time
/// limit. The counter takes about 1.5 times the program's time.
pub const WORST_SLOW_DOWN: u32 = 2;
/// Maximum number of changes to a program that are tried for advice.
pub const MAX_TRIED_CHANGES: usize = 8;
/// Maximum number of changes that a report names because they were not tried.
pub const MAX_NAMED_CHANGES: usize = 8;
/// Minimum share of the hotspots of the lines of a change that is tried. A larger gain than this
/// would be due to something else.
pub const LEAST_ADVISED_SHARE: f64 = 0.002;
/// Longest source that is searched for changes to try, in bytes.
pub const MAX_ADVISED_BYTES: usize = 64 << 10;
/// Maximum number of pieces of advice in a report.
pub const MAX_ADVICE: usize = 3;
/// Minimum speedup of a change that becomes advice, as a ratio.
pub const LEAST_SPEEDUP: f64 = 1.05;
/// Time budget of the trials of single changes. No round of a trial begins after it.
pub const ADVICE_BUDGET: Duration = Duration::from_secs(45);
/// Further time budget for the twins, and for all advised changes at once.
pub const TWIN_BUDGET: Duration = Duration::from_secs(15);
/// Time after which a series of counts begins no further input, so that a search ends in time and
/// reports its progress.
pub const SERIES_TIME: Duration = Duration::from_secs(1);
/// Time that a series of counts may take in addition to its inputs, before the runner ends it. The
/// counter itself enforces the time limit of each input.
pub const SERIES_MARGIN: Duration = Duration::from_secs(1);
/// Time limit of one run of the experiment that checks the input. A run of a small size under the
/// instruction counter takes about 30 ms, and there are usually three to five such runs.
pub const INPUT_CHECK_TIMEOUT: Duration = Duration::from_millis(250);
/// Longest input that the check of the input continues, in bytes.
pub const MAX_CHECKED_INPUT_BYTES: u64 = 4 * MIB;
/// Maximum number of bytes by which the check of the input continues an input.
pub const MAX_CONTINUATION_BYTES: u64 = 4 * MIB;
/// Time limit of generating one input.
pub const GENERATE_TIMEOUT: Duration = Duration::from_secs(10);
/// Address space of the process that generates an input, in bytes.
pub const GENERATE_BYTES: u64 = 256 * MIB;
/// Largest output that a checker judges, in bytes. It is in the work tmpfs of the checker's
/// sandbox, where only one of the builds is.
pub const MAX_CHECKED_BYTES: u64 = 16 * MIB;
/// Time that the generators of a job may take for all sizes.
pub const GENERATORS_TIME: Duration = seconds(120);
/// Time after which a generator begins no further input that only growth may need.
pub const BETWEEN_TIME: Duration = Duration::from_secs(1);
/// Time limit of one run of a checker, a validator or a generator.
pub const JUDGE_TIMEOUT: Duration = seconds(10);
/// Memory limit of a checker, a validator or a generator, in bytes.
pub const JUDGE_MEMORY_BYTES: u64 = 512 * MIB;
/// Minimum number of repetitions of one size after the warm-up.
pub const LEAST_REPETITIONS: u32 = 5;
/// Minimum number of repetitions of one size of a brief job after the warm-up.
pub const LEAST_BRIEF_REPETITIONS: u32 = 3;
/// Relative precision at which one run of each size is enough.
pub const ONE_RUN_PRECISION: f64 = 1.0;
/// Time budget of the repetitions of all sizes of a brief job, in addition to 1/[`FIRST_PART`] of
/// each size's first run.
///
/// [`FIRST_PART`]: runner_protocol::FIRST_PART
pub const BRIEF_BUDGET: Duration = Duration::from_millis(10);
/// Time budget of counting for growth in a brief job, in addition to a share of the first pass.
pub const BRIEF_COUNTING: Duration = Duration::from_millis(70);
/// Time after which a brief job begins no further memory probe.
pub const BRIEF_PROBING: Duration = Duration::from_millis(20);
/// Maximum number of repetitions of one size. More would not make the headline more precise.
pub const MOST_REPETITIONS: u32 = 100;
/// Maximum sum of the wall-clock limits of all timed runs of a job that sets their number.
pub const MAX_REPETITIONS_TIME: Duration = Duration::from_secs(3600);
/// Each size's share of the time budget. Time that a size does not use passes on to the next size.
/// A default report must take less than 2 s for each size. The rest of those 2 s covers the
/// sandbox's start, the compiler, the start-up runs, and a last repetition that takes longer than
/// predicted.
pub const SHARE: Duration = Duration::from_millis(1500);
/// Time budget of all sizes of a growing schedule.
pub const AUTO_BUDGET: Duration = Duration::from_secs(20);
/// Divisor of the time that a memory probe may take. A size gets a probe only if its median wall
/// clock is at most 1/`PROBE_PART` of the size's share, or of the remaining budget if that is more;
/// in a brief job, of [`BRIEF_PROBING`].
pub const PROBE_PART: u32 = 4;
/// Number of runs of the calibration, a fixed piece of work that shows how fast the processor is.
pub const CALIBRATION_RUNS: u32 = 4;
/// Time budget of all calibration runs. On an idle host they take about 15 ms.
pub const CALIBRATION_BUDGET: Duration = Duration::from_millis(100);
/// Minimum number of runs of the empty program. The first run is included here and discarded later.
pub const LEAST_START_UPS: u32 = 6;
/// Maximum number of runs of the empty program, including the first.
pub const MOST_START_UPS: u32 = 11;
/// Time budget of all timed runs of the empty program, and time limit of its counted run. On an
/// idle host the timed runs take about 10 ms, but the first one may find cold caches.
pub const START_UP_BUDGET: Duration = Duration::from_millis(500);
/// Age up to which brief jobs, and jobs that time one run of a size, share the calibration and the
/// runs of the empty program. Many jobs that measure their own rely on them for longer.
pub const PACE_AGE: Duration = Duration::from_secs(5);
/// Maximum number of paces that are kept, and of counts of empty programs.
pub const MAX_KNOWN_PACES: usize = 16;
/// Time limit of a counted run, as a multiple of the program's own time limit.
pub const COUNT_SLOW_DOWN: u32 = 20;
/// Upper bound of the time limit of one counted run.
pub const MAX_COUNT: Duration = Duration::from_secs(60);
/// Each size's share of the time for counting. Time that a size does not use passes on to the next
/// size.
pub const COUNT_SHARE: Duration = Duration::from_secs(10);
/// Divisor of the time for counting. If there are other sizes, the first count of the largest one
/// takes at most 1/`LARGEST_COUNT_PART` of it.
pub const LARGEST_COUNT_PART: u32 = 2;
/// Time budget of everything that the effort FULL measures and counts only for growth.
pub const GROWTH_BUDGET: Duration = Duration::from_secs(30);
/// The part of [`GROWTH_BUDGET`] for additional sizes. The rest is for counting.
pub const GROWTH_SIZES_BUDGET: Duration = Duration::from_secs(12);
/// Time limit of one run at an additional size.
pub const GROWTH_TIMEOUT: Duration = Duration::from_secs(1);
/// Time budget of the repetitions of one additional size.
pub const GROWTH_SHARE: Duration = Duration::from_millis(500);
/// Share of the time of a job's own measurements that counting for growth may take in addition,
/// unless a setting says otherwise.
pub const GROWTH_TIME_SHARE: f64 = 0.25;
/// Largest share that a setting may choose instead of [`GROWTH_TIME_SHARE`].
pub const MAX_GROWTH_TIME_SHARE: f64 = 100.0;
/// Number of sizes that must end OK. If fewer do, counting for growth adds sizes below the first
/// failure.
pub const ENOUGH_SIZES: usize = 4;
/// Divisor of the time for counting. The added sizes take at most 1/`COUNTED_SIZES_PART` of it.
pub const COUNTED_SIZES_PART: u32 = 2;
/// Divisor of the time for counting. One run of an added size takes at most 1/`COUNTED_STOP_PART`
/// of it, and so do the size's repetitions together.
pub const COUNTED_STOP_PART: u32 = 16;
/// Maximum number of sizes whose instructions are counted to classify growth.
pub const GROWTH_COUNTS: usize = 7;
/// Memory that the counter needs in addition to the program when it counts by line, in bytes.
pub const TRACE_BYTES: u64 = 64 * MIB;
/// Address space that the counter needs in addition to the program, in bytes. The counter keeps a
/// copy of the program's code and a shadow stack.
pub const COUNTER_ADDRESS_BYTES: u64 = 2048 * MIB;
/// Time limit of a run that records allocations, as a multiple of the program's own time limit.
pub const RECORD_SLOW_DOWN: u32 = 20;
/// Upper bound of the time limit of a run that records allocations.
pub const MAX_RECORD: Duration = seconds(30);
/// Maximum memory that recording takes in the program's process, in bytes: the table of live
/// blocks, the smaller table that it grew from, and the record.
pub const RECORD_BYTES: u64 = 256 * MIB;
/// Time limit of a run with sanitizers, as a multiple of the program's own time limit.
pub const SANITIZED_SLOW_DOWN: u32 = 10;
/// Upper bound of the time limit of a run with sanitizers.
pub const MAX_SANITIZED: Duration = seconds(30);
/// Memory that a run with sanitizers may take, as a multiple of the program's memory limit:
/// AddressSanitizer surrounds every block.
pub const SANITIZED_MEMORY: u64 = 2;
/// Memory that a run with sanitizers may take in addition, in bytes: the sanitizer's own tables,
/// and blocks that the program has freed.
pub const SANITIZED_BYTES: u64 = 256 * MIB;
/// Interval at which a waiting job checks for a free measured core.
pub const CORE_RETRY: Duration = Duration::from_millis(20);
/// Longest wait of a job for a measured core that a process of another ordinary user holds.
pub const CORE_OTHERS: Duration = seconds(60);
/// Time after such a wait in which no job of the same user waits like this again.
pub const CORE_OTHERS_AGAIN: Duration = seconds(600);

/// Time limit of starting a sandbox, until the runner's first frame. An idle host takes 0.3 s.
pub const START_TIMEOUT: Duration = seconds(10);
/// Time that the runner may take in addition to the limits of what it runs. This timeout is the
/// last resort: a runner that dies is noticed at once.
pub const ANSWER_MARGIN: Duration = seconds(5);
/// Minimum rate at which a file is read from a sandbox, in bytes per second. A file may take as
/// much time in addition to [`ANSWER_MARGIN`].
pub const LEAST_FETCH_RATE: u64 = MIB;
/// Time limit of one call to a Docker daemon. The slowest call removes a container and takes 0.2 s.
pub const DAEMON_TIMEOUT: Duration = seconds(10);
/// Interval at which an idle pool checks whether sandboxes can still be started.
pub const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// Time limit of one check of whether sandboxes can still be started.
pub const CHECK_TIMEOUT: Duration = Duration::from_secs(2);
/// Number of unread events that a run may have before it waits for its reader.
pub const EVENT_QUEUE: usize = 256;
/// Number of started sandboxes that wait for the next job: one for the job, one for its last size,
/// and one for its counts.
pub const WARM_SANDBOXES: usize = 3;

/// Returns [`PATIENCE`] times `count` seconds, which is `count` seconds on a real processor.
pub(crate) const fn seconds(count: u64) -> Duration {
    Duration::from_secs(count * PATIENCE as u64)
}
