//! Specs as people write them.

#![cfg(feature = "json")]

use profiler_proto::file::{Error, Fault, Format, MAX_FILE_BYTES, parse, read};
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
        Error::Message(faults) => {
            let said = |fault: Fault| match fault.path.as_str() {
                "" => fault.problem,
                path => format!("{path}: {}", fault.problem),
            };
            let mut said: Vec<String> = faults.into_iter().map(said).collect();
            said.sort();
            said
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
fn file_holds_one_spec_or_several() {
    let folder = tempfile::tempdir().unwrap();
    let one = folder.path().join("one.json");
    fs::write(&one, JSON).unwrap();
    let several = folder.path().join("several.yaml");
    fs::write(&several, "- name: a\n- name: b\n").unwrap();
    assert_eq!(read(&one).unwrap().len(), 1);
    let names: Vec<String> = read(&several).unwrap().into_iter().map(|spec| spec.name).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(refused("[]"), ["must not be an empty list"]);
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
                "line 1, column 45: vars[0].scalar.value: must be a whole number within 64 bits";
            let error = scalar(number, format).unwrap_err();
            assert_eq!(error.to_string(), problem, "{format:?} {number}");
        }
    }
}

#[test]
fn number_is_an_expression_and_not_a_text() {
    let text = "
name: 1
vars:
  - {name: 2, text: {len: 3, alphabet: 01}}
  - {name: g, grid: {rows: 1, cols: 1, alphabet: 0, diagonal: 0}}
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
        "vars[1].grid.diagonal",
        "vars[2].queries.variants[0].fields[0].literal",
    ];
    assert_eq!(refused(text), texts.map(|path| format!("{path}: must be text; put it in quotes")));
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
            "layout: must be a list",
            "name: must be text",
            "sead: `sead` is not a field of a spec, which has name, seed, vars, layout, n_min, n_max, generator, testlib_h; did you mean seed?",
            "seed: must be a whole number from 0 to 4294967295",
            "vars[0].array.distinct: must be true or false",
            "vars[0].array.length: `length` is not a field of an array, which has len, min, max, \
             distinct, order, distinct_values, width, step, decimals, rule; did you mean len?",
            "vars[0].array.order: must be one of random, sorted, reversed, all-equal, few-distinct, \
             nearly-sorted, organ-pipe, anti-quicksort, anti-hash, anti-middle-pivot, rule, not upwards",
            "vars[0].array.width: must be a whole number from 0 to 4294967295",
            "vars[0].scalar: cannot be used with array",
            "vars[1]: must be a mapping with the fields of a variable: name, scalar, array, \
             permutation, matrix, grid, text, tree, graph, points, intervals, queries",
        ]
    );
    let fields = "name, seed, vars, layout, n_min, n_max, generator, testlib_h";
    assert_eq!(
        refused("[{name: a}, {b: 1}]"),
        [format!("[1].b: `b` is not a field of a spec, which has {fields}")]
    );
    assert_eq!(
        refused("just text"),
        [format!("must be a mapping with the fields of a spec: {fields}")]
    );
}

fn said(text: &str, format: Format) -> String {
    parse(text, format).unwrap_err().to_string()
}

#[test]
fn faults_have_a_place_and_a_way_out() {
    let kinds = "scalar, array, permutation, matrix, grid, text, tree, graph, points, intervals, \
                 queries";
    assert_eq!(
        said("vars:\n  - {name: m, int: {min: 1}}\n", Format::Yaml),
        format!(
            "line 2, column 15: vars[0].int: `int` is not a kind; a variable has name, {kinds}; \
             did you mean scalar?"
        )
    );
    assert_eq!(
        said("vars:\n- name: m\n  scalar: {min: 1, max: 10**9}\n", Format::Yaml),
        "line 3, column 25: vars[0].scalar.max: write a power with ^: 10^9"
    );
    let comma = said("vars:\n- name: m\n  scalar: {value: max(2, n)}\n", Format::Yaml);
    let lines: Vec<&str> = comma.lines().collect();
    assert!(lines[0].starts_with("line 3, column 19: vars[0].scalar.value: "), "{comma}");
    assert!(lines.iter().all(|line| line.contains("quotes: \"max(2, n)\"")), "{comma}");
    let item = said("layout: [{line: {items: [n, min(n, 5)]}}]", Format::Yaml);
    assert!(item.starts_with("line 1, column 29: layout[0].line.items[1]: "), "{item}");
}

#[test]
fn faults_of_json_have_a_place_too() {
    let json = "{\n  \"vars\": [\n    {\"name\": \"a\", \"arrray\": {}},\n    {\"nam\": 1}\n  ]\n}";
    let said = said(json, Format::Json);
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("line 3, column 19: vars[0].arrray: "), "{said}");
    assert!(lines[0].ends_with("did you mean array?"), "{said}");
    assert!(lines[1].starts_with("line 4, column 6: vars[1].nam: "), "{said}");
    assert!(lines[1].ends_with("did you mean name?"), "{said}");
}

#[test]
fn syntax_errors_have_a_line() {
    let yaml = refused("name: a\nvars: [1\nlayout: 3");
    assert!(yaml[0].starts_with("line 3, column 7: illegal placement"), "{yaml:?}");
    let twice = refused("name: a\nname: b");
    assert!(twice[0].starts_with("line 2, column 1: "), "{twice:?}");
    let json = parse("{\n\"name\" 3}", Format::Json).unwrap_err().to_string();
    assert_eq!(json, "line 2, column 8: expected `:`");
}

#[test]
fn generator_is_a_file_below_the_folder_of_its_spec() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("task")).unwrap();
    let source = "#include \"testlib.h\"\nint main() {}\n";
    fs::write(at("task/gen.cpp"), source).unwrap();
    fs::write(at("task/testlib.h"), "int header;\n").unwrap();
    fs::write(at("outside.cpp"), source).unwrap();
    let read_generator = |name: &str| {
        fs::write(at("task/spec.yaml"), format!("generator: {name}\nn_max: 10\n")).unwrap();
        read(&at("task/spec.yaml"))
    };
    let spec = read_generator("gen.cpp").unwrap().remove(0);
    assert_eq!((spec.generator.as_str(), spec.testlib_h.as_str()), (source, "int header;\n"));
    for (name, problem) in [
        ("../outside.cpp", "../outside.cpp must be below the folder of the spec"),
        (".", ". must be a regular file"),
        ("none.cpp", "none.cpp cannot be read"),
    ] {
        let said = read_generator(name).unwrap_err().to_string();
        assert_eq!(said, format!("line 1, column 12: generator: {problem}"));
    }
    let text = "[{\"generator\": \"int main() {\\n}\"}]";
    assert_eq!(parse(text, Format::Json).unwrap()[0].generator, "int main() {\n}");
    let why = "generator: must be the text itself, because this spec is not in a file";
    assert_eq!(refused("generator: gen.cpp"), [why]);
}

#[test]
fn growing_document_is_refused() {
    let mut bomb = String::from("a0: &a0 [x, x]\n");
    for i in 1..40 {
        writeln!(bomb, "a{i}: &a{i} [*a{0}, *a{0}]", i - 1).unwrap();
    }
    for grown in [bomb, "[".repeat(100_000)] {
        assert!(matches!(parse(&grown, Format::Yaml), Err(Error::Syntax(_))));
    }
    assert!(parse(&"[".repeat(100_000), Format::Json).is_err());
    let long = " ".repeat(usize::try_from(MAX_FILE_BYTES).unwrap() + 1);
    assert!(matches!(parse(&long, Format::Yaml), Err(Error::TooLong(MAX_FILE_BYTES))));
}
