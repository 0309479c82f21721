//! Inputs, tasks and sizes at the command line.

use crate::{BAD_INPUT, REPORT, SANDBOX_ERROR, has, json, stderr};
use profiler_core::sandbox::Choice;
use profiler_tests::swiftprof::{file, run};
use serde_json::{Value, json};
use std::fs;
use tempfile::TempDir;

/// A task as in SwiftSolve's datasets, with a wrong answer.
pub(crate) const TASK: &str = r#"{
  "task_id": "CF1285A", "title": "Sum", "source": "codeforces", "difficulty": "easy",
  "description": "", "input_format": "", "output_format": "", "input_bounds": {"n": 5000},
  "time_limit_ms": 1500, "memory_limit_mb": 64, "expected_complexity": "O(n)",
  "test_cases": [{"input": "3\n1 2 3", "output": "6", "explanation": "Sample case"},
                 {"input": "1\n5", "output": "6"}],
  "source_url": null, "source_rating": 800, "tags": [],
  "input_spec": {"name": "declared",
    "vars": [{"name": "a", "array": {"len": "n", "min": 1, "max": 9}}],
    "layout": [{"line": {"items": ["n"]}}, {"line": {"items": ["a"]}}]}
}"#;
/// A program that solves the task.
pub(crate) const SUM: &str = "#include <iostream>\nint main() { int n, x, s = 0; std::cin >> n;\n\
    while (n--) std::cin >> x, s += x; std::cout << s; return !std::cin; }\n";
/// Warnings that a busy neighbor can add to any report.
const WEATHER: [&str; 3] =
    ["WARNING_CODE_NOISY", "WARNING_CODE_UNSTABLE", "WARNING_CODE_SLOW_SPELL"];

async fn natively(args: &[&str]) -> Option<Value> {
    if !has("native", Choice::Native).await {
        return None;
    }
    let all = [&["run"], args, &["--backend", "native", "--format", "json"]].concat();
    Some(json(&run(&all).await, REPORT))
}

pub(crate) fn written(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().into()
}

pub(crate) fn warnings(report: &Value) -> Vec<&str> {
    let all = report["warnings"].as_array().expect("a list").iter();
    all.map(|warning| warning["code"].as_str().expect("a code")).collect()
}

/// The experiment with the input cuts the input of the smallest size.
#[tokio::test]
async fn smallest_input_is_counted_whole() {
    let folder = TempDir::new().unwrap();
    let program = written(&folder, "sum.cpp", SUM);
    for n in [40, 80] {
        let input = format!("{n}\n{}", "7 ".repeat(n));
        written(&folder, &format!("{n}.in"), &input);
    }
    let inputs = folder.path().to_str().unwrap();
    let Some(report) = natively(&[&program, "--inputs", inputs, "--instructions"]).await else {
        return;
    };
    assert_eq!(report["input_check"]["input_use"], "INPUT_USE_ENOUGH");
    assert_eq!(report["input_check"]["size"], 40);
    let counts = [0, 1].map(|at| report["sizes"][at]["instructions"].as_u64().unwrap());
    assert!(counts[0] < counts[1], "{counts:?}");
    let of_the_input = |code: &&str| !WEATHER.contains(code);
    assert_eq!(warnings(&report).into_iter().filter(of_the_input).collect::<Vec<_>>(), [""; 0]);
}

#[tokio::test]
async fn candidates_of_a_file_are_measured() {
    let [program, spec] =
        ["cpp", "yaml"].map(|kind| file(&format!("examples/tasks/string.{kind}")));
    let args = [&program, "--input-spec", &spec, "--sizes", "0,1000"];
    let Some(report) = natively(&args).await else {
        return;
    };
    assert_eq!(report["candidates"], json!(["random", "one letter", "fibonacci"]));
    assert_eq!(report["input_sizes"], json!([0, 1000]));
    assert_eq!(report["sizes"].as_array().map(Vec::len), Some(6));
    assert_eq!(report["worst_cases"][1]["size"], 1000);
    assert_eq!(report["sizes"][5]["input_bytes"], 1001);
}

