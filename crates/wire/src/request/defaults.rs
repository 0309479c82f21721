//! The values for requests that omit a field.

use profiler_core::job::Draft;
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
    /// The sizes before the scales.
    pub extra_corner_cases: Option<Vec<u64>>,
    /// The share of a job's own time that counting for growth may take on top. No request has it.
    pub growth_share: Option<f64>,
}

impl Defaults {
    /// Fills in the fields that a request omits. The runtime limit of a task replaces the default
    /// time limit.
    pub fn apply(&self, draft: &mut Draft) {
        if draft.runtime_limit_ms.is_none() {
            let default_ms = self.sandbox_timeout_sec.map(|seconds| seconds * 1000.0);
            draft.timeout_ms = draft.timeout_ms.or(default_ms);
        }
        draft.memory_mb = draft.memory_mb.or(self.sandbox_mem_mb);
        draft.growth_share = draft.growth_share.or(self.growth_share);
        let lists = &mut draft.sizes;
        if !lists.auto {
            lists.scales = lists.scales.take().or_else(|| self.input_scales.clone());
        }
        lists.corner_cases = lists.corner_cases.take().or_else(|| self.extra_corner_cases.clone());
    }
}
