//! `cargo run -p profiler-codegen`: writes the bindings, and Python's options, over the committed
//! ones.

#![forbid(unsafe_code)]

use profiler_codegen::{COMMITTED, COMMITTED_OPTIONS, Error, generate};
use std::path::Path;

fn main() -> Result<(), Error> {
    generate(Path::new(COMMITTED), Path::new(COMMITTED_OPTIONS))
}
