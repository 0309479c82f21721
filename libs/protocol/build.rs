//! Hashes the sources of the runner, the counter, the generator and this protocol. In the
//! handshake, a host and a runner of different sources recognize each other.

use source_hash::{Error, Sources};
use std::path::Path;

/// All crates of the workspace that the three programs are compiled from.
const CRATES: [&str; 7] = [
    "sandbox-image/runner",
    "sandbox-image/counter",
    "sandbox-image/generator",
    "libs/protocol",
    "libs/decode",
    "libs/input",
    "libs/statistics",
];
/// The runner includes the hook, and links it to programs whose allocations are traced.
const HOOK: [&str; 2] = ["sandbox-image/hook/allocations.cpp", "sandbox-image/hook/left.hpp"];

fn main() -> Result<(), Error> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sources = Sources { workspace: &workspace, crates: &CRATES, included: &HOOK };
    for path in sources.paths() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    println!("cargo::rustc-env=RUNNER_SOURCES={}", sources.hash()?);
    Ok(())
}