#[tokio::test]
async fn task_gives_bounds_limits_inputs_and_answers() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [program, task] =
        [("sum.cpp", SUM), ("task.json", TASK)].map(|(name, text)| written(&folder, name, text));
    let tests = ["--task", &task, "--test-cases", "--test-order", "after"];
    let args = [&["run", &program], &tests[..], &["--backend", "native", "--format", "json"]];
    let report = json(&run(&args.concat()).await, SANDBOX_ERROR);
    assert_eq!(report["task_id"], "CF1285A");
    assert_eq!(report["input_sizes"], json!([0, 1, 50, 250, 500, 2500, 5000]));
    assert_eq!(report["candidates"], json!(["declared"]));
    let correct = [0, 1].map(|at| report["test_cases"][at]["correct"].clone());
    assert_eq!(correct, [json!(true), json!(false)]);
    assert_eq!(
        warnings(&report).iter().filter(|code| **code == "WARNING_CODE_WRONG_ANSWER").count(),
        1
    );
    assert!(!warnings(&report).contains(&"WARNING_CODE_EXPECTED_COMPLEXITY"), "O(n) is read");
}

#[tokio::test]
async fn growth_is_compared_with_what_the_task_expects() {
    let folder = tempfile::tempdir().unwrap();
    let task = |complexity| written(&folder, "task.json", &TASK.replace("O(n)", complexity));
    let program = written(&folder, "sum.cpp", SUM);
    let Some(report) = natively(&[&program, "--task", &task("O(n + k)"), "--sizes", "10"]).await
    else {
        return;
    };
    assert!(warnings(&report).contains(&"WARNING_CODE_EXPECTED_COMPLEXITY"), "{report:#}");
    let args = ["run", &program, "--task", &task("O(n)"), "--sizes", "10", "--backend", "native"];
    let output = run(&args).await;
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().any(|line| line.starts_with("the task expects n")), "{text}");
}

#[tokio::test]
async fn sizes_grow_up_to_the_bound() {
    let program = file("examples/tasks/queries.cpp");
    let spec = file("examples/tasks/queries.yaml");
    let args = [&program, "--input-spec", &spec, "--schedule", "auto", "--n-max", "3000"];
    let Some(report) = natively(&args).await else {
        return;
    };
    let sizes = report["input_sizes"].as_array().expect("a list");
    assert_eq!((sizes.first(), sizes.last()), (Some(&json!(0)), Some(&json!(3000))));
    let end = report["schedule_end"].as_str().unwrap_or_default();
    assert!(end.starts_with("n = 3000 is the bound"), "{end}");
}

/// A value of the largest default size would not fit into 64 bits.
#[tokio::test]
async fn default_sizes_that_a_spec_forbids_are_thinned() {
    let folder = tempfile::tempdir().unwrap();
    let source =
        "#include <iostream>\nint main() { long long x; std::cin >> x; std::cout << x; }\n";
    let program = written(&folder, "first.cpp", source);
    let spec = written(
        &folder,
        "spec.yaml",
        "vars: [{name: x, scalar: {min: 0, max: 10^15 * n}}]\nlayout: [{line: {items: [x]}}]\n",
    );
    let args = [&program, "--input-spec", &spec, "--quick"];
    let Some(report) = natively(&args).await else {
        return;
    };
    assert_eq!(report["input_sizes"], json!([0, 1, 80, 400, 800, 4000, 8000]));
    let end = report["schedule_end"].as_str().unwrap_or_default();
    let larger = "n = 8000; larger sizes are left out, as vars[0].scalar.max: does not fit";
    assert!(end.starts_with(larger) && end.ends_with("at n = 10000"), "{end}");
}

#[tokio::test]
async fn program_that_fails_at_zero_alone_is_asked_about() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = "#include <iostream>\nint main() { int n; std::cin >> n; return n == 0; }\n";
    let program = written(&folder, "positive.cpp", source);
    let junit = folder.path().join("report.xml").display().to_string();
    let args = ["run", &program, "--n-max", "20", "--backend", "native", "--fail-on", "failure"];
    let output = run(&[&args[..], &["-o", &junit]].concat()).await;
    assert_eq!(output.status.code(), Some(REPORT), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Does the task allow n = 0? The program fails only there"), "{text}");
    let command = format!("swiftprof run {program} --n-max 20 --backend native");
    assert!(text.contains(&command) && text.contains(" --sizes 1,2,4,6,14,20\n"), "{text}");
    let junit = fs::read_to_string(junit).unwrap();
    assert!(junit.contains("failures=\"0\""), "{junit}");
}

