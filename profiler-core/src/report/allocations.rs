//! What a program allocated in one run.

use crate::figures::units::ms;
pub use profiler_decode::call_traces::Frame;
pub use runner_protocol::{Event, Sums};

/// What a program allocated in one run.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Allocations {
    /// The size.
    pub size: u32,
    /// The candidate.
    pub candidate: u32,
    /// Sums over all calls.
    pub sums: Sums,
    /// Where memory was asked for, the largest part of the peak first.
    pub sites: Vec<AllocationSite>,
    /// What was live over time, the peak and the end included.
    pub snapshots: Vec<Snapshot>,
    /// The first calls in their order; `site` is a place in `sites`.
    pub events: Vec<Event>,
    /// How many there were beyond those.
    pub events_dropped: u64,
    /// How it was recorded, and whether the figures are lower bounds.
    pub method: String,
}

/// A chain of calls that asked for memory.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct AllocationSite {
    /// The innermost first; never empty.
    pub trace: Vec<Frame>,
    /// Calls.
    pub allocations: u64,
    /// What they asked for, in bytes.
    pub allocated_bytes: u64,
    /// What of it was live at the peak, in bytes.
    pub peak_bytes: u64,
    /// Blocks that were live at the end.
    pub leaked_blocks: u64,
    /// Their bytes.
    pub leaked_bytes: u64,
}

/// What was live at one moment.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Snapshot {
    /// In milliseconds from the first call.
    pub time_ms: f64,
    /// Bytes.
    pub live_bytes: u64,
    /// Blocks.
    pub live_blocks: u64,
}

impl Allocations {
    /// When the peak was, in milliseconds from the first call.
    pub fn peak_ms(&self) -> f64 {
        ms(self.sums.peak_ns)
    }
}
