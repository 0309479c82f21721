//! `cargo run -p profiler-codegen`: writes what follows from the .proto files over the committed
//! files.

#![forbid(unsafe_code)]

use profiler_codegen::{Error, REPOSITORY, generate};
use std::path::Path;

fn main() -> Result<(), Error> {
    generate(Path::new(REPOSITORY))
}
