//! The parts of the sandbox image, and the programs that run in sandboxes.
//!
//! All parts are embedded in the program that starts sandboxes. So an installed binary needs no
//! source tree, and its sandbox programs always have its own version.

#![forbid(unsafe_code)]

use std::io;

// Statics, because a constant is copied into every crate that uses it.
/// The runner: a static executable for this program's own architecture.
pub static RUNNER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/swiftprof-runner"));
/// The counter: a static executable that runs a program and counts its instructions.
pub static COUNTER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/swiftprof-counter"));
/// The generator: a static executable that writes an input by a recipe.
pub static GENERATOR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/swiftprof-generator"));
/// Docker's seccomp profile for a sandbox.
pub const SECCOMP: &str = include_str!("../seccomp.json");
/// The tag of the default image.
pub const DEFAULT_TAG: &str = "swiftsolve/sandbox:bookworm";
/// The base of the default image.
pub const DEFAULT_BASE: &str = "swiftsolve/base:bookworm";
/// The image's label that holds the hash of its runner's sources.
pub const SOURCES_LABEL: &str = "org.swiftsolve.profiler.runner-sources";

/// The image's build context, by name and mode.
static CONTEXT: [(&str, &[u8], u32); 3] = [
    ("Dockerfile", include_bytes!("../Dockerfile"), 0o644),
    ("sandbox-run", include_bytes!("../sandbox-run"), 0o755),
    ("swiftprof-runner", RUNNER, 0o755),
];

/// The image's build context as a tar archive for a Docker daemon. The same sources give the same
/// bytes, so that the daemon can use its build cache.
pub fn context() -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content, mode) in CONTEXT {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(mode);
        header.set_mtime(0);
        archive.append_data(&mut header, name, content)?;
    }
    archive.into_inner()
}
