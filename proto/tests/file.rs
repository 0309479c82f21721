//! Specs as people write them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]
#![cfg(feature = "json")]

use profiler_proto::file::{Error, Format, MAX_FILE_BYTES, parse, read};
use profiler_proto::v1;
use std::fmt::Write;
use std::fs;

const YAML: &str = "
name: sorted
seed: 3
vars:
  - name: k
    scalar: {value: 5}
  - name: a
    array:
      len: n
      min: 1
      max: 10^9
      order: anti-quicksort
      distinct: true
layout:
  - line: {items: [n, k]}
  - line: {items: [a], omit_empty: true}
";

const JSON: &str = r#"{
  "name": "sorted",
  "seed": 3,
  "vars": [
    {"name": "k", "scalar": {"value": "5"}},
    {"name": "a", "array": {
      "len": "n", "min": "1", "max": "10^9", "order": "ORDER_ANTI_QUICKSORT", "distinct": true
    }}
  ],
  "layout": [{"line": {"items": ["n", "k"]}}, {"line": {"items": ["a"], "omitEmpty": true}}]
}"#;

/// Sorted: in which order JSON's keys come is a feature of `serde_json` that any crate of a build
/// can ask for.
fn refused(text: &str) -> Vec<String> {
    match parse(text, Format::Yaml).unwrap_err() {
        Error::Message(mut faults) => {
            faults.sort();
            faults
        }
        other => vec![other.to_string()],
    }
}

#[test]
fn json_and_yaml_are_the_same_message() {
    let yaml = parse(YAML, Format::Yaml).unwrap();
    assert_eq!(yaml, parse(JSON, Format::Json).unwrap());
    assert_eq!(yaml, parse(JSON, Format::Yaml).unwrap());
    let Some(v1::variable::Kind::Array(array)) = &yaml[0].vars[1].kind else { panic!("{yaml:?}") };
    assert_eq!((array.min.as_str(), array.order()), ("1", v1::Order::AntiQuicksort));
}

#[test]
fn a_file_holds_one_spec_or_several() {
    let folder = tempfile::tempdir().unwrap();
    let one = folder.path().join("one.json");
    fs::write(&one, JSON).unwrap();
    let several = folder.path().join("several.yaml");
    fs::write(&several, "- name: a\n- name: b\n").unwrap();
    assert_eq!(read(&one).unwrap().len(), 1);
    let names: Vec<String> = read(&several).unwrap().into_iter().map(|spec| spec.name).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(refused("[]"), ["holds an empty list"]);
}

