//! Which reports have comparable times.

use crate::figures::units::hex;
use crate::report::Host;
use sha2::{Digest, Sha256};

/// Length of a fingerprint, in bytes before they are written in hexadecimal.
const BYTES: usize = 8;

/// The fingerprint of what decides how fast a given binary runs here, and which binary a given
/// source becomes: processor model, number of processors, kernel release, and the toolchain, by its
/// identity where the backend knows one, else by the compiler's version. Not the backend: the same
/// toolchain on the same host makes the same binary and runs it on the same kernel.
pub(crate) fn of(host: &Host, toolchain: &str) -> String {
    let cpus = host.cpus.to_string();
    let mut digest = Sha256::new();
    for part in [&host.cpu_model, &cpus, &host.kernel, toolchain] {
        digest.update(part);
        // No part contains it, so no two lists of parts are one text.
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
    fn a_fingerprint_is_short_and_stays() {
        assert_eq!(of(&host(), "12.2.0"), "a2e4758ef19427fe");
    }

    #[test]
    fn the_backend_is_not_in_it() {
        let other = Host { backend: "native".into(), ..host() };
        assert_eq!(of(&host(), "12.2.0"), of(&other, "12.2.0"));
    }

    #[test]
    fn everything_that_decides_is_in_it() {
        let others = [
            of(&Host { cpu_model: "b".into(), ..host() }, "12.2.0"),
            of(&Host { cpus: 4, ..host() }, "12.2.0"),
            of(&Host { kernel: "6.2".into(), ..host() }, "12.2.0"),
            of(&host(), "12.3.0"),
        ];
        assert!(others.iter().all(|other| *other != of(&host(), "12.2.0")), "{others:?}");
    }
}
