//! Reports on stdout.

use crate::{REPORT, SANDBOX_ERROR, has, json, sort, stderr};
use profiler_core::sandbox::Choice;
use profiler_proto::v1::ProfileReport;
use profiler_tests::swiftprof::{file, run, swiftprof};
use serde_json::{Value, json};
use std::process::Stdio;
use tokio::process::Command;

/// The plan's sizes.
const SIZES: [u64; 7] = [0, 1, 1000, 5000, 10_000, 50_000, 100_000];
/// All keys of the controller's model, which forbids any other.
const STRICT: [&str; 9] = [
    "hotspots",
    "input_sizes",
    "iteration",
    "peak_memory_mb",
    "runtime_ms",
    "schema_version",
    "task_id",
    "timestamp_utc",
    "type",
];

/// Under a hard limit of 0 for core dumps, a program cannot get its limit of one byte.
#[tokio::test]
async fn hard_limit_of_no_dumps() {
    let file = sort();
    let profiling = swiftprof(&["run", &file, "--backend", "native", "--sizes", "1"]);
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -c 0 && exec \"$0\" \"$@\""]);
    limited.arg(profiling.as_std().get_program()).args(profiling.as_std().get_args());
    let output = limited.stdin(Stdio::null()).kill_on_drop(true).output().await.unwrap();
    assert_eq!(output.status.code(), Some(REPORT), "{}", stderr(&output));
}

async fn strict_report(backend: &str) {
    let file = sort();
    let args = ["run", &file, "--format", "swiftsolve", "--backend", backend];
    let output = run(&args).await;
    let report = json(&output, REPORT);
    let mut keys: Vec<_> = report.as_object().expect("an object").keys().collect();
    keys.sort();
    assert_eq!(keys, STRICT);
    assert_eq!(report["input_sizes"], json!(SIZES));
    for list in ["runtime_ms", "peak_memory_mb"] {
        let figures = numbers(&report[list]);
        assert_eq!(figures.len(), SIZES.len(), "{list}");
        assert!(figures.iter().all(|&figure| figure > 0.0), "{list}: {figures:?}");
        assert!(figures[6] > figures[0], "{list} grows: {figures:?}");
    }
    assert!(stderr(&output).contains(&format!("backend: {backend}")), "{output:?}");
}

/// Number of times advice is asked for.
const ADVICE_TRIES: usize = 3;

#[tokio::test]
async fn advice_is_told_where_it_is_asked_for() {
    if !has("native", Choice::Native).await {
        return;
    }
    let [program, spec] =
        ["sums.cpp", "sums.yaml"].map(|it| file(&format!("examples/advice/{it}")));
    let line = ["run", &program, "--input-spec", &spec, "--backend", "native", "--sizes", "20000"];
    let found = "line 21: `endl` flushes every line; with `'\\n'` in its place: ";
    let mut said = String::new();
    // What a busy neighbour blurs is no advice, so a measurement may say nothing.
    for _ in 0..ADVICE_TRIES {
        let output = run(&[&line[..], &["--growth", "timed", "--advice"]].concat()).await;
        assert_eq!(output.status.code(), Some(REPORT), "{}", stderr(&output));
        said = String::from_utf8(output.stdout).unwrap();
        if said.contains(found) {
            break;
        }
    }
    let (_, advice) = said.split_once("\nAdvice\n").unwrap();
    assert!(advice.contains(found) && advice.contains("times faster ("), "{advice}");
    assert!(advice.contains("cout << times[number] << '\\n';"), "{advice}");
    assert!(advice.contains("same output on 1 input; its lines take "), "{advice}");
    let refused = run(&["run", &program, "--advice", "--interactor", &program]).await;
    assert_eq!(refused.status.code(), Some(crate::BAD_INPUT));
    assert!(stderr(&refused).contains("--advice"), "{}", stderr(&refused));
}

#[tokio::test]
async fn runs_are_as_many_as_asked_for() {
    if !has("native", Choice::Native).await {
        return;
    }
    let file = sort();
    let args = ["run", &file, "--backend", "native", "--sizes", "1,1000", "--runs", "3"];
    let output =
        run(&[&args[..], &["--format", "csv", "--columns", "size,repetitions"]].concat()).await;
    assert_eq!(output.status.code(), Some(REPORT), "{}", stderr(&output));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "size,repetitions\n1,3\n1000,3\n");
}

/// The program halves a range of a million until it finds 2/3 n².
#[tokio::test]
async fn questions_to_an_interactor_are_counted() {
    if !has("native", Choice::Native).await {
        return;
    }
    let [program, judge] =
        ["guesses", "judge"].map(|name| file(&format!("tests/interactive/{name}.cpp")));
    let args = ["run", &program, "--interactor", &judge, "--backend", "native", "--quick"];
    let table = ["--sizes", "10,750", "--format", "csv", "--columns", "size,questions"];
    let output = run(&[&args[..], &table].concat()).await;
    assert_eq!(output.status.code(), Some(REPORT), "{}", stderr(&output));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "size,questions\n10,19\n750,3\n");
}

/// The first run of the largest size takes so long that it is the only one.
#[tokio::test]
async fn long_run_is_repeated_only_for_precision() {
    if !has("native", Choice::Native).await {
        return;
    }
    let file = file("examples/quadratic.cpp");
    let args = ["run", &file, "--backend", "native", "--sizes", "1,40000", "--growth", "timed"];
    let repetitions = async |more: &[&str]| {
        let columns = ["--format", "csv", "--columns", "repetitions"];
        let output = run(&[&args[..], &columns, more].concat()).await;
        assert_eq!(output.status.code(), Some(REPORT), "{}", stderr(&output));
        let table = String::from_utf8(output.stdout).unwrap();
        let rows = table.lines().skip(1).map(|row| row.parse::<u32>().unwrap());
        rows.collect::<Vec<_>>()
    };
    let (brief, precise) = (repetitions(&[]).await, repetitions(&["--precision", "1%"]).await);
    assert!(brief[0] >= 3 && brief[1] == 1, "{brief:?}");
    assert!(precise[0] >= 5 && precise[1] > 1, "{precise:?}");
}

