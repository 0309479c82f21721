//! The channel between a sandbox's host and the runner inside it.
//!
//! ```text
//! host                          runner
//!  |  <---------- Hello ---------  |   once; other SOURCES are refused
//!  |  --------- KeepTo ----------> |   once: the measured processors are not ours, no answer
//!  |  --------- Put (n times) ---> |   a file in pieces, no answer
//!  |  --------- Compile ---------> |
//!  |  <-------- Compiled --------  |
//!  |  --------- Fetch (n times) -> |   a binary in pieces
//!  |  <-------- Fetched ---------  |
//!  |  --------- Run -------------> |   a batch of repetitions under a stop rule,
//!  |  <-------- Ran -------------  |   so that nothing crosses between two samples
//!  |  --------- Probe -----------> |   one run that is looked into, and not timed
//!  |  <-------- Probed ----------  |
//!  |  --------- Count -----------> |   one run under the instruction counter, not timed
//!  |  <-------- Counted ---------  |
//!  |  --------- Profile ---------> |
//!  |  <-------- Profiled --------  |
//! ```
//!
//! One request is under way at a time. Anything the host sends while one is, and the end of the
//! channel at any time, makes the runner kill everything of the program's and exit.
//!
//! A frame is a little-endian `u32` length and that many bytes of postcard. Both sides are built
//! from the same sources ([`SOURCES`]), so the encoding never has to be read by another version.

#![forbid(unsafe_code)]

mod frame;
mod headline;

pub use frame::{FrameError, decode, encode, read_frame, write_frame};
pub use headline::Headline;

use serde::{Deserialize, Serialize};

/// SHA-256 of the sources of the runner and of this protocol.
pub const SOURCES: &str = env!("RUNNER_SOURCES");
/// Largest frame, in bytes.
pub const MAX_FRAME_BYTES: usize = 1 << 20;
/// Largest piece of a file in one [`Request::Put`], in bytes.
pub const MAX_PIECE_BYTES: usize = 128 << 10;
/// Most of a compiler's or a tool's output that is kept, in bytes.
pub const MAX_DIAGNOSTIC_BYTES: usize = 64 << 10;
/// Most of a gprof listing that is kept, in bytes.
pub const MAX_LISTING_BYTES: usize = 512 << 10;
/// Most of the end of a program's stderr that is kept, in bytes.
pub const MAX_STDERR_TAIL_BYTES: usize = 4 << 10;
/// Most of the beginning of a program's stdout that can be asked for, in bytes.
pub const MAX_STDOUT_HEAD_BYTES: u32 = 4 << 10;
/// The user and group that everything from outside runs as, inside the sandbox.
pub const PROGRAM_UID: u32 = 10_001;
/// Where the runner keeps the binary, the input and the outputs. Only it can write there.
pub const WORK_DIR: &str = "/code";
/// The program's working folder, empty at the beginning of every run. Only it may write there.
pub const SCRATCH_DIR: &str = "/tmp";
/// Where a sandbox has precompiled headers, in a folder that is called like the flags: outside of
/// what a native sandbox shows of the host.
pub const PRECOMPILED_DIR: &str = "/opt/swiftprof/precompiled";
/// What is precompiled: all of the standard library.
pub const PRECOMPILED_HEADER: &str = "bits/stdc++.h";
/// The exact flags that it is precompiled for: the default ones, for each list costs 100 MB. With
/// `-g` among them g++ would write other debug information than without a precompiled header.
pub const PRECOMPILED_FLAGS: [&str; 2] = ["-O2", "-std=c++17"];
/// Where the image keeps the runner.
pub const RUNNER_PATH: &str = "/usr/local/bin/swiftprof-runner";
/// The runner's argument that makes it enter namespaces of its own first: it then reads [`Enter`].
pub const ENTER: &str = "enter";

