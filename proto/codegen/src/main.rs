//! `cargo run -p profiler-codegen`: overwrites the committed files that are made from the .proto
//! files.

#![forbid(unsafe_code)]

use profiler_codegen::{Error, REPOSITORY, generate};
use std::path::Path;

fn main() -> Result<(), Error> {
    generate(Path::new(REPOSITORY))
}
