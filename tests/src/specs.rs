//! Specs of inputs, parsed from YAML.

use profiler_input::Spec;
use profiler_proto::file::{self, Format};
use profiler_proto::v1;
use profiler_wire as wire;
use std::path::Path;

/// The specs of a YAML text.
pub fn parsed(yaml: &str) -> Vec<Spec> {
    domain(file::parse(yaml, Format::Yaml).expect("a test's spec is one"))
}

/// The specs of a file of this repository.
pub fn of_file(path: &str) -> Vec<Spec> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    domain(file::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

fn domain(specs: Vec<v1::InputSpec>) -> Vec<Spec> {
    let one = |spec| wire::spec(spec, "input_specs").expect("a test's spec has a meaning");
    specs.into_iter().map(one).collect()
}
