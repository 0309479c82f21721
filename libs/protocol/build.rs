//! Hashes the sources of the runner, the counter, the generator and this protocol. In the
//! handshake, a host refuses a runner that was built from other sources.

use source_hash::{Error, Sources};
use std::path::Path;

fn main() -> Result<(), Error> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sources = Sources::of_sandbox_programs(&workspace);
    for path in sources.paths() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    println!("cargo::rustc-env=RUNNER_SOURCES={}", sources.hash()?);
    Ok(())
}
