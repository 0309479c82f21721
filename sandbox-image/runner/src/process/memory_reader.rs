//! Reads one process's memory from `/proc`.
//!
//! Document 003 adds `VmData` and `VmStk` of `status`, or takes their sum from `statm`, as often as
//! possible. Here the [memory probe](crate::runs::memory_probe) decides when to read.

use crate::confine::confinement;
use crate::sys::facts::{PAGE_BYTES, now, text_of};
use crate::sys::proc_view;
use nix::sys::prctl;
use nix::unistd::{Gid, Pid, setfsgid, setfsuid};
use runner_protocol::{Memory, PROGRAM_ID};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Reading `smaps` walks every page. If the resident set is large, `smaps` is read only after the
/// set has grown by more than one part in this many since the last reading.
const GROWTH: u64 = 10;
/// Up to this resident set, in bytes, `smaps` is read whenever the set has grown: a walk takes less
/// than a millisecond.
const SMALL_BYTES: u64 = 64 << 20;
/// Maximum number of readings of `smaps` of one process, without those at its end.
const MAX_READINGS: u32 = 500;
/// After a reading that takes longer than this, the next one waits [`REST`] times as long, except
/// at the end. A program can have so many mappings that it would mostly wait for the runner.
const SLOW: Duration = Duration::from_millis(5);
/// See [`SLOW`].
const REST: u32 = 10;
/// Longest `smaps`, in bytes: more than the kernel's default maximum of 65,530 mappings needs.
const MAX_SMAPS_BYTES: u64 = 64 << 20;
/// The size of one read of `smaps`, in bytes.
const BLOCK_BYTES: usize = 16 << 10;

pub(crate) struct MemoryReader {
    pid: Pid,
    /// The folder of the process in `/proc`, or that of a thread if the leader ended before the
    /// others.
    dir: PathBuf,
    statm: File,
    /// The thread that `dir` and `statm` belong to.
    thread: Pid,
    memory: Memory,
    /// The resident set at the last reading of `smaps`.
    resident_then: u64,
    readings: u32,
    /// The time before which `smaps` is not read.
    rests_until: Duration,
}

impl MemoryReader {
    pub(crate) fn open(pid: Pid) -> io::Result<Self> {
        let dir = PathBuf::from(proc_view::path(pid));
        let statm = File::open(dir.join("statm"))?;
        let (memory, rests_until) = (Memory::default(), Duration::ZERO);
        let thread = pid;
        Ok(Self { pid, dir, statm, thread, memory, resident_then: 0, readings: 0, rests_until })
    }

    /// The memory that was seen, if any.
    pub(crate) fn seen(self) -> Option<Memory> {
        (self.memory.readings > 0).then_some(self.memory)
    }

    pub(crate) fn reads(&self) -> u32 {
        self.memory.readings
    }

    /// Whether `thread` belongs to the process.
    pub(crate) fn is_own(&self, thread: Pid) -> bool {
        thread == self.pid || self.thread_folder(thread).exists()
    }

    /// Reads the sizes, which is cheap, and the rest if the resident set has grown. `thread` is
    /// waiting at a system call, or is the leader.
    pub(crate) fn read(&mut self, thread: Pid) {
        let Some(resident) = self.sizes(thread) else {
            return;
        };
        let grown = if resident <= SMALL_BYTES { 0 } else { self.resident_then / GROWTH };
        if resident > self.resident_then + grown
            && self.readings < MAX_READINGS
            && now() >= self.rests_until
        {
            let begun = now();
            self.readings += 1;
            self.read_details(resident);
            let took = now().saturating_sub(begun);
            self.rests_until = if took > SLOW { now() + took * REST } else { Duration::ZERO };
        }
    }

    /// Reads everything, because the next system call may end the process's memory.
    pub(crate) fn read_last(&mut self, thread: Pid) {
        if let Some(resident) = self.sizes(thread) {
            self.read_details(resident);
        }
    }

    fn thread_folder(&self, thread: Pid) -> PathBuf {
        proc_view::path(format_args!("{}/task/{thread}", self.pid)).into()
    }

    /// Reads the sizes from `statm` and returns the resident set. The field "data" is `VmData` +
    /// `VmStk`: `mm->data_vm + mm->stack_vm` in the kernel's `task_statm`.
    fn sizes(&mut self, thread: Pid) -> Option<u64> {
        let mut statm = read_statm(&self.statm);
        // A leader that has ended has no memory any more, although its threads do. A killed process
        // has none either, and then the runner must not open files: they need memory of the
        // sandbox's cgroup, which may be full, and the OOM killer would find only the runner.
        if statm.is_none() && thread != self.thread {
            let dir = self.thread_folder(thread);
            self.statm = File::open(dir.join("statm")).ok()?;
            (self.dir, self.thread) = (dir, thread);
            statm = read_statm(&self.statm);
        }
        let statm = statm?;
        let [size, resident, _, _, _, data, _] = statm;
        let memory = &mut self.memory;
        memory.readings = memory.readings.saturating_add(1);
        memory.size_bytes = memory.size_bytes.max(size);
        memory.data_stack_bytes = memory.data_stack_bytes.max(data);
        memory.resident_bytes = resident;
        if resident > memory.statm_bytes[1] {
            memory.statm_bytes = statm;
        }
        Some(resident)
    }

