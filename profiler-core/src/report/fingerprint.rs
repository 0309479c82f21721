//! Fingerprint of a host, which tells whether times in two reports are comparable.

use crate::figures::units::hex;
use profiler_proto::v1::Host;
use sha2::{Digest, Sha256};

/// Version of the method of measuring. Raise it with every change that moves figures of an
/// unchanged program: clocks, what precedes a timed run, repetitions, counts, flags, the
/// precompiled header. Reports without `method_version` were measured by version 1.
pub const METHOD_VERSION: u32 = 2;

/// Length of a fingerprint in bytes, before hexadecimal encoding.
const BYTES: usize = 8;

/// Computes the fingerprint of everything that determines a program's figures: method of measuring,
/// processor model, number of processors, kernel release, toolchain, and the processor that counted
/// programs see. `toolchain` is the toolchain's identity if the backend knows one, else the
/// compiler's version. The backend is not part of it, because on one host the same toolchain makes
/// the same binary for the same kernel.
pub(crate) fn fingerprint(host: &Host, toolchain: &str) -> String {
    let [method, cpus] = [host.method_version, host.cpus].map(|number| number.to_string());
    let mut digest = Sha256::new();
    for part in [&method, &host.cpu_model, &cpus, &host.kernel, toolchain, &host.counted_cpu] {
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
        let (cpu_model, kernel) = ("a".into(), "6.1".into());
        let counted_cpu = "c".into();
        Host { method_version: 2, cpu_model, cpus: 2, kernel, counted_cpu, ..Host::default() }
    }

    #[test]
    fn fingerprint_is_short_and_stays() {
        assert_eq!(fingerprint(&host(), "12.2.0"), "9fcb63ba79e6686b");
    }

    #[test]
    fn backend_is_not_in_it() {
        let other = Host { backend: "native".into(), ..host() };
        assert_eq!(fingerprint(&host(), "12.2.0"), fingerprint(&other, "12.2.0"));
    }

    #[test]
    fn everything_that_decides_is_in_it() {
        let others = [
            fingerprint(&Host { method_version: 3, ..host() }, "12.2.0"),
            fingerprint(&Host { cpu_model: "b".into(), ..host() }, "12.2.0"),
            fingerprint(&Host { cpus: 4, ..host() }, "12.2.0"),
            fingerprint(&Host { kernel: "6.2".into(), ..host() }, "12.2.0"),
            fingerprint(&Host { counted_cpu: "d".into(), ..host() }, "12.2.0"),
            fingerprint(&host(), "12.3.0"),
        ];
        assert!(others.iter().all(|other| *other != fingerprint(&host(), "12.2.0")), "{others:?}");
    }
}
