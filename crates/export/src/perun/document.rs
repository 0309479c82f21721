//! A profile in Perun's written format.

use crate::call_stacks::frame_name;
use crate::error::Error;
use profiler_proto::json;
use profiler_proto::v1::ProfileReport;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Path of the profiled program in its sandbox.
const PROGRAM: &str = "./main.out";
/// The collector of these profiles.
const COLLECTOR: &str = "swiftprof";

/// The regions of a profile, in the order of the documented format.
#[derive(Debug, Serialize)]
pub(super) struct Profile<Resource> {
    header: Value,
    collector_info: Value,
    postprocessors: [(); 0],
    snapshots: Vec<Snapshot<Resource>>,
    chunks: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    swiftprof: Option<Value>,
}

/// The resources that were collected up to a point in time.
#[derive(Debug, Serialize)]
pub(super) struct Snapshot<Resource> {
    /// In seconds.
    time: String,
    resources: Vec<Resource>,
    models: [(); 0],
}

impl<Resource> Snapshot<Resource> {
    pub(super) fn new(seconds: f64, resources: Vec<Resource>) -> Self {
        Self { time: format!("{seconds:.6}"), resources, models: [] }
    }
}

impl<Resource: Serialize> Profile<Resource> {
    pub(super) fn new(
        report: &ProfileReport,
        kind: &str,
        units: &Value,
        params: &Value,
        snapshots: Vec<Snapshot<Resource>>,
    ) -> Result<Self, Error> {
        let sizes: Vec<_> = report.input_sizes.iter().map(u64::to_string).collect();
        let workload = format!("{}: sizes {}", frame_name(&report.task_id), sizes.join(", "));
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
