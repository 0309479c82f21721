//! Fingerprint of a host, which tells whether times in two reports are comparable.

use crate::figures::units::hex;
use profiler_proto::v1::Host;
use sha2::{Digest, Sha256};

/// Length of a fingerprint in bytes, before hexadecimal encoding.
const BYTES: usize = 8;

/// Computes the fingerprint of everything that determines a program's speed: processor model,
/// number of processors, kernel release and toolchain. `toolchain` is the toolchain's identity if
/// the backend knows one, else the compiler's version. The backend is not part of it, because on
/// one host the same toolchain makes the same binary for the same kernel.
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
