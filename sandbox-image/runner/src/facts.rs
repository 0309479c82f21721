//! What the kernel tells about processes and their cgroup.

use nix::time::{ClockId, clock_gettime};
use nix::unistd::Pid;
use std::fs;
use std::time::Duration;

/// Size of a page as `statm` counts, in bytes.
pub(crate) const PAGE_BYTES: u64 = 4096;

/// `/proc/PID/schedstat`: of the leader thread alone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Schedule {
    /// Time on a processor, in nanoseconds.
    pub(crate) cpu_ns: u64,
    /// Time runnable but waiting for a processor, in nanoseconds.
    pub(crate) delay_ns: u64,
    /// How often it was given a processor.
    pub(crate) slices: u64,
}

impl Schedule {
    pub(crate) fn of(pid: Pid) -> Option<Self> {
        Self::read(&format!("/proc/{pid}/schedstat"))
    }

    pub(crate) fn of_self() -> Option<Self> {
        Self::read("/proc/self/schedstat")
    }

    fn read(path: &str) -> Option<Self> {
        let text = fs::read_to_string(path).ok()?;
        let mut fields = text.split_ascii_whitespace().map(str::parse);
        let mut next = || fields.next()?.ok();
        Some(Self { cpu_ns: next()?, delay_ns: next()?, slices: next()? })
    }
}

/// Processor time of all threads of a process, dead ones included; readable on a zombie.
pub(crate) fn process_cpu(pid: Pid) -> Option<Duration> {
    // The kernel's encoding of a process's CPUCLOCK_SCHED, see clock_getcpuclockid(3).
    let clock = ClockId::from_raw((!pid.as_raw() << 3) | 2);
    clock_gettime(clock).ok().map(Duration::from)
}

/// The monotonic clock.
pub(crate) fn now() -> Duration {
    clock_gettime(ClockId::CLOCK_MONOTONIC).map_or(Duration::ZERO, Duration::from)
}

/// Resident bytes of everything in the sandbox but `ours`. Of several processes each shared page
/// counts once (Pss), for a forked child is no second copy of its parent.
pub(crate) fn resident_bytes(ours: &[Pid]) -> u64 {
    let pids: Vec<i32> = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|&pid| !ours.contains(&Pid::from_raw(pid)))
        .collect();
    match pids[..] {
        [pid] => statm_resident(pid),
        _ => pids.iter().map(|&pid| pss(pid).unwrap_or_else(|| statm_resident(pid))).sum(),
    }
}

fn statm_resident(pid: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    let pages = text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * PAGE_BYTES
}

fn pss(pid: i32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

/// Where this sandbox's memory cgroup counts its OOM kills.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OomCounter {
    /// `memory.events`.
    V2,
    /// `memory.oom_control`.
    V1,
    /// No memory cgroup of its own.
    Nowhere,
}

impl OomCounter {
    pub(crate) fn find() -> Self {
        [Self::V2, Self::V1].into_iter().find(|c| c.read().is_some()).unwrap_or(Self::Nowhere)
    }

    pub(crate) fn version(self) -> Option<u8> {
        match self {
            Self::V2 => Some(2),
            Self::V1 => Some(1),
            Self::Nowhere => None,
        }
    }

    /// How many processes the kernel has killed so far because this cgroup was out of memory.
    pub(crate) fn kills(self) -> u64 {
        self.read().unwrap_or(0)
    }

    fn read(self) -> Option<u64> {
        let path = match self {
            Self::V2 => "/sys/fs/cgroup/memory.events",
            Self::V1 => "/sys/fs/cgroup/memory/memory.oom_control",
            Self::Nowhere => return None,
        };
        let text = fs::read_to_string(path).ok()?;
        text.lines().find_map(|line| line.strip_prefix("oom_kill "))?.trim().parse().ok()
    }
}

/// The kernel's release.
pub(crate) fn kernel() -> String {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    release.trim().to_owned()
}

/// The model of the first processor.
pub(crate) fn cpu_model() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find(|line| line.starts_with("model name"));
    model
        .and_then(|line| line.split_once(':'))
        .map_or_else(String::new, |(_, m)| m.trim().to_owned())
}

/// How many processors the machine has.
pub(crate) fn cpus() -> u32 {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let count = info.lines().filter(|line| line.starts_with("processor")).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Whether this sandbox's user ids mean nobody else on the host.
pub(crate) fn has_private_users() -> bool {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let length = map.split_ascii_whitespace().nth(2).and_then(|length| length.parse::<u32>().ok());
    length.is_some_and(|length| length <= runner_protocol::ENTER_IDS)
}