/// A program whose n is a value takes √n steps. A busy neighbour may make it look as if it behaved
/// in two ways, but not time and again.
#[tokio::test]
async fn n_may_be_a_value() {
    let program = file("examples/divisors.cpp");
    let args = [&program, "--sizes", "10^6..10^12 x10"];
    let Some(mut report) = natively(&args).await else {
        return;
    };
    for _ in 0..2 {
        if !warnings(&report).contains(&"WARNING_CODE_TWO_WAYS") {
            break;
        }
        report = natively(&args).await.expect("a backend as before");
    }
    let sizes: Vec<u64> = (6..=12).map(|power| 10_u64.pow(power)).collect();
    assert_eq!(report["input_sizes"], json!(sizes));
    let outcomes = report["sizes"].as_array().expect("a list").iter().map(|it| &it["outcome"]);
    assert!(outcomes.eq([&json!("OUTCOME_OK"); 7]), "{report:#}");
    let class = &report["growth"]["time"]["function"]["growth_class"];
    assert_eq!(*class, "GROWTH_CLASS_SQUARE_ROOT", "{:#}", report["growth"]["time"]);
}

/// The program ends well only if it reads the largest size exactly.
#[tokio::test]
async fn largest_size_reaches_the_program_and_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let source = "#include <iostream>\nint main() { long long n; std::cin >> n;\n\
        return n != 1'000'000'000'000'000'000; }\n";
    let program = written(&folder, "value.cpp", source);
    let [csv, strict] =
        ["a.csv", "a.swiftsolve.json"].map(|name| folder.path().join(name).display().to_string());
    let args = [&program, "--sizes", "1e18", "-o", &csv, "-o", &strict];
    let Some(report) = natively(&args).await else {
        return;
    };
    assert_eq!(report["sizes"][0]["outcome"], "OUTCOME_OK", "{report:#}");
    assert_eq!(report["sizes"][0]["size"], json!(10_u64.pow(18)));
    let strict: Value = serde_json::from_str(&fs::read_to_string(strict).unwrap()).unwrap();
    assert_eq!(strict["input_sizes"], json!([10_u64.pow(18)]));
    let csv = fs::read_to_string(csv).unwrap();
    let row: Vec<_> = csv.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(row[3], "1000000000000000000", "{csv}");
}

/// An array that does not fit is refused by name before anything is compiled.
#[tokio::test]
async fn array_of_the_largest_size_is_refused() {
    let [program, spec] = ["cpp", "yaml"].map(|kind| file(&format!("examples/tasks/array.{kind}")));
    let output = run(&["run", &program, "--input-spec", &spec, "--sizes", "10^18"]).await;
    assert_eq!(output.status.code(), Some(BAD_INPUT), "{output:?}");
    let text = stderr(&output);
    let limit = "vars[0].array.len: must be at most 2147483648, not 1000000000000000000";
    assert!(text.contains(limit), "{text}");
}

#[tokio::test]
async fn fault_of_a_spec_is_named_by_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let program = written(&folder, "sum.cpp", SUM);
    let spec = written(
        &folder,
        "spec.yaml",
        "vars: [{name: a, array: {len: 10 / n, min: 1, max: 9}}]\nlayout: [{line: {items: [a]}}]\n",
    );
    let output = run(&["run", &program, "--input-spec", &spec, "--sizes", "0,1"]).await;
    assert_eq!(output.status.code(), Some(BAD_INPUT), "{output:?}");
    let text = stderr(&output);
    assert!(text.contains("vars[0].array.len: divides by zero at n = 0"), "{text}");
}

#[tokio::test]
async fn input_can_be_looked_at() {
    let spec = file("examples/tasks/array.yaml");
    let output = run(&["input", &spec, "--n", "4"]).await;
    assert_eq!(output.status.code(), Some(REPORT), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!((lines[0], lines[1].split(' ').count(), lines.len()), ("4", 4, 2));
}

#[tokio::test]
async fn mistake_in_a_spec_has_its_place() {
    let folder = tempfile::tempdir().unwrap();
    for (text, said) in [
        ("vars:\n  - {name: m, int: {min: 1}}\n", "line 2, column 15: vars[0].int: `int` is not"),
        (
            "vars:\n  - {name: m, scalar: {value: n +}}\nlayout: [{line: {items: [m]}}]\n",
            "line 2, column 31: vars[0].scalar.value: ends too early",
        ),
        (
            "- vars:\n    - {name: m, scalar: {value: n +}}\n  layout: [{line: {items: [m]}}]\n",
            "line 2, column 33: vars[0].scalar.value: ends too early",
        ),
        (
            "vars:\n  - {name: m}\nlayout: [{line: {items: [m]}}]\n",
            "spec.yaml: line 2, column 5: vars[0]: ",
        ),
    ] {
        let spec = written(&folder, "spec.yaml", text);
        let output = run(&["input", &spec, "--n", "7"]).await;
        assert_eq!(output.status.code(), Some(BAD_INPUT), "{output:?}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}
