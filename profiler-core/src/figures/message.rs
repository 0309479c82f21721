//! Clocks and memory as messages.

use super::RuntimeClock;
use super::units::mib;
use profiler_proto::v1;
use runner_protocol::Memory;

/// Returns the message of a clock.
pub(crate) fn clock(clock: RuntimeClock) -> v1::RuntimeClock {
    match clock {
        RuntimeClock::Unloaded => v1::RuntimeClock::Unloaded,
        RuntimeClock::Wall => v1::RuntimeClock::Wall,
        RuntimeClock::Cpu => v1::RuntimeClock::Cpu,
    }
}

/// Returns the message of the memory that a probe saw.
pub(crate) fn memory(seen: &Memory) -> v1::MemoryFigures {
    let [size_mb, resident_mb, shared_mb, text_mb, lib_mb, data_mb, dirty_mb] =
        seen.statm_bytes.map(mib);
    v1::MemoryFigures {
        data_stack_mb: Some(mib(seen.data_stack_bytes)),
        size_mb: Some(mib(seen.size_bytes)),
        text_mb: Some(mib(seen.text_bytes)),
        swap_mb: Some(mib(seen.swap_bytes)),
        resident_mb: Some(mib(seen.resident_bytes)),
        statm: Some(v1::Statm {
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