    /// Reads `status`, and `smaps` if it can be opened.
    fn read_details(&mut self, resident: u64) {
        self.resident_then = resident;
        let memory = &mut self.memory;
        // It contains a name that the program chooses, which need not be UTF-8.
        if let Ok(status) = fs::read(self.dir.join("status")) {
            let status = String::from_utf8_lossy(&status);
            let of = |name: &str| status.lines().find_map(|line| kilobytes(line, name));
            memory.size_bytes = memory.size_bytes.max(of("VmPeak:").unwrap_or(0));
            memory.swap_bytes = memory.swap_bytes.max(of("VmSwap:").unwrap_or(0));
            memory.text_bytes = of("VmExe:").unwrap_or(memory.text_bytes);
            memory.resident_bytes = of("VmRSS:").unwrap_or(resident);
        }
        if let Ok(walked) = open_as_debugger(&self.dir.join("smaps")).and_then(walk) {
            memory.heap_bytes = memory.heap_bytes.max(Some(walked.heap));
            memory.stack_bytes = memory.stack_bytes.max(Some(walked.stack));
            memory.anonymous_bytes = memory.anonymous_bytes.max(Some(walked.anonymous));
        }
    }
}

/// The fields of `statm`, in bytes; `None` if the process has no memory.
fn read_statm(file: &File) -> Option<[u64; 7]> {
    let mut text = [0; 160];
    let mut fields = text_of(file, &mut text)?.split_ascii_whitespace().map(str::parse::<u64>);
    let mut bytes = [0; 7];
    for field in &mut bytes {
        *field = fields.next()?.ok()?.checked_mul(PAGE_BYTES)?;
    }
    (bytes[0] > 0).then_some(bytes)
}

fn kilobytes(line: &str, name: &str) -> Option<u64> {
    line.strip_prefix(name)?.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

/// Opens a file of a process in `/proc`, such as `smaps`. The kernel allows that only to a process
/// that could attach as a debugger: with the same user and group, or with `CAP_SYS_PTRACE`, which a
/// container's runner does not have. The check uses the ids for access to files, so the runner
/// takes on the program's ids while it opens the file. This lets nobody signal or trace the runner,
/// because those checks use its other ids.
pub(crate) fn open_as_debugger(path: &Path) -> io::Result<File> {
    match File::open(path) {
        Err(error)
            if error.kind() == io::ErrorKind::PermissionDenied && confinement::has_own_user() => {}
        opened => return opened,
    }
    let death = prctl::get_pdeathsig()?;
    let group = setfsgid(Gid::from_raw(PROGRAM_ID));
    let user = setfsuid(confinement::program_user());
    let opened = File::open(path);
    setfsuid(user);
    setfsgid(group);
    // Changing these ids also changes the dumpable and parent-death settings, see setfsuid(2) and
    // prctl(2).
    prctl::set_dumpable(false)?;
    prctl::set_pdeathsig(death)?;
    opened
}

/// Resident bytes according to `smaps`.
#[derive(Default)]
struct Walked {
    /// Of the mapping `[heap]`.
    heap: u64,
    /// Of the mapping `[stack]`.
    stack: u64,
    /// Of all mappings, without the pages of files.
    anonymous: u64,
}

/// Adds up `smaps`. A mapping begins with a line of six columns, and the last column is its name. A
/// file's name is a path.
fn walk(smaps: impl Read) -> io::Result<Walked> {
    let mut lines = BufReader::with_capacity(BLOCK_BYTES, smaps.take(MAX_SMAPS_BYTES));
    let (mut walked, mut other) = (Walked::default(), 0);
    let mut into = &mut other;
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        if text.starts_with(|first: char| first.is_ascii_hexdigit() && !first.is_ascii_uppercase())
        {
            into = match text.split_ascii_whitespace().nth(5) {
                Some("[heap]") => &mut walked.heap,
                Some("[stack]") => &mut walked.stack,
                _ => &mut other,
            };
        } else if let Some(resident) = kilobytes(text.trim_end(), "Rss:") {
            *into += resident;
        } else if let Some(anonymous) = kilobytes(text.trim_end(), "Anonymous:") {
            walked.anonymous += anonymous;
        }
        line.clear();
    }
    Ok(walked)
}
