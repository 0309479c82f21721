//! The findings of `doctor`. The fields are the keys of the JSON form.

use super::backends::Backend;
use super::disturbances::Disturbance;
use super::tools::Tool;

/// All findings.
#[derive(Debug, serde::Serialize)]
pub(super) struct Findings {
    /// Every backend, and whether its sandbox starts.
    pub(super) backends: Vec<Backend>,
    /// The programs that the native backend needs.
    pub(super) tools: Vec<Tool>,
    /// The version of the memory cgroup, if there is one.
    pub(super) cgroup_version: Option<u8>,
    /// What disturbs measurements, and the remedy.
    pub(super) disturbances: Vec<Disturbance>,
}
