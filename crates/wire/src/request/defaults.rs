//! Default values of the fields of a request.

use profiler_core::job::Draft;
use profiler_proto::v1::{Schedule, SizeList};
use prost::Message;
use serde::{Deserialize, Deserializer};

/// Values for the fields that a request omits. A gateway of a fleet sends them with a job, so a
/// field must never change its tag.
#[derive(Clone, PartialEq, Deserialize, Message)]
#[serde(deny_unknown_fields, default)]
pub struct Defaults {
    /// Time limit of one run, in seconds.
    #[prost(double, optional, tag = "1")]
    pub sandbox_timeout_sec: Option<f64>,
    /// Memory limit of one run, in MiB.
    #[prost(uint32, optional, tag = "2")]
    pub sandbox_mem_mb: Option<u32>,
    /// Input sizes, unless the schedule is automatic.
    #[serde(deserialize_with = "sizes")]
    #[prost(message, optional, tag = "3")]
    pub input_scales: Option<SizeList>,
    /// Input sizes that are measured before these.
    #[serde(deserialize_with = "sizes")]
    #[prost(message, optional, tag = "4")]
    pub extra_corner_cases: Option<SizeList>,
    /// Maximum extra time for the runs that estimate the growth, as a share of the job's own time.
    /// A request cannot set it.
    #[prost(double, optional, tag = "5")]
    pub growth_share: Option<f64>,
}

fn sizes<'a, D: Deserializer<'a>>(list: D) -> Result<Option<SizeList>, D::Error> {
    Ok(Some(SizeList { values: Vec::deserialize(list)? }))
}

impl Defaults {
    /// Fills in the fields that a request omits. The runtime limit of a task replaces the default
    /// time limit.
    pub fn apply(&self, draft: &mut Draft) {
        let Draft { request, growth_share, .. } = draft;
        let limits = request.limits.get_or_insert_default();
        if limits.runtime_limit_ms.is_none() {
            let default_ms = self.sandbox_timeout_sec.map(|seconds| seconds * 1000.0);
            limits.timeout_ms = limits.timeout_ms.or(default_ms);
        }
        limits.memory_mb = limits.memory_mb.or(self.sandbox_mem_mb);
        *growth_share = growth_share.or(self.growth_share);
        if request.schedule() != Schedule::Auto {
            request.input_scales =
                request.input_scales.take().or_else(|| self.input_scales.clone());
        }
        let corner_cases = request.extra_corner_cases.take();
        request.extra_corner_cases = corner_cases.or_else(|| self.extra_corner_cases.clone());
    }
}
