//! Maps recorded allocations to the wire.

use profiler_core::report::allocations::{
    AllocationSite, Allocations, Event, Frame, Left, LeftKind, Snapshot,
};
use profiler_proto::v1;

pub(crate) fn allocations(recorded: &Allocations) -> v1::AllocationReport {
    let sums = &recorded.sums;
    v1::AllocationReport {
        size: recorded.size,
        candidate: recorded.candidate,
        allocations: sums.allocations,
        frees: sums.frees,
        allocated_bytes: sums.allocated_bytes,
        peak_bytes: sums.peak_bytes,
        peak_ms: recorded.peak_ms(),
        left: left(&recorded.left),
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
        left: left(&site.left),
    }
}

fn left(left: &Left) -> Vec<v1::LeftBlocks> {
    let blocks = left.iter().map(|(kind, part)| v1::LeftBlocks {
        kind: left_kind(*kind).into(),
        blocks: part.blocks,
        bytes: part.bytes,
    });
    blocks.collect()
}

fn left_kind(kind: LeftKind) -> v1::LeftKind {
    match kind {
        LeftKind::Lost => v1::LeftKind::Lost,
        LeftKind::IndirectlyLost => v1::LeftKind::IndirectlyLost,
        LeftKind::PossiblyLost => v1::LeftKind::PossiblyLost,
        LeftKind::Reachable => v1::LeftKind::Reachable,
        LeftKind::StreamBuffer => v1::LeftKind::StreamBuffer,
        LeftKind::Unknown => v1::LeftKind::Unknown,
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
