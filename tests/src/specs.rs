//! Specs of inputs, parsed from YAML.

use profiler_proto::file::{self, Format};
use profiler_proto::v1::InputSpec;
use std::path::Path;

/// The specs of a YAML text.
pub fn parsed(yaml: &str) -> Vec<InputSpec> {
    file::parse(yaml, Format::Yaml).expect("a test's spec is one")
}

/// The specs of a file of this repository.
pub fn of_file(path: &str) -> Vec<InputSpec> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    file::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
