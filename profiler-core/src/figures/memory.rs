//! Memory figures of a program in addition to its peak resident set.

use super::units::mib;

/// Memory of one size, in MiB. The figures come from a separate run, the memory probe. The probe
/// stops the program before every system call that can change its mappings, and at its end. The
/// figures are absent without a probe, or if the probe could not read them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Memory {
    /// The largest `VmData` + `VmStk` of `/proc/PID/status`: the memory used as document 003
    /// defines it. It counts private and writable mappings, touched or not.
    pub data_stack_mb: Option<f64>,
    /// `VmPeak` of `/proc/PID/status`: the largest `VmSize`, all mappings together.
    pub size_mb: Option<f64>,
    /// `VmExe` of `/proc/PID/status`: the program's own code.
    pub text_mb: Option<f64>,
    /// The largest `VmSwap` of `/proc/PID/status`.
    pub swap_mb: Option<f64>,
    /// `VmRSS` of `/proc/PID/status` at the program's end.
    pub resident_mb: Option<f64>,
    /// `/proc/PID/statm` at the stop with the largest resident set.
    pub statm: Option<Statm>,
    /// The largest `Rss` of `[heap]` in `/proc/PID/smaps`, without the blocks that the allocator
    /// maps separately.
    pub heap_mb: Option<f64>,
    /// The largest `Rss` of `[stack]` in `/proc/PID/smaps`: the stack of the first thread.
    pub stack_mb: Option<f64>,
    /// The largest resident set in `/proc/PID/smaps` without the pages of files. It is exact, which
    /// the peak resident set is not.
    pub anonymous_mb: Option<f64>,
    /// The most that all processes of the probe held, as a memory cgroup counts it: anonymous
    /// memory, shared mappings, files in scratch, page cache that a run of the job touched first,
    /// and kernel memory. Output is not included. A native sandbox has the exact peak, with cgroup
    /// version 2 since Linux 6.12. Elsewhere it is the largest reading. Absent without a memory
    /// cgroup.
    pub cgroup_peak_mb: Option<f64>,
}

/// The fields of `/proc/PID/statm`, in MiB.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Statm {
    /// All mappings.
    pub size_mb: f64,
    /// The resident set.
    pub resident_mb: f64,
    /// The part of the resident set that is backed by files.
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
    /// The memory that the probe saw.
    pub(crate) fn from_probe(seen: &runner_protocol::Memory) -> Self {
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
            anonymous_mb: seen.anonymous_bytes.map(mib),
            cgroup_peak_mb: seen.cgroup_peak_bytes.map(mib),
        }
    }
}
