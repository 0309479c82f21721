//! Where a report was measured.

/// Where a report was measured.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Host {
    /// `docker`, `native` or `fake`.
    pub backend: String,
    /// Kernel release.
    pub kernel: String,
    /// Processor model.
    pub cpu_model: String,
    /// Processors the kernel may schedule on.
    pub cpus: u32,
    /// Version of the memory cgroup, where there is one.
    pub cgroup_version: Option<u32>,
    /// What the backend cannot enforce here, one sentence each.
    pub not_enforced: Vec<String>,
    /// What a fixed piece of work took here, in milliseconds: the headline of a few runs, wall less
    /// run delay where the kernel tells it, whatever the report's clock is.
    pub calibration_ms: Option<f64>,
    /// Reports with the same fingerprint have comparable times: a digest over processor model,
    /// number of processors, kernel release and toolchain. Absent if the run ended before the
    /// compiler did.
    pub fingerprint: Option<String>,
    /// The processor that the program was pinned to; absent where it was not.
    pub measured_core: Option<u32>,
    /// How many other programs were measured on this host meanwhile, the most that were seen at one
    /// time; absent where nobody looked.
    pub neighbours: Option<u32>,
}
