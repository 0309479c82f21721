//! The memory profile: every allocation and deallocation with its stack trace, the innermost frame
//! first.

use super::document::{Profile, Snapshot};
use crate::call_stacks::frame_name;
use crate::error::{Error, MAX_BYTES};
use profiler_decode::SOURCE_FILE;
use profiler_proto::v1::{AllocationEvent, AllocationFrame, AllocationReport, ProfileReport};
use serde::{Serialize, Serializer};
use serde_json::json;
use std::iter;

/// Perun's name of an unknown source.
const NO_SOURCE: &str = "unreachable";
/// Perun's name of every call that frees memory.
const FREE: &str = "free";
/// The calls that free memory.
const FREEING: [&str; 2] = [FREE, "delete"];
const MS_PER_S: f64 = 1e3;
const NS_PER_MS: f64 = 1e6;
/// The size of a written frame without its names, in bytes.
const FRAME_BYTES: usize = 42;

/// One call. All resources need the same keys, or Perun drops some.
#[derive(Debug, Serialize)]
struct Resource<'a> {
    r#type: &'static str,
    subtype: String,
    address: u64,
    amount: u64,
    uid: Frame,
    trace: Trace<'a>,
}

/// The called function, then the frames of the call site, which many events share.
#[derive(Debug)]
struct Trace<'a>(Frame, &'a [Frame]);

#[derive(Debug, Clone, Serialize)]
struct Frame {
    source: String,
    function: String,
    line: u32,
}

/// Writes a memory profile, whose amounts are in bytes.
pub(crate) fn profile(report: &ProfileReport) -> Result<Vec<u8>, Error> {
    let lacking = |what| Error::Lacks { what, field: Some("allocations"), reason: "" };
    let allocations = report.allocations.as_ref().ok_or(lacking("allocations"))?;
    if allocations.events.is_empty() {
        return Err(lacking("allocation events"));
    }
    bounded(allocations)?;
    let sites: Vec<_> = allocations.sites.iter().map(|site| trace(&site.trace)).collect();
    let snapshots = moments(allocations).into_iter().map(|(ms, events)| {
        let resources = events.iter().map(|event| resource(event, &sites)).collect();
        Snapshot::new(ms / MS_PER_S, resources)
    });
    let params = json!({
        "method": allocations.method,
        "size": allocations.size,
        "events_dropped": allocations.events_dropped,
    });
    let units = json!({ "memory": "B" });
    let profile = Profile::new(report, "memory", &units, &params, snapshots.collect())?;
    Ok(serde_json::to_vec(&profile)?)
}

/// Refuses a profile that would be too large before it is built: each event repeats its trace.
fn bounded(allocations: &AllocationReport) -> Result<(), Error> {
    let bytes = |frame: &AllocationFrame| frame.function.len() + frame.file.len() + FRAME_BYTES;
    let sites: Vec<usize> =
        allocations.sites.iter().map(|site| site.trace.iter().map(bytes).sum()).collect();
    let events = allocations.events.iter();
    let total: usize = events.filter_map(|event| sites.get(event.site as usize)).sum();
    if total > MAX_BYTES { Err(Error::TooLarge) } else { Ok(()) }
}

/// The events up to each snapshot, with its time in milliseconds. Events after the last snapshot
/// come last.
fn moments(allocations: &AllocationReport) -> Vec<(f64, &[AllocationEvent])> {
    let mut left = allocations.events.as_slice();
    let mut moments = Vec::new();
    for end_ms in allocations.snapshots.iter().map(|snapshot| snapshot.time_ms) {
        let count = left.partition_point(|event| time_ms(event) <= end_ms);
        let (events, later) = left.split_at(count);
        moments.push((end_ms, events));
        left = later;
    }
    moments.push((left.last().map_or(0.0, time_ms), left));
    moments.retain(|(_, events)| !events.is_empty());
    moments
}

fn time_ms(event: &AllocationEvent) -> f64 {
    event.time_ns as f64 / NS_PER_MS
}

fn resource<'a>(event: &AllocationEvent, sites: &'a [Vec<Frame>]) -> Resource<'a> {
    let function = frame_name(&event.function);
    let is_free = FREEING.contains(&function.as_str());
    let subtype = if is_free { FREE.into() } else { function.clone() };
    let called = Frame { source: NO_SOURCE.into(), function, line: 0 };
    let site = sites.get(event.site as usize).map(Vec::as_slice).unwrap_or_default();
    // The requesting frame, as in `report::allocations`.
    let own = site.iter().find(|frame| frame.source == SOURCE_FILE);
    let own = own.or(site.first()).unwrap_or(&called);
    Resource {
        r#type: "memory",
        subtype,
        address: event.address,
        amount: event.bytes,
        uid: own.clone(),
        trace: Trace(called, site),
    }
}

impl Serialize for Trace<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(iter::once(&self.0).chain(self.1))
    }
}

fn trace(frames: &[AllocationFrame]) -> Vec<Frame> {
    let frame = |frame: &AllocationFrame| {
        let source = if frame.file.is_empty() { NO_SOURCE.into() } else { frame_name(&frame.file) };
        Frame { source, function: frame_name(&frame.function), line: frame.line }
    };
    frames.iter().map(frame).collect()
}