/// What the host asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Keep to these processors from now on, with all that is started but a measured program; no
    /// answer.
    KeepTo(Vec<u32>),
    /// A piece of a file; no answer.
    Put(Piece),
    /// Compile the source that was put.
    Compile(Compile),
    /// Say what a compiled variant's binary holds.
    Fetch(Fetch),
    /// Measure.
    Run(Run),
    /// Run once and look at its memory. Nothing of this run is timed.
    Probe(Run),
    /// Run once under the instruction counter, which was put. Nothing of this run is timed.
    Count(Run),
    /// Run the [`Variant::Gprof`] build once and say where its time went.
    Profile(Run),
}

/// What the runner answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// The first frame of a runner.
    Hello(Hello),
    /// Answers [`Request::Compile`].
    Compiled(Compiled),
    /// Answers [`Request::Fetch`]: at most [`MAX_PIECE_BYTES`], nothing behind the end.
    Fetched(#[serde(with = "serde_bytes")] Vec<u8>),
    /// Answers [`Request::Run`].
    Ran(Ran),
    /// Answers [`Request::Probe`].
    Probed(Probed),
    /// Answers [`Request::Count`].
    Counted(Counted),
    /// Answers [`Request::Profile`].
    Profiled(Profiled),
    /// The runner itself failed; the sandbox is not to be used again.
    Broken(String),
}

/// The first frame to a runner that enters namespaces of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enter {
    /// The first of [`ENTER_IDS`] host user and group ids that nobody else uses, which become the
    /// sandbox's. Without, the caller's own id is the only one.
    pub first_id: Option<u32>,
    /// The memory cgroup of this sandbox, by version and folder on the host. Of version 1 it may have a
    /// child [`RUN_CGROUP`].
    pub cgroup: Option<(u8, String)>,
    /// Size of [`WORK_DIR`], in bytes.
    pub work_bytes: u64,
    /// Size of [`SCRATCH_DIR`], in bytes.
    pub scratch_bytes: u64,
    /// Files in [`SCRATCH_DIR`].
    pub scratch_inodes: u64,
    /// The host's folder to show as [`PRECOMPILED_DIR`], if there is one.
    pub precompiled: Option<String>,
}

/// The cgroup, below the sandbox's own, of a run that is looked into.
pub const RUN_CGROUP: &str = "run";
/// How many ids a sandbox maps.
pub const ENTER_IDS: u32 = 1 << 16;

/// A runner introduces itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// [`SOURCES`] of the runner.
    pub sources: String,
    /// Whether programs run as another user than the runner.
    pub own_user: bool,
    /// Version of the memory cgroup whose OOM-kill count the runner can read.
    pub cgroup: Option<u8>,
    /// Whether the kernel tells how long a process waited for a processor.
    pub schedstat: bool,
    /// Tools that are missing in the sandbox, by path.
    pub missing_tools: Vec<String>,
    /// Kernel release.
    pub kernel: String,
    /// Processor model.
    pub cpu_model: String,
    /// Processors of the machine.
    pub cpus: u32,
}

/// A piece of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Which file.
    pub file: File,
    /// Whether it is the first piece: the file begins anew.
    pub first: bool,
    /// At most [`MAX_PIECE_BYTES`].
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
}

/// A file that the host puts into the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum File {
    /// The source.
    Source,
    /// The input of the next run, if its recipe is [`Input::Put`].
    Input,
    /// A binary that was compiled before, from the same source by the same toolchain.
    Binary(Variant),
    /// The instruction counter: a static executable.
    Counter,
}

/// Which build of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Variant {
    /// As the flags say: the only one that is timed.
    Plain,
    /// With `-g -pg -no-pie` added.
    Gprof,
    /// An empty `main` instead of the program, with the same flags: what starting alone costs.
    Empty,
}

/// Compile the source that was put.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compile {
    /// The build.
    pub variant: Variant,
    /// g++'s flags, already checked.
    pub flags: Vec<String>,
    /// Limits of the compiler and what it starts.
    pub limits: Limits,
}

