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
    /// Version of the cgroup hierarchy with the memory controller, if this host has one. Native
    /// sandboxes do not always get a cgroup in it.
    pub(super) cgroup_version: Option<u8>,
    /// Place where native sandboxes get their memory cgroups.
    pub(super) cgroup_place: Option<String>,
    /// Reason why native sandboxes get no memory cgroup.
    pub(super) cgroup_missing: Option<String>,
    /// Ways to give native sandboxes a memory cgroup. Each is enough.
    pub(super) cgroup_ways: Vec<&'static str>,
    /// Disturbances of measurements, and their remedies.
    pub(super) disturbances: Vec<Disturbance>,
}
