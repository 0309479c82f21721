use super::spec;
use profiler_core::job::spec_message;
use profiler_proto::{file, v1};
use std::path::Path;

#[test]
fn every_spec_of_the_examples_comes_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tasks");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        for message in file::read(&path).unwrap() {
            let read = spec(message, "input_specs[0]").unwrap();
            assert_eq!(spec(spec_message(&read), "input_specs[0]").unwrap(), read, "{path:?}");
            seen += 1;
        }
    }
    assert!(seen >= 10, "{seen}");
}

#[test]
fn every_value_of_an_enum_comes_back() {
    let vars = (0..11).flat_map(|value: i32| {
        use v1::variable::Kind as Wire;
        let array = v1::Array { order: value, step: format!("{value}"), ..Default::default() };
        let text = v1::Text { pattern: value % 6, ..Default::default() };
        let tree = v1::Tree { shape: value % 7, ..Default::default() };
        let graph = v1::Graph { shape: value % 6, ..Default::default() };
        let points = v1::Points { shape: value % 4, ..Default::default() };
        let kinds = [
            Wire::Array(array),
            Wire::Text(text),
            Wire::Tree(tree),
            Wire::Graph(graph),
            Wire::Points(points),
        ];
        kinds.map(|kind| v1::Variable { name: "v".into(), kind: Some(kind) })
    });
    let layout = (0..4).map(|split| v1::Layout {
        kind: Some(v1::layout::Kind::Repeat(v1::Repetition { split, ..Default::default() })),
    });
    let message =
        v1::InputSpec { vars: vars.collect(), layout: layout.collect(), ..Default::default() };
    let read = spec(message, "input_specs[0]").unwrap();
    assert_eq!(spec(spec_message(&read), "input_specs[0]").unwrap(), read);
}
