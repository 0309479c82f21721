//! Limits of runs whose time does not become a figure.

use crate::figures::units::nanoseconds;
use crate::limits::{COUNTER_ADDRESS_BYTES, RECORD_BYTES, TRACE_BYTES};
use runner_protocol::{Clock, Limits};
use std::time::Duration;

/// The limits of a run under the counter, with extra address space for the counter.
pub(super) fn counted(limits: Limits, within: Duration) -> Limits {
    let address_space_bytes = limits.address_space_bytes.saturating_add(COUNTER_ADDRESS_BYTES);
    Limits { address_space_bytes, ..wall_limited(limits, within) }
}

/// Returns the limits of a run whose time does not become a figure, so that only the wall clock
/// limits its time.
pub(super) fn wall_limited(limits: Limits, within: Duration) -> Limits {
    let wall_ns = nanoseconds(within);
    let cpu_s = limits.cpu_s.max(within.as_secs() + 1);
    Limits { time_ns: wall_ns, clock: Clock::Wall, wall_ns, cpu_s, ..limits }
}

/// Returns the limits of a run that is counted line by line. They leave room for the counter, and
/// for addr2line, which runs under the same limits.
pub(super) fn traced(limits: Limits, within: Duration) -> Limits {
    let limits = counted(limits, within);
    Limits { resident_bytes: limits.resident_bytes.saturating_add(TRACE_BYTES), ..limits }
}

/// The limits of a run that records its allocations, with room for the record.
pub(super) fn recorded(limits: Limits, within: Duration) -> Limits {
    let limits = wall_limited(limits, within);
    Limits {
        resident_bytes: limits.resident_bytes + RECORD_BYTES,
        address_space_bytes: limits.address_space_bytes.saturating_add(RECORD_BYTES),
        ..limits
    }
}