#[tokio::test]
async fn quick_run_runs_every_size_once() {
    if !has("native", Choice::Native).await {
        return;
    }
    let file = sort();
    let args = ["run", &file, "--backend", "native", "--sizes", "1,1000,20000", "--quick"];
    let output = run(&[&args[..], &["--format", "csv", "--columns", "repetitions"]].concat()).await;
    assert_eq!(output.status.code(), Some(REPORT), "{}", stderr(&output));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "repetitions\n1\n1\n1\n");
    let report = json(&run(&[&args[..], &["--format", "json"]].concat()).await, REPORT);
    for size in report["sizes"].as_array().unwrap() {
        assert_eq!((&size["outcome"], &size["memory"]), (&"OUTCOME_OK".into(), &Value::Null));
    }
    let output = run(&args).await;
    assert_eq!(output.status.code(), Some(REPORT), "{}", stderr(&output));
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("20000"), "{table}");
    let refused = run(&[&args[..], &["--runs", "3"]].concat()).await;
    assert_eq!(refused.status.code(), Some(crate::BAD_INPUT));
    let said = stderr(&refused);
    assert!(said.contains("--quick") && said.contains("--runs"), "{said}");
}

#[tokio::test]
async fn numbers_are_short() {
    if !has("native", Choice::Native).await {
        return;
    }
    let file = sort();
    let measured = ["--sizes", "1,1000", "--instructions", "--raw-samples", "--hotspots"];
    let args = ["run", &file, "--backend", "native", "--format", "json"];
    let report = json(&run(&[&args[..], &measured].concat()).await, REPORT);
    assert!(report["sizes"][1]["instructions"].is_u64());
    let (mut values, mut fractions) = (vec![&report], 0);
    while let Some(value) = values.pop() {
        match value {
            Value::Array(list) => values.extend(list),
            Value::Object(fields) => values.extend(fields.values()),
            Value::Number(number) if number.is_f64() => {
                let fraction = number.as_f64().unwrap();
                assert_eq!(format!("{fraction:.8e}").parse(), Ok(fraction), "{fraction}");
                assert!(!(fraction == 0.0 && fraction.is_sign_negative()), "{value}");
                fractions += 1;
            }
            _ => {}
        }
    }
    assert!(fractions > 100, "{fractions}");
}

fn numbers(list: &Value) -> Vec<f64> {
    let numbers = list.as_array().expect("a list").iter();
    numbers.map(|number| number.as_f64().expect("a number")).collect()
}

#[tokio::test]
async fn strict_report_of_native() {
    if has("native", Choice::Native).await {
        strict_report("native").await;
    }
}

#[tokio::test]
async fn strict_report_of_docker() {
    if has("docker", Choice::Docker).await {
        strict_report("docker").await;
    }
}

#[tokio::test]
async fn full_report_is_the_message() {
    if !has("native", Choice::Native).await {
        return;
    }
    let file = sort();
    let args = ["run", &file, "--format", "json", "--backend", "native", "--sizes", "1,1000"];
    let output = run(&args).await;
    json(&output, REPORT);
    let text = String::from_utf8(output.stdout).unwrap();
    let report: ProfileReport = profiler_proto::json::parse(&text).unwrap();
    let sizes: Vec<u64> = report.sizes.iter().map(|result| result.size).collect();
    assert_eq!(sizes, [1, 1000]);
}

#[tokio::test]
async fn crash_is_infinite_and_still_a_report() {
    if !has("native", Choice::Native).await {
        return;
    }
    let file = file("examples/crash.cpp");
    let args =
        ["run", &file, "--format", "swiftsolve", "--backend", "native", "--sizes", "1,10000"];
    let report = json(&run(&args).await, REPORT);
    assert_eq!(report["runtime_ms"][1], "Infinity");
    assert_eq!(report["hotspots"]["_crash"], "SIGSEGV");
}

#[tokio::test]
async fn compile_error_is_told_with_its_line() {
    if !has("native", Choice::Native).await {
        return;
    }
    let file = file("tests/programs/does_not_compile.cpp");
    let args = ["run", &file, "--format", "json", "--backend", "native"];
    let error = json(&run(&args).await, SANDBOX_ERROR);
    assert_eq!(error["code"], "ERROR_CODE_COMPILE");
    let diagnostics = &error["partial"]["compile"]["diagnostics"];
    assert!(diagnostics[0]["line"].as_u64() > Some(0), "{error:#}");
}

#[tokio::test]
async fn text_of_a_compile_error_is_the_result_of_its_report_alone() {
    if !has("native", Choice::Native).await {
        return;
    }
    let file = file("tests/programs/does_not_compile.cpp");
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("saved.json").display().to_string();
    let output = run(&["run", &file, "--backend", "native", "-o", &saved]).await;
    assert_eq!(output.status.code(), Some(SANDBOX_ERROR));
    assert!(output.stdout.is_empty(), "{output:?}");
    let is_told = |text: &str| text.contains("main.cpp:") && text.contains("compile: line ");
    assert!(is_told(&stderr(&output)), "{output:?}");
    let output = run(&["report", &saved]).await;
    assert_eq!(output.status.code(), Some(REPORT));
    assert!(is_told(&String::from_utf8_lossy(&output.stdout)), "{output:?}");
    assert_eq!(stderr(&output), "");
}
