//! Reads what the kernel reports about processes.

use crate::sys::fault::{Result, Stage};
use crate::sys::proc_view;
use crate::sys::process_set::ProcessSet;
use nix::time::{ClockId, clock_gettime};
use nix::unistd::Pid;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::time::Duration;

/// Size of the pages that `statm` counts, in bytes.
pub(crate) const PAGE_BYTES: u64 = 4096;

/// Longest text of a small file in `/proc`, in bytes.
const MAX_LINE_BYTES: usize = 128;

/// The readings at one end of an interval.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_field_names, reason = "a name ends in its unit")]
pub(crate) struct Reading {
    /// The monotonic clock, in nanoseconds.
    pub(crate) clock_ns: u64,
    /// Processor time of all threads.
    pub(crate) cpu_ns: Option<u64>,
    /// Time that the leader waited for a processor.
    pub(crate) delay_ns: Option<u64>,
}

/// `/proc/PID/schedstat`, of the leader thread only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Schedule {
    /// Time on a processor, in nanoseconds.
    pub(crate) cpu_ns: u64,
    /// Time runnable but waiting for a processor, in nanoseconds.
    pub(crate) delay_ns: u64,
    /// Number of times the thread was given a processor.
    pub(crate) slices: u64,
}

impl Schedule {
    pub(crate) fn of_process(pid: Pid) -> Option<Self> {
        Self::read(&Self::file_of(pid)?)
    }

    /// Opens a process's `schedstat`, for repeated readings.
    pub(crate) fn file_of(pid: Pid) -> Option<File> {
        File::open(proc_view::path(format_args!("{pid}/schedstat"))).ok()
    }

    pub(crate) fn of_self() -> Option<Self> {
        Self::read(&Self::own_file().ok()?)
    }

    /// Opens this process's own `schedstat`, for repeated readings.
    pub(crate) fn own_file() -> Result<File> {
        File::open("/proc/self/schedstat").stage("open schedstat")
    }

    pub(crate) fn read(file: &File) -> Option<Self> {
        let mut text = [0; MAX_LINE_BYTES];
        let mut fields = text_of(file, &mut text)?.split_ascii_whitespace().map(str::parse);
        let mut next = || fields.next()?.ok();
        Some(Self { cpu_ns: next()?, delay_ns: next()?, slices: next()? })
    }
}

/// Reads the beginning of a kernel file, as much as fits `buffer`, and allocates nothing.
pub(crate) fn text_of<'a>(file: &File, buffer: &'a mut [u8]) -> Option<&'a str> {
    let length = file.read_at(buffer, 0).ok()?;
    str::from_utf8(buffer.get(..length)?).ok()
}

/// Processor time of all threads of a process, dead ones included, in nanoseconds; readable on a
/// zombie.
pub(crate) fn process_cpu(pid: Pid) -> Option<u64> {
    // The kernel's encoding of a process's CPUCLOCK_SCHED, see clock_getcpuclockid(3).
    let clock = ClockId::from_raw((!pid.as_raw() << 3) | 2);
    clock_gettime(clock).ok().map(|time| nanoseconds(time.into()))
}

/// The process id that was given out last in this namespace: the fifth field of `/proc/loadavg`.
pub(crate) fn last_pid() -> Option<Pid> {
    static LOADAVG: OnceLock<Option<File>> = OnceLock::new();
    let open = || File::open(proc_view::path("loadavg")).ok();
    let (file, mut text) = (LOADAVG.get_or_init(open).as_ref()?, [0; MAX_LINE_BYTES]);
    let last = text_of(file, &mut text)?.split_ascii_whitespace().nth(4)?;
    last.parse().ok().map(Pid::from_raw)
}

/// The monotonic clock.
pub(crate) fn now() -> Duration {
    clock_gettime(ClockId::CLOCK_MONOTONIC).map_or(Duration::ZERO, Duration::from)
}

pub(crate) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Resident bytes of these processes without `ours`. For several processes we sum PSS, so shared
/// pages count once.
pub(crate) fn resident_bytes(processes: ProcessSet, ours: &[Pid]) -> u64 {
    let pids: Vec<Pid> = processes.pids().filter(|pid| !ours.contains(pid)).collect();
    match pids[..] {
        [pid] => statm_resident(pid),
        _ => pids.iter().map(|&pid| pss(pid).unwrap_or_else(|| statm_resident(pid))).sum(),
    }
}

fn statm_resident(pid: Pid) -> u64 {
    let text = fs::read_to_string(proc_view::path(format_args!("{pid}/statm"))).unwrap_or_default();
    let pages = text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * PAGE_BYTES
}

fn pss(pid: Pid) -> Option<u64> {
    let text = fs::read_to_string(proc_view::path(format_args!("{pid}/smaps_rollup"))).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

/// The kernel's release.
pub(crate) fn kernel() -> String {
    let release = fs::read_to_string(proc_view::path("sys/kernel/osrelease")).unwrap_or_default();
    release.trim().to_owned()
}

/// The processors of the machine.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Processors {
    /// The model of the first processor.
    pub(crate) model: String,
    /// The features of the first processor, sorted.
    pub(crate) flags: String,
    pub(crate) count: u32,
}

impl Processors {
    pub(crate) fn read() -> Self {
        Self::parse(&fs::read_to_string(proc_view::path("cpuinfo")).unwrap_or_default())
    }

    fn parse(info: &str) -> Self {
        let fields = || info.lines().filter_map(|line| line.split_once(':'));
        let first = |name: &str| fields().find(|(field, _)| field.trim() == name);
        let value =
            |field: Option<(_, &str)>| field.map_or("", |(_, value)| value).trim().to_owned();
        // The second name is that of ARM.
        let flags = value(first("flags").or_else(|| first("Features")));
        let mut flags: Vec<_> = flags.split_ascii_whitespace().collect();
        flags.sort_unstable();
        let count = fields().filter(|(field, _)| field.trim() == "processor").count();
        Self {
            model: value(first("model name")),
            flags: flags.join(" "),
            count: u32::try_from(count).unwrap_or(u32::MAX),
        }
    }
}

/// Whether nobody else on the host uses this sandbox's user ids. Only then does a limit on the
/// processes of a user id apply to this sandbox alone. Containers share their ids, and have a
/// cgroup that limits processes.
pub(crate) fn has_private_users() -> bool {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let length = map.split_ascii_whitespace().nth(2).and_then(|length| length.parse::<u32>().ok());
    length.is_some_and(|length| length <= runner_protocol::ENTER_IDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_of_the_first_processor_are_sorted() {
        let info = "processor\t: 0\nmodel name\t: A : B\nflags\t\t: fpu sse avx\nvmx flags\t: x\n\n\
                    processor\t: 1\nmodel name\t: C\nflags\t\t: fpu\n";
        let expected = Processors { model: "A : B".into(), flags: "avx fpu sse".into(), count: 2 };
        assert_eq!(Processors::parse(info), expected);
        let arm = Processors::parse("processor\t: 0\nFeatures\t: fp asimd\n");
        assert_eq!((arm.model.as_str(), arm.flags.as_str(), arm.count), ("", "asimd fp", 1));
        assert_eq!(Processors::parse("").count, 0);
    }
}