fn scalar(number: &str, format: Format) -> Result<String, Error> {
    let text = format!(r#"{{"vars": [{{"name": "k", "scalar": {{"value": {number}}}}}]}}"#);
    let spec = parse(&text, format)?.remove(0);
    let Some(v1::variable::Kind::Scalar(scalar)) = &spec.vars[0].kind else { panic!("{spec:?}") };
    Ok(scalar.value.clone())
}

#[test]
fn whole_numbers_stand_for_expressions_as_they_were_meant() {
    for format in [Format::Json, Format::Yaml] {
        for (number, expected) in [
            ("5", "5"),
            ("-3", "-3"),
            ("1e5", "100000"),
            ("1e16", "10000000000000000"),
            ("1e18", "1000000000000000000"),
            ("-1e18", "-1000000000000000000"),
            ("2.0", "2"),
            ("9223372036854775807", "9223372036854775807"),
        ] {
            assert_eq!(scalar(number, format).unwrap(), expected, "{format:?}");
        }
        for number in ["1.5", "0.5", "1e19", "9223372036854775808", "99999999999999999999"] {
            let problem =
                "vars[0].scalar.value: a number must be whole and within 64 bits here".to_owned();
            let error = scalar(number, format).unwrap_err();
            assert_eq!(error.to_string(), problem, "{format:?} {number}");
        }
    }
}

#[test]
fn a_number_is_an_expression_and_not_a_text() {
    let text = "
name: 1
vars:
  - {name: 2, text: {len: 3, alphabet: 01}}
  - {name: g, grid: {rows: 1, cols: 1, alphabet: 0}}
  - name: q
    queries: {len: 1, variants: [{fields: [{literal: 007}, {number: {min: 1, max: 2}}]}]}
layout:
  - line: {items: [5, n]}
  - grid: 3
  - raw: 4
  - literal: 007
  - repeat: {count: 2, min_size: 1, vars: [{name: 1e2}], layout: [{literal: 1.5}]}
";
    let texts = [
        "layout[1].grid",
        "layout[2].raw",
        "layout[3].literal",
        "layout[4].repeat.layout[0].literal",
        "layout[4].repeat.vars[0].name",
        "name",
        "vars[0].name",
        "vars[0].text.alphabet",
        "vars[1].grid.alphabet",
        "vars[2].queries.variants[0].fields[0].literal",
    ];
    assert_eq!(
        refused(text),
        texts.map(|path| format!("{path}: a text is wanted here: put it in quotes"))
    );
    let quoted =
        parse("layout: [{literal: '007'}, {line: {items: [5, n]}}]", Format::Yaml).unwrap();
    let kinds: Vec<_> = quoted[0].layout.iter().filter_map(|part| part.kind.clone()).collect();
    assert_eq!(
        kinds,
        [
            v1::layout::Kind::Literal("007".into()),
            v1::layout::Kind::Line(v1::Items {
                items: vec!["5".into(), "n".into()],
                omit_empty: false
            }),
        ]
    );
}

#[test]
fn everything_that_is_no_spec_is_named_with_its_path() {
    let text = "
name: [x]
sead: 1
seed: -1
vars:
  - {name: a, array: {length: n, order: upwards, width: 1.5, distinct: 1}, scalar: {}}
  - 5
layout: {line: {items: [a]}}
";
    assert_eq!(
        refused(text),
        [
            "layout: a list is wanted here",
            "name: a text is wanted here",
            "sead: InputSpec has no such field",
            "seed: a whole number up to 4294967295 is wanted here",
            "vars[0].array.distinct: true or false is wanted here",
            "vars[0].array.length: Array has no such field",
            "vars[0].array.order: unknown value upwards: random, sorted, reversed, all-equal, few-distinct, \
             nearly-sorted, organ-pipe, anti-quicksort, anti-hash",
            "vars[0].array.width: a whole number up to 4294967295 is wanted here",
            "vars[0].scalar: stands beside array",
            "vars[1]: the fields of Variable are wanted here",
        ]
    );
    assert_eq!(refused("[{name: a}, {b: 1}]"), ["[1].b: InputSpec has no such field"]);
    assert_eq!(refused("just text"), ["the fields of InputSpec are wanted here"]);
}

#[test]
fn syntax_errors_have_a_line() {
    let yaml = refused("name: a\nvars: [1\nlayout: 3");
    assert!(yaml[0].starts_with("yaml:") && yaml[0].contains("line 3"), "{yaml:?}");
    let twice = refused("name: a\nname: b");
    assert!(twice[0].contains("line 2"), "{twice:?}");
    let json = parse("{\n\"name\" 3}", Format::Json).unwrap_err().to_string();
    assert!(json.starts_with("json:") && json.contains("line 2"), "{json}");
}

#[test]
fn what_would_grow_is_refused() {
    let mut bomb = String::from("a0: &a0 [x, x]\n");
    for i in 1..40 {
        writeln!(bomb, "a{i}: &a{i} [*a{0}, *a{0}]", i - 1).unwrap();
    }
    assert!(refused(&bomb)[0].starts_with("yaml:"));
    assert!(refused(&"[".repeat(100_000))[0].starts_with("yaml:"));
    assert!(parse(&"[".repeat(100_000), Format::Json).is_err());
    let long = " ".repeat(usize::try_from(MAX_FILE_BYTES).unwrap() + 1);
    assert!(matches!(parse(&long, Format::Yaml), Err(Error::TooLong)));
}
