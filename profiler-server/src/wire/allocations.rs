//! What a program allocated, as the wire says it.

use profiler_core::report::allocations::{AllocationSite, Allocations, Event, Frame, Snapshot};
use profiler_proto::v1;

pub(super) fn allocations(told: &Allocations) -> v1::AllocationReport {
    let sums = &told.sums;
    v1::AllocationReport {
        size: told.size,
        candidate: told.candidate,
        allocations: sums.allocations,
        frees: sums.frees,
        allocated_bytes: sums.allocated_bytes,
        peak_bytes: sums.peak_bytes,
        peak_ms: told.peak_ms(),
        leaked_blocks: sums.leaked_blocks,
        leaked_bytes: sums.leaked_bytes,
        sites: told.sites.iter().map(site).collect(),
        snapshots: told.snapshots.iter().map(snapshot).collect(),
        events: told.events.iter().map(event).collect(),
        events_dropped: told.events_dropped,
        method: told.method.clone(),
    }
}

fn site(site: &AllocationSite) -> v1::AllocationSite {
    v1::AllocationSite {
        trace: site.trace.iter().map(frame).collect(),
        allocations: site.allocations,
        allocated_bytes: site.allocated_bytes,
        peak_bytes: site.peak_bytes,
        leaked_blocks: site.leaked_blocks,
        leaked_bytes: site.leaked_bytes,
    }
}

fn frame(frame: &Frame) -> v1::AllocationFrame {
    v1::AllocationFrame {
        function: frame.function.clone(),
        file: frame.file.clone(),
        line: frame.line,
    }
}

fn snapshot(snapshot: &Snapshot) -> v1::AllocationSnapshot {
    v1::AllocationSnapshot {
        time_ms: snapshot.time_ms,
        live_bytes: snapshot.live_bytes,
        live_blocks: snapshot.live_blocks,
    }
}

fn event(event: &Event) -> v1::AllocationEvent {
    v1::AllocationEvent {
        time_ns: event.time_ns,
        function: event.function.as_str().into(),
        address: event.address,
        bytes: event.bytes,
        site: event.site,
    }
}
