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
    /// Processors that the kernel may schedule on.
    pub cpus: u32,
    /// Version of the memory cgroup, if there is one.
    pub cgroup_version: Option<u32>,
    /// What the backend cannot enforce here, one sentence each.
    pub not_enforced: Vec<String>,
    /// The time of the calibration, a fixed piece of work, in milliseconds. It is the headline of a
    /// few runs on the unloaded clock, or on the wall clock if the kernel reports no run delay. The
    /// report's clock does not matter.
    pub calibration_ms: Option<f64>,
    /// A digest of processor model, number of processors, kernel release and toolchain. Reports
    /// with the same fingerprint have comparable times. Absent if the run ended before the compiler
    /// did.
    pub fingerprint: Option<String>,
    /// The processor that the program was pinned to; absent if it was not pinned.
    pub measured_core: Option<u32>,
    /// The most other programs that were measured on this host at the same time; absent if nothing
    /// checked.
    pub neighbours: Option<u32>,
}
