//! Hashes the sources of the runner, of what it links to programs, of the generator, of the
//! counter and of this protocol, so that a host and a runner built from different sources
//! recognise each other in the handshake.

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let protocol = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let runner = protocol.join("../runner");
    // Not the counter's tests: they are no part of what lives in a sandbox.
    let counter = protocol.join("../counter/src");
    let mut files = Vec::new();
    let generator = protocol.join("../generator/src");
    let input = protocol.join("../../crates/input/src");
    let decode = protocol.join("../../crates/decode/src");
    let statistics = protocol.join("../../crates/statistics/src");
    let hook = protocol.join("../hook");
    for root in [&protocol, &runner, &hook, &counter, &generator, &input, &decode, &statistics] {
        println!("cargo::rerun-if-changed={}", root.display());
        collect(root, &mut files)?;
    }
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        hash.update(fs::read(file)?);
    }
    println!("cargo::rustc-env=RUNNER_SOURCES={:x}", hash.finalize());
    Ok(())
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "rs" || e == "toml" || e == "cpp") {
            files.push(path);
        }
    }
    Ok(())
}
