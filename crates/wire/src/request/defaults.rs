//! The values for requests that omit a field.

use profiler_core::job::Draft;
use profiler_proto::v1::{Schedule, SizeList};
use prost::Message;
use serde::{Deserialize, Deserializer};

/// The values for requests that omit a field. A gateway of a fleet sends them with a job, so a
/// field keeps its tag for ever.
#[derive(Clone, PartialEq, Deserialize, Message)]
#[serde(deny_unknown_fields, default)]
pub struct Defaults {
    /// Time limit of one run, in seconds.
    #[prost(double, optional, tag = "1")]
    pub sandbox_timeout_sec: Option<f64>,
    /// Memory limit of one run, in MiB.
    #[prost(uint32, optional, tag = "2")]
    pub sandbox_mem_mb: Option<u32>,
    /// The scales.
    #[serde(deserialize_with = "sizes")]
    #[prost(message, optional, tag = "3")]
    pub input_scales: Option<SizeList>,
    /// The sizes before the scales.
    #[serde(deserialize_with = "sizes")]
    #[prost(message, optional, tag = "4")]
    pub extra_corner_cases: Option<SizeList>,
    /// The share of a job's own time that counting for growth may take on top. No request has it.
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
