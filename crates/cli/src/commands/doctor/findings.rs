//! What `doctor` finds out.

use super::backends::Backend;
use super::disturbances::Disturbance;
use super::tools::Tool;

/// Everything that was found.
#[derive(Debug, serde::Serialize)]
pub(super) struct Findings {
    /// Every backend, and whether a sandbox of it could be started.
    pub(super) backends: Vec<Backend>,
    /// What the native backend needs of this host.
    pub(super) tools: Vec<Tool>,
    /// Version of the memory cgroup, where there is one.
    pub(super) cgroup_version: Option<u8>,
    /// What makes figures worse, and how to mend it.
    pub(super) disturbances: Vec<Disturbance>,
}