/// How a compilation went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compiled {
    /// The command line.
    pub command: String,
    /// The compiler's version, as `g++ -dumpfullversion` says it.
    pub compiler: String,
    /// How g++ ended and what it cost.
    pub execution: Execution,
    /// The beginning of its output.
    #[serde(with = "serde_bytes")]
    pub output: Vec<u8>,
    /// Whether that was cut.
    pub truncated: bool,
    /// The binary, if there is one.
    pub binary: Option<Binary>,
}

/// A compiled program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binary {
    /// Size of the file.
    pub bytes: u64,
    /// Sum of `p_memsz` over its `PT_LOAD` segments: what exec alone will map.
    pub segment_bytes: u64,
}

/// The recipe of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Input {
    /// The file that was put.
    Put,
    /// `{n}\n`.
    Size(u32),
}

/// A part of a binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fetch {
    /// The build.
    pub variant: Variant,
    /// Where the part begins.
    pub offset: u64,
}

/// What is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    /// A compiled variant.
    Build(Variant),
    /// The runner itself with a fixed piece of work, the same for every host and toolchain: how fast
    /// is this processor?
    Calibration,
}

/// Run something: a warm-up under `/usr/bin/time -v` if asked for, then repetitions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// What.
    pub subject: Subject,
    /// Whether a warm-up comes first.
    pub warm_up: bool,
    /// The processor that the program, with all it starts, is pinned to.
    pub core: Option<u32>,
    /// What the program finds on stdin.
    pub input: Input,
    /// Limits of every single run.
    pub limits: Limits,
    /// When to stop repeating.
    pub stop: Stop,
    /// How much of the beginning of stdout to return, at most [`MAX_STDOUT_HEAD_BYTES`].
    pub stdout_head: u32,
}

/// When a batch of repetitions ends: once the headline is known well enough, after `most`, or before a
/// repetition whose predicted end lies past the budget. A warm-up longer than half the budget is the
/// only sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// Repetitions after the warm-up before the headline may be known well enough.
    pub least: u32,
    /// Repetitions after the warm-up at most.
    pub most: u32,
    /// For the warm-up and the repetitions together.
    pub budget_ns: u64,
}

/// Limits of one process that the runner starts, and of what that starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The time limit, on `clock`.
    pub time_ns: u64,
    /// The clock of `time_ns`.
    pub clock: Clock,
    /// The hard stop, on the wall clock.
    pub wall_ns: u64,
    /// `RLIMIT_CPU`, behind both.
    pub cpu_s: u64,
    /// Resident bytes above which the runner kills, where no cgroup limits memory.
    pub resident_bytes: u64,
    /// `RLIMIT_AS`.
    pub address_space_bytes: u64,
    /// `RLIMIT_STACK`.
    pub stack_bytes: u64,
    /// `RLIMIT_FSIZE`.
    pub file_bytes: u64,
    /// `RLIMIT_NPROC`, where the sandbox has user ids of its own. Elsewhere it would count the
    /// processes of every sandbox on the host together, and a pids cgroup limits them instead.
    pub processes: u64,
    /// `RLIMIT_NOFILE`.
    pub open_files: u64,
}

/// What a time limit is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Clock {
    /// Wall less run delay.
    Unloaded,
    /// Wall.
    Wall,
    /// Processor time of the process.
    Cpu,
}

/// A batch of runs of one size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ran {
    /// The warm-up; absent if the program killed what measured it.
    pub warm_up: Option<Execution>,
    /// What `/usr/bin/time -v` wrote about the warm-up; absent unless `time` itself ended normally.
    #[serde(with = "serde_bytes")]
    pub gnu_time: Option<Vec<u8>>,
    /// The repetitions in order. All but the last ended with exit code 0 inside their limits.
    pub repetitions: Vec<Execution>,
    /// What the last run wrote.
    pub written: Written,
}

