//! The values for requests that omit a field.

use profiler_core::job::Draft;
use profiler_proto::v1::{Schedule, SizeList};
use serde::Deserialize;

/// The values for requests that omit a field.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Defaults {
    /// Time limit of one run, in seconds.
    pub sandbox_timeout_sec: Option<f64>,
    /// Memory limit of one run, in MiB.
    pub sandbox_mem_mb: Option<u32>,
    /// The scales.
    pub input_scales: Option<Vec<u64>>,
    /// The corner cases, which are sizes before the scales.
    pub extra_corner_cases: Option<Vec<u64>>,
    /// The share of a job's own time that counting for growth may take on top. No request has it.
    pub growth_share: Option<f64>,
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
        let fill = |list: &mut Option<SizeList>, default: Option<&Vec<u64>>| {
            *list = list.take().or(default.cloned().map(|values| SizeList { values }));
        };
        if request.schedule() != Schedule::Auto {
            fill(&mut request.input_scales, self.input_scales.as_ref());
        }
        fill(&mut request.extra_corner_cases, self.extra_corner_cases.as_ref());
    }
}
