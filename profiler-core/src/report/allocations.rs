//! The allocations of one run.

use crate::figures::units::ms;
pub use profiler_decode::call_traces::Frame;
pub use runner_protocol::{Blocks, Event, Left, LeftKind, Sums};

/// The allocations of one run.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Allocations {
    /// The input size.
    pub size: u64,
    /// The index of the candidate input.
    pub candidate: u32,
    /// Sums over all calls.
    pub sums: Sums,
    /// The blocks that were still live at the end.
    pub left: Left,
    /// The places that allocate, largest share of the peak first.
    pub sites: Vec<AllocationSite>,
    /// The live memory over time, including the peak and the end.
    pub snapshots: Vec<Snapshot>,
    /// The first calls, in order. `site` is an index into `sites`.
    pub events: Vec<Event>,
    /// The number of calls after those.
    pub events_dropped: u64,
    /// Method of recording the allocations, and whether the figures are lower bounds.
    pub method: String,
}

/// A chain of calls that allocates.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct AllocationSite {
    /// The calls, innermost first. Never empty.
    pub trace: Vec<Frame>,
    /// The number of calls.
    pub allocations: u64,
    /// Total bytes that the calls asked for.
    pub allocated_bytes: u64,
    /// Bytes of this site that were live at the peak.
    pub peak_bytes: u64,
    /// The blocks of this site that were still live at the end.
    pub left: Left,
}

/// The live memory at one moment.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Snapshot {
    /// Milliseconds since the first call.
    pub time_ms: f64,
    /// Live bytes.
    pub live_bytes: u64,
    /// Live blocks.
    pub live_blocks: u64,
}

impl Allocations {
    /// The time of the peak, in milliseconds since the first call.
    pub fn peak_ms(&self) -> f64 {
        ms(self.sums.peak_ns)
    }
}
