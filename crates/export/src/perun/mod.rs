//! Our reports as profiles of Perun, which its own tools load.
//!
//! The regions are those of the written format, with one more, `swiftprof`: our growth classes, for which
//! Perun has no model. `origin` is absent, as a profile that belongs to no commit has none. A mixed profile has
//! one more, `models`: Perun 0.28 drops those that stand in snapshots alone.

mod memory;
mod time;

pub(crate) use memory::profile as memory;
pub(crate) use time::{mixed, time};

use crate::Error;
use crate::stacks::name;
use profiler_proto::json;
use profiler_proto::v1::ProfileReport;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Where the profiled program is in its sandbox.
const PROGRAM: &str = "./main.out";
/// Whose profiles these are.
const COLLECTOR: &str = "swiftprof";

/// The regions of a profile, in the order of the written format.
#[derive(Debug, Serialize)]
struct Profile<Resource> {
    header: Value,
    collector_info: Value,
    postprocessors: [(); 0],
    snapshots: Vec<Snapshot<Resource>>,
    chunks: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    swiftprof: Option<Value>,
}

/// What was collected until a moment.
#[derive(Debug, Serialize)]
struct Snapshot<Resource> {
    /// In seconds.
    time: String,
    resources: Vec<Resource>,
    models: [(); 0],
}

impl<Resource> Snapshot<Resource> {
    fn new(seconds: f64, resources: Vec<Resource>) -> Self {
        Self { time: format!("{seconds:.6}"), resources, models: [] }
    }
}

impl<Resource: Serialize> Profile<Resource> {
    fn new(
        report: &ProfileReport,
        kind: &str,
        units: &Value,
        params: &Value,
        snapshots: Vec<Snapshot<Resource>>,
    ) -> Result<Self, Error> {
        let sizes: Vec<_> = report.input_sizes.iter().map(u32::to_string).collect();
        let workload = format!("{}: sizes {}", name(&report.task_id), sizes.join(", "));
        let swiftprof = match &report.growth {
            Some(growth) => {
                let growth: Value = serde_json::from_str(&json::to_string(growth)?)?;
                Some(json!({ "growth": growth }))
            }
            None => None,
        };
        Ok(Self {
            header: json!({
                "type": kind, "units": units, "cmd": PROGRAM, "args": "", "workload": workload,
            }),
            collector_info: json!({ "name": COLLECTOR, "params": params }),
            postprocessors: [],
            snapshots,
            chunks: Map::new(),
            swiftprof,
        })
    }
}

#[cfg(test)]
mod tests;