/// What a run wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Length of stdout.
    pub stdout_bytes: u64,
    /// SHA-256 of stdout.
    pub stdout_sha256: [u8; 32],
    /// Its beginning.
    #[serde(with = "serde_bytes")]
    pub stdout_head: Vec<u8>,
    /// The end of stderr.
    #[serde(with = "serde_bytes")]
    pub stderr_tail: Vec<u8>,
}

/// One run of one process: how it ended, and what was measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Execution {
    /// How it ended.
    pub ending: Ending,
    /// What was measured.
    pub sample: Sample,
    /// By how much the cgroup's OOM-kill count rose meanwhile.
    pub oom_kills: u64,
    /// Whether stdout or stderr reached the file size limit.
    pub output_full: bool,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// It exited.
    Exited(i32),
    /// A signal ended it that the runner did not send.
    Signaled(i32),
    /// The runner ended it.
    Stopped(Breach),
}

impl Ending {
    /// Whether it exited with 0.
    pub fn is_success(self) -> bool {
        self == Self::Exited(0)
    }
}

/// Why the runner ended a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Breach {
    /// The time limit's clock passed `time_ns`.
    Time,
    /// The wall clock passed `wall_ns`.
    Wall,
    /// A sampled resident set passed `resident_bytes`.
    Resident(u64),
}

/// What was measured of one run. All are differences over one interval: it begins when the child, set
/// up, goes into `exec`, and ends when it has ended and is not yet reaped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// `CLOCK_MONOTONIC`, from exec to the end of the process and not to when the runner saw it.
    pub wall_ns: u64,
    /// Processor time of the process and its waited-for children, by the scheduler's accounting.
    pub cpu_ns: Option<u64>,
    /// `ru_utime`.
    pub user_ns: u64,
    /// `ru_stime`.
    pub sys_ns: u64,
    /// Second field of `/proc/PID/schedstat`: the leader's time runnable but not running.
    pub run_delay_ns: Option<u64>,
    /// `ru_maxrss` of the process and its waited-for children.
    pub peak_rss_bytes: u64,
    /// Whether other threads or processes than the leader ran: the leader's run delay is not theirs.
    pub concurrent: bool,
}

/// One run that was looked into.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probed {
    /// How it ended.
    pub execution: Execution,
    /// What was seen; absent where this sandbox may not look.
    pub memory: Option<Memory>,
}

/// A process's memory as `/proc` tells it, in bytes. It is looked at before every system call that can
/// make its mappings smaller, and when it is about to exit, while the calling thread waits: between two
/// looks a mapping cannot shrink, so the largest sizes of one thread are exact. Of several, one may grow
/// while another's call is let go, so `data_stack_bytes` may miss what lived for microseconds. A process
/// that a signal ends makes no last call (but abort(3) does): it is known as of a millisecond before.
/// Threads share all of this; other processes are not seen.
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
    /// `statm` at the look at which the resident set was largest: size, resident, shared, text, lib,
    /// data + stack, dirty.
    pub statm_bytes: [u64; 7],
    /// Resident bytes of `[heap]` in `smaps`, the largest seen.
    pub heap_bytes: Option<u64>,
    /// Resident bytes of `[stack]` in `smaps`, the largest seen.
    pub stack_bytes: Option<u64>,
    /// The peak of a memory cgroup that holds this run alone; absent where there is none. It counts what
    /// the run touched first: anonymous memory, page cache, files in a tmpfs, and the kernel's memory for
    /// it, of all its processes. What others had touched, like the binary and the input, it does not;
    /// what an earlier run left in caches it does. It is charged in batches of some pages a processor.
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

impl Sample {
    /// What `clock` showed over the interval, in nanoseconds; `None` where the kernel does not give what
    /// that needs.
    pub fn on(&self, clock: Clock) -> Option<u64> {
        match clock {
            Clock::Unloaded => self.run_delay_ns.map(|delay| self.wall_ns.saturating_sub(delay)),
            Clock::Wall => Some(self.wall_ns),
            Clock::Cpu => self.cpu_ns,
        }
    }
}
