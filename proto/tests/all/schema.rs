//! The JSON schema of specs, against a validator of its own.

#![cfg(feature = "json")]

use boon::{Compiler, SchemaIndex, Schemas};
use profiler_proto::file::{Format, kinds, parse};
use serde_json::Value;
use std::fs;
use std::path::Path;

const URL: &str = "http://swiftprof.invalid/spec.json";

struct Validator(Schemas, SchemaIndex);

impl Validator {
    fn new() -> Self {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource(URL, kinds::schema().unwrap()).unwrap();
        let index = compiler.compile(URL, &mut schemas).unwrap();
        Self(schemas, index)
    }

    fn problem(&self, yaml: &str) -> Option<String> {
        // In YAML 1.2, as editors read it, n is a text.
        let options = serde_saphyr::options! { strict_booleans: true };
        let value: Value = serde_saphyr::from_str_with_options(yaml, options).unwrap();
        self.0.validate(&value, self.1).err().map(|error| error.to_string())
    }
}

fn examples() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let folders = ["kinds", "tasks"].map(|folder| fs::read_dir(root.join(folder)).unwrap());
    folders
        .into_iter()
        .flatten()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .map(|path| (path.display().to_string(), fs::read_to_string(path).unwrap()))
        .collect()
}

#[test]
fn every_example_is_valid() {
    let (validator, examples) = (Validator::new(), examples());
    assert!(examples.len() > 20, "{}", examples.len());
    for (path, text) in examples {
        parse(&text, Format::Yaml).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(validator.problem(&text), None, "{path}");
    }
}

#[test]
fn malformed_spec_is_invalid() {
    let validator = Validator::new();
    for wrong in [
        "[]",
        "just text",
        "{name: a}",
        "{layout: [{line: {items: [n]}}], sead: 1}",
        "{layout: [{line: {items: [n]}}], seed: -1}",
        "{layout: {line: {items: [n]}}}",
        "{layout: [{line: {items: n}}]}",
        "{layout: [{line: {items: [n]}, raw: s}]}",
        "{layout: [{literal: 7}]}",
        "{layout: [{line: {items: [1.5]}}]}",
        "{vars: [{name: a}], layout: [{line: {items: [a]}}]}",
        "{vars: [{name: a, int: {value: 1}}], layout: [{line: {items: [a]}}]}",
        "{vars: [{name: a, array: {len: n}}], layout: [{line: {items: [a]}}]}",
        "{vars: [{name: a, array: {len: n, min: 1, max: 2, order: up}}], layout: [{raw: a}]}",
        "{vars: [{name: a, scalar: {value: 1}, text: {len: n}}], layout: [{raw: a}]}",
        "{vars: [{name: a, tree: {nodes: n, weights: {min: 1}}}], layout: [{raw: a}]}",
        "{vars: [{name: a, tree: {nodes: n, zero_based: 1}}], layout: [{raw: a}]}",
    ] {
        assert!(validator.problem(wrong).is_some(), "{wrong}");
    }
    for right in ["{layout: [{line: {items: [n, 1e3]}}]}", "{generator: gen.cpp, seed: 3}"] {
        assert_eq!(validator.problem(right), None);
    }
}

#[test]
fn every_kind_and_field_has_a_meaning() {
    let kinds = kinds::kinds().unwrap();
    assert_eq!(kinds.len(), 11);
    for kind in kinds {
        assert!(!kind.meaning.is_empty(), "{}", kind.name);
        for field in kind.fields {
            assert!(!field.meaning.is_empty() && !field.form.is_empty(), "{}", field.name);
        }
    }
}
