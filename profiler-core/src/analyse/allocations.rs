//! What a program allocates: one run of a build of its own, whose malloc tells.

use crate::analyse::instructions::wrote_otherwise;
use crate::build::Builder;
use crate::build::compiler;
use crate::error::SandboxFault;
use crate::figures::units::ms;
use crate::job::Job;
use crate::job::Point;
use crate::limits::{MAX_RECORD, RECORD_SLOW_DOWN};
use crate::measure::session::MeasureSession;
use crate::report::allocations::{AllocationSite, Allocations, Frame, Snapshot};
use crate::report::ending_name;
use crate::report::{SizeResult, Warning, WarningCode};
use crate::sandbox::Sandbox;
use profiler_decode::call_traces::CallTraces;
use runner_protocol::{Allocated, Ending, Record, Variant};
use runner_protocol::{Event, Sums};
use std::collections::HashMap;

/// How allocations are recorded.
const METHOD: &str = "malloc, new and their kin of the program itself and of the libraries that it calls, in one run of a \
                      build of its own (with lines and frame pointers, not static), from the first static constructor \
                      on; of several calls within the standard library a trace has the outermost";
/// What is added to that where the sums are not exact.
const BOUNDS: &str = "; more blocks were live than can be followed, so every figure is a lower bound, and when the peak \
                      was and which places had it is not known";

impl Allocations {
    fn of(point: Point, record: &Record) -> Self {
        let lines = CallTraces::parse(&record.lines);
        let mut sites: Vec<AllocationSite> = Vec::new();
        let mut known = HashMap::new();
        // Calls from copies of one line are one site.
        let mut places = Vec::with_capacity(record.sites.len());
        for site in &record.sites {
            let trace = lines.trace(site.trace.as_deref());
            let place = *known.entry(trace.clone()).or_insert(sites.len());
            if place == sites.len() {
                sites.push(AllocationSite::at(trace));
            }
            sites[place].add(site);
            places.push(place);
        }
        let mut order: Vec<usize> = (0..sites.len()).collect();
        order.sort_by_key(|&place| std::cmp::Reverse(sites[place].peak_bytes));
        let mut rank = vec![0; sites.len()];
        for (at, &place) in order.iter().enumerate() {
            rank[place] = u32::try_from(at).unwrap_or(u32::MAX);
        }
        let moved = |event: Event| {
            let place = *places.get(usize::try_from(event.site).ok()?)?;
            Some(Event { site: rank[place], ..event })
        };
        Self {
            size: point.size,
            candidate: point.candidate,
            sums: record.sums,
            snapshots: snapshots(record),
            events: record.events.iter().copied().filter_map(moved).collect(),
            events_dropped: record.events_dropped,
            sites: order.iter().map(|&place| sites[place].clone()).collect(),
            method: method(&record.sums),
        }
    }
}

impl AllocationSite {
    fn at(trace: Vec<Frame>) -> Self {
        Self {
            trace,
            allocations: 0,
            allocated_bytes: 0,
            peak_bytes: 0,
            leaked_blocks: 0,
            leaked_bytes: 0,
        }
    }

    /// Adds what was told of a site: a program may have told anything.
    fn add(&mut self, site: &runner_protocol::Site) {
        for (sum, part) in [
            (&mut self.allocations, site.allocations),
            (&mut self.allocated_bytes, site.allocated_bytes),
            (&mut self.peak_bytes, site.peak_bytes),
            (&mut self.leaked_blocks, site.leaked_blocks),
            (&mut self.leaked_bytes, site.leaked_bytes),
        ] {
            *sum = sum.saturating_add(part);
        }
    }
}

fn method(sums: &Sums) -> String {
    let bounds = if sums.untracked > 0 { BOUNDS } else { "" };
    format!("{METHOD}{bounds}")
}

/// What was live over time. Between two snapshots there may be thousands of calls, so the peak is
/// none of them.
fn snapshots(record: &Record) -> Vec<Snapshot> {
    let sums = &record.sums;
    let peak = (sums.peak_ns, sums.peak_bytes, sums.peak_blocks);
    let end = (record.last_ns, sums.leaked_bytes, sums.leaked_blocks);
    let kept = record.snapshots.iter().map(|s| (s.time_ns, s.live_bytes, s.live_blocks));
    let mut all: Vec<_> = kept.chain([peak, end]).collect();
    all.sort_by_key(|(time_ns, ..)| *time_ns);
    all.dedup();
    let snapshot = |(time_ns, live_bytes, live_blocks)| Snapshot {
        time_ms: ms(time_ns),
        live_bytes,
        live_blocks,
    };
    all.into_iter().map(snapshot).collect()
}

/// What was recorded, and what a reader must know of it.
#[derive(Default)]
pub(crate) struct RecordedAllocations {
    pub(crate) allocations: Option<Allocations>,
    pub(crate) warnings: Vec<Warning>,
}

/// Records what `size` allocates. Where that is not possible, a warning says why.
pub(crate) async fn record(
    job: &Job,
    builder: &Builder,
    sandbox: &mut Sandbox,
    size: Option<&SizeResult>,
) -> Result<RecordedAllocations, SandboxFault> {
    let none = |warning| RecordedAllocations { allocations: None, warnings: vec![warning] };
    let Some(size) = size else {
        let problem = "no size ended OK, so none was recorded";
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
        let problem = format!("the program told nothing of its allocations ({ended})");
        return Ok(none(Warning::at(WarningCode::NoAllocations, size.point(), problem)));
    };
    let mut warnings = Vec::new();
    if execution.ending != Ending::Exited(0) {
        let problem =
            format!("recorded, the program ended otherwise: {ended}; what follows is until then");
        warnings.push(Warning::at(WarningCode::AllocationsPartial, size.point(), problem));
    } else if wrote_otherwise(&written, size) {
        let problem = "recorded, the program wrote something else to stdout than in a timed run, so what it \
                       allocated then may be something else as well";
        warnings.push(Warning::at(WarningCode::NotDeterministic, size.point(), problem));
    }
    if record.sums.untracked > 0 {
        let problem = untracked(record.sums.untracked);
        warnings.push(Warning::at(WarningCode::AllocationsLowerBounds, size.point(), problem));
    }
    let allocations = Some(Allocations::of(size.point(), &record));
    Ok(RecordedAllocations { allocations, warnings })
}

/// What is not known where so many blocks were not followed.
fn untracked(blocks: u64) -> String {
    format!(
        "{blocks} blocks were given while too many were live to follow them: whether those were given back is not \
         known, and what realloc made of them is in no sum. Allocations, frees, leaks, the peak and what was live \
         over time are at least what is told; when the peak was and which places had it is not known"
    )
}

/// Puts the build that tells into the sandbox, or says why there is none.
pub(crate) async fn compile(
    job: &Job,
    builder: &Builder,
    sandbox: &mut Sandbox,
) -> Result<Option<String>, SandboxFault> {
    let compiled = builder.obtain(job, sandbox, Variant::Allocations).await?.compiled;
    let why = || compiler::failure(&compiled, &compiler::step(&compiled));
    let failed =
        || format!("the program cannot be linked behind what records allocations: {}", why());
    Ok(compiled.binary.is_none().then(failed))
}

#[cfg(test)]
mod tests;
