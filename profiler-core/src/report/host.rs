//! Host on which a report was measured, and comparability of times between reports.

use crate::figures::units::hex;
use sha2::{Digest, Sha256};

/// Length of a fingerprint in bytes, before hexadecimal encoding.
const BYTES: usize = 8;

/// Host on which a report was measured.
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
    /// Restrictions that the backend cannot enforce here, one sentence each.
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
    /// The host's name; absent unless a fleet measured it.
    pub name: Option<String>,
}

/// Computes the fingerprint of everything that determines a program's speed: processor model,
/// number of processors, kernel release and toolchain. `toolchain` is the toolchain's identity if
/// the backend knows one, else the compiler's version. The backend is not part of it. On one host,
/// the same toolchain makes the same binary for the same kernel.
pub(crate) fn fingerprint(host: &Host, toolchain: &str) -> String {
    let cpus = host.cpus.to_string();
    let mut digest = Sha256::new();
    for part in [&host.cpu_model, &cpus, &host.kernel, toolchain] {
        digest.update(part);
        // No part contains a zero byte, so different parts never give the same text.
        digest.update([0]);
    }
    hex(&digest.finalize()[..BYTES])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host() -> Host {
        Host { cpu_model: "a".into(), cpus: 2, kernel: "6.1".into(), ..Host::default() }
    }

    #[test]
    fn fingerprint_is_short_and_stays() {
        assert_eq!(fingerprint(&host(), "12.2.0"), "a2e4758ef19427fe");
    }

    #[test]
    fn backend_is_not_in_it() {
        let other = Host { backend: "native".into(), ..host() };
        assert_eq!(fingerprint(&host(), "12.2.0"), fingerprint(&other, "12.2.0"));
    }

    #[test]
    fn everything_that_decides_is_in_it() {
        let others = [
            fingerprint(&Host { cpu_model: "b".into(), ..host() }, "12.2.0"),
            fingerprint(&Host { cpus: 4, ..host() }, "12.2.0"),
            fingerprint(&Host { kernel: "6.2".into(), ..host() }, "12.2.0"),
            fingerprint(&host(), "12.3.0"),
        ];
        assert!(others.iter().all(|other| *other != fingerprint(&host(), "12.2.0")), "{others:?}");
    }
}
