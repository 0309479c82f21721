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
/// processor model and its features, number of processors, kernel release, toolchain, and the
/// processor that counted programs see. `toolchain` is the toolchain's identity if the backend
/// knows one, else the compiler's version. The backend is not part of it, because on one host the
/// same toolchain makes the same binary for the same kernel.
pub(crate) fn fingerprint(host: &Host, cpu_flags: &str, toolchain: &str) -> String {
    let [method, cpus] = [host.method_version, host.cpus].map(|number| number.to_string());
    let mut digest = Sha256::new();
    let parts: [&str; 7] =
        [&method, &host.cpu_model, &cpus, &host.kernel, toolchain, &host.counted_cpu, cpu_flags];
    for part in parts {
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

    fn of(host: &Host, toolchain: &str) -> String {
        fingerprint(host, "avx sse", toolchain)
    }

    #[test]
    fn fingerprint_is_short_and_stays() {
        assert_eq!(of(&host(), "12.2.0"), "9a9ab7f414a972e1");
    }

    #[test]
    fn backend_is_not_in_it() {
        let other = Host { backend: "native".into(), ..host() };
        assert_eq!(of(&host(), "12.2.0"), of(&other, "12.2.0"));
    }

    #[test]
    fn everything_that_decides_is_in_it() {
        let others = [
            of(&Host { method_version: 3, ..host() }, "12.2.0"),
            of(&Host { cpu_model: "b".into(), ..host() }, "12.2.0"),
            of(&Host { cpus: 4, ..host() }, "12.2.0"),
            of(&Host { kernel: "6.2".into(), ..host() }, "12.2.0"),
            of(&Host { counted_cpu: "d".into(), ..host() }, "12.2.0"),
            of(&host(), "12.3.0"),
            fingerprint(&host(), "sse", "12.2.0"),
        ];
        assert!(others.iter().all(|other| *other != of(&host(), "12.2.0")), "{others:?}");
    }
}
