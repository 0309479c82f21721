//! What memory a program used, beside its peak resident set.

use super::units::mib;

/// Memory of one size, in MiB. It comes from one run of its own that was stopped and looked at
/// before every system call that can change the mappings, and at its end; it is absent where that
/// run was not made, or could not be looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub struct Memory {
    /// `VmData` + `VmStk` of `/proc/PID/status`, the largest seen: the memory used as document 003
    /// defines it. Private and writable mappings, touched or not.
    pub data_stack_mb: Option<f64>,
    /// `VmPeak` of `/proc/PID/status`: the largest `VmSize`, all mappings together.
    pub size_mb: Option<f64>,
    /// `VmExe` of `/proc/PID/status`: the program's own code.
    pub text_mb: Option<f64>,
    /// `VmSwap` of `/proc/PID/status`, the largest seen.
    pub swap_mb: Option<f64>,
    /// `VmRSS` of `/proc/PID/status` at the last look, at the program's end.
    pub resident_mb: Option<f64>,
    /// `/proc/PID/statm` at the look at which the resident set was largest.
    pub statm: Option<Statm>,
    /// `Rss` of `[heap]` in `/proc/PID/smaps`, the largest seen. Blocks that the allocator maps by
    /// themselves are not in it.
    pub heap_mb: Option<f64>,
    /// `Rss` of `[stack]` in `/proc/PID/smaps`, the largest seen: the first thread's.
    pub stack_mb: Option<f64>,
    /// The peak of a memory cgroup that held this run alone: anonymous memory of all its processes,
    /// page cache and files in a tmpfs that it touched first, and the kernel's memory for it. Only
    /// a native sandbox of root's on cgroup version 1 has one. What an earlier run left in caches
    /// is in it.
    pub cgroup_peak_mb: Option<f64>,
}

/// The fields of `/proc/PID/statm`, in MiB.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub struct Statm {
    /// All mappings.
    pub size_mb: f64,
    /// The resident set.
    pub resident_mb: f64,
    /// Its part that is backed by files.
    pub shared_mb: f64,
    /// The program's own code.
    pub text_mb: f64,
    /// Always 0 since Linux 2.6.
    pub lib_mb: f64,
    /// Data and stack.
    pub data_mb: f64,
    /// Always 0 since Linux 2.6.
    pub dirty_mb: f64,
}

impl Memory {
    /// What was seen when a run was looked into.
    pub(crate) fn of(seen: &runner_protocol::Memory) -> Self {
        let [size_mb, resident_mb, shared_mb, text_mb, lib_mb, data_mb, dirty_mb] =
            seen.statm_bytes.map(mib);
        Self {
            data_stack_mb: Some(mib(seen.data_stack_bytes)),
            size_mb: Some(mib(seen.size_bytes)),
            text_mb: Some(mib(seen.text_bytes)),
            swap_mb: Some(mib(seen.swap_bytes)),
            resident_mb: Some(mib(seen.resident_bytes)),
            statm: Some(Statm {
                size_mb,
                resident_mb,
                shared_mb,
                text_mb,
                lib_mb,
                data_mb,
                dirty_mb,
            }),
            heap_mb: seen.heap_bytes.map(mib),
            stack_mb: seen.stack_bytes.map(mib),
            cgroup_peak_mb: seen.cgroup_peak_bytes.map(mib),
        }
    }
}
