//! `cargo run -p profiler-codegen [FOLDER]`: writes the bindings to FOLDER, else to where the
//! committed ones lie.

#![forbid(unsafe_code)]

use std::path::PathBuf;

fn main() -> Result<(), profiler_codegen::Error> {
    let out = std::env::args_os().nth(1).map(PathBuf::from);
    profiler_codegen::generate(&out.unwrap_or_else(|| profiler_codegen::COMMITTED.into()))
}
