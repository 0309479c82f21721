//! Records a program's allocations in one run of a separate build with an instrumented malloc.

use crate::analyse::instructions::wrote_otherwise;
use crate::build::{Builder, compiler};
use crate::error::SandboxFault;
use crate::figures::units::ms;
use crate::job::{Job, Point};
use crate::limits::{MAX_RECORD, RECORD_SLOW_DOWN};
use crate::measure::session::MeasureSession;
use crate::report::{MeasuredSize, ending_name};
use crate::sandbox::Sandbox;
use profiler_decode::addr2line::OwnFiles;
use profiler_decode::call_traces::{CallTraces, Frame};
use profiler_proto::v1::{
    self, AllocationEvent, AllocationFrame, AllocationReport, AllocationSite, AllocationSnapshot,
    LeftBlocks, Warning, WarningCode,
};
use runner_protocol::{
    Allocated, Blocks, Ending, Event, Left, LeftKind, Record, Site, Variant, add_left,
};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Description of the method, for the report.
const METHOD: &str = "calls of malloc, new and the like by the program and its libraries, in one run \
                      of a separate build (with line numbers and frame pointers, not static), \
                      starting with the first static constructor; of several calls within the \
                      standard library a trace shows the outermost, and of a recursion the \
                      innermost";
/// Addition to [`METHOD`] if the sums are not exact.
const BOUNDS: &str = "; more blocks were live than can be tracked, so every figure is a lower bound, \
                      and the peak's time and places are unknown";

fn published(point: Point, record: &Record, own: &OwnFiles) -> AllocationReport {
    let lines = CallTraces::parse(&record.lines, own);
    let mut sites: Vec<(Vec<Frame>, Site)> = Vec::new();
    let (mut left, mut known) = (Left::new(), HashMap::new());
    // Sites with the same trace, such as copies of an inlined call, become one.
    let mut places = Vec::with_capacity(record.sites.len());
    for site in &record.sites {
        let trace = lines.trace(site.trace.as_deref());
        let place = *known.entry(trace.clone()).or_insert(sites.len());
        if place == sites.len() {
            sites.push((trace, Site::default()));
        }
        add(&mut sites[place].1, site);
        add_left(&mut left, &site.left);
        places.push(place);
    }
    let mut order: Vec<usize> = (0..sites.len()).collect();
    order.sort_by_key(|&place| Reverse(sites[place].1.peak_bytes));
    let mut rank = vec![0; sites.len()];
    for (at, &place) in order.iter().enumerate() {
        rank[place] = u32::try_from(at).unwrap_or(u32::MAX);
    }
    let event = |event: &Event| {
        let place = *places.get(usize::try_from(event.site).ok()?)?;
        Some(AllocationEvent {
            time_ns: event.time_ns,
            function: event.function.as_str().into(),
            address: event.address,
            bytes: event.bytes,
            site: rank[place],
        })
    };
    let sums = &record.sums;
    AllocationReport {
        size: point.size,
        candidate: point.candidate,
        allocations: sums.allocations,
        frees: sums.frees,
        allocated_bytes: sums.allocated_bytes,
        peak_bytes: sums.peak_bytes,
        peak_ms: ms(sums.peak_ns),
        left: published_left(&left),
        snapshots: snapshots(record),
        events: record.events.iter().filter_map(event).collect(),
        events_dropped: record.events_dropped,
        sites: order.iter().map(|&place| published_site(&sites[place])).collect(),
        method: format!("{METHOD}{}", if sums.untracked > 0 { BOUNDS } else { "" }),
    }
}

/// Adds the figures of a site. They come from the program and may be forged, so the sums saturate.
fn add(sum: &mut Site, site: &Site) {
    for (sum, part) in [
        (&mut sum.allocations, site.allocations),
        (&mut sum.allocated_bytes, site.allocated_bytes),
        (&mut sum.peak_bytes, site.peak_bytes),
    ] {
        *sum = sum.saturating_add(part);
    }
    add_left(&mut sum.left, &site.left);
}

fn published_site((trace, sum): &(Vec<Frame>, Site)) -> AllocationSite {
    let frame = |Frame { function, file, line, .. }: &Frame| AllocationFrame {
        function: function.clone(),
        file: file.clone(),
        line: *line,
    };
    AllocationSite {
        trace: trace.iter().map(frame).collect(),
        allocations: sum.allocations,
        allocated_bytes: sum.allocated_bytes,
        peak_bytes: sum.peak_bytes,
        left: published_left(&sum.left),
    }
}

