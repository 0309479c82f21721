//! Maps recorded allocations to the wire.

use profiler_core::report::allocations::{AllocationSite, Allocations, Event, Frame, Snapshot};
use profiler_proto::v1;

pub(super) fn allocations(recorded: &Allocations) -> v1::AllocationReport {
    let sums = &recorded.sums;
    v1::AllocationReport {
        size: recorded.size,
        candidate: recorded.candidate,
        allocations: sums.allocations,
        frees: sums.frees,
        allocated_bytes: sums.allocated_bytes,
        peak_bytes: sums.peak_bytes,
        peak_ms: recorded.peak_ms(),
        leaked_blocks: sums.leaked_blocks,
        leaked_bytes: sums.leaked_bytes,
        sites: recorded.sites.iter().map(site).collect(),
        snapshots: recorded.snapshots.iter().map(snapshot).collect(),
        events: recorded.events.iter().map(event).collect(),
        events_dropped: recorded.events_dropped,
        method: recorded.method.clone(),
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