fn published_left(left: &Left) -> Vec<LeftBlocks> {
    let kind = |kind: &LeftKind| match kind {
        LeftKind::Lost => v1::LeftKind::Lost,
        LeftKind::IndirectlyLost => v1::LeftKind::IndirectlyLost,
        LeftKind::PossiblyLost => v1::LeftKind::PossiblyLost,
        LeftKind::Reachable => v1::LeftKind::Reachable,
        LeftKind::StreamBuffer => v1::LeftKind::StreamBuffer,
        LeftKind::Unknown => v1::LeftKind::Unknown,
    };
    let blocks = |(of, part): (&LeftKind, &Blocks)| LeftBlocks {
        kind: kind(of).into(),
        blocks: part.blocks,
        bytes: part.bytes,
    };
    left.iter().map(blocks).collect()
}

/// Returns the live memory over time. There may be thousands of calls between two snapshots, so the
/// peak is added separately.
fn snapshots(record: &Record) -> Vec<AllocationSnapshot> {
    let sums = &record.sums;
    let peak = (sums.peak_ns, sums.peak_bytes, sums.peak_blocks);
    let end = (record.last_ns, sums.left_bytes, sums.left_blocks);
    let kept = record.snapshots.iter().map(|s| (s.time_ns, s.live_bytes, s.live_blocks));
    let mut all: Vec<_> = kept.chain([peak, end]).collect();
    all.sort_by_key(|(time_ns, ..)| *time_ns);
    all.dedup();
    let snapshot = |(time_ns, live_bytes, live_blocks)| AllocationSnapshot {
        time_ms: ms(time_ns),
        live_bytes,
        live_blocks,
    };
    all.into_iter().map(snapshot).collect()
}

/// Records the allocations of `size`, and returns them with warnings. If they cannot be recorded, a
/// warning says why.
pub(crate) async fn record(
    job: &Job,
    builder: &Builder,
    sandbox: &mut Sandbox,
    size: Option<&MeasuredSize>,
) -> Result<(Option<AllocationReport>, Vec<Warning>), SandboxFault> {
    let none = |warning| (None, vec![warning]);
    let Some(size) = size else {
        let problem = "no size ended OK, so no allocations were recorded";
        return Ok(none(Warning::new(WarningCode::NoAllocations, problem)));
    };
    if let Some(problem) = compile(job, builder, sandbox).await? {
        return Ok(none(Warning::new(WarningCode::NoAllocations, problem)));
    }
    let within = (RECORD_SLOW_DOWN * job.limits.timeout).min(MAX_RECORD);
    let mut session = MeasureSession::new(job, &mut sandbox.channel, None);
    let Allocated { execution, record, written } = session.allocated(size.point(), within).await?;
    let ended = ending_name(execution.ending);
    let Some(record) = record else {
        let problem = format!("the program reported no allocations ({ended})");
        return Ok(none(size.point().warning(WarningCode::NoAllocations, problem)));
    };
    let mut warnings = Vec::new();
    if execution.ending != Ending::Exited(0) {
        let problem = format!("the recorded run ended differently: {ended}; the record ends there");
        warnings.push(size.point().warning(WarningCode::AllocationsPartial, problem));
    } else if wrote_otherwise(&written, size) {
        let problem = "the recorded run wrote different output than a timed run, so its allocations may \
                       differ as well";
        warnings.push(size.point().warning(WarningCode::NotDeterministic, problem));
    }
    if record.sums.untracked > 0 {
        let problem = format!(
            "{} blocks were allocated while too many were live to track them. Their frees are \
             unknown, and no sum includes their realloc calls. Allocations, frees, blocks that are left, the peak and \
             live memory over time are lower bounds. The peak's time and places are unknown",
            record.sums.untracked
        );
        warnings.push(size.point().warning(WarningCode::AllocationsLowerBounds, problem));
    }
    Ok((Some(published(size.point(), &record, &job.own_files())), warnings))
}

/// Puts the instrumented build into the sandbox. Returns the reason if it cannot be built.
pub(crate) async fn compile(
    job: &Job,
    builder: &Builder,
    sandbox: &mut Sandbox,
) -> Result<Option<String>, SandboxFault> {
    let compiled = builder.obtain(job, sandbox, Variant::Allocations).await?.compiled;
    let (_, binary) = compiler::step_and_binary(&compiled, builder.limits);
    let failed = |why| format!("the program cannot be linked with the allocation recorder: {why}");
    Ok(binary.err().map(failed))
}

#[cfg(test)]
mod tests;
