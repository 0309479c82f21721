//! Documents on stdout, and the options that they need.

use crate::{BAD_INPUT, REPORT, SANDBOX_ERROR, has, json, sort, stderr};
use profiler_core::sandbox::Choice;
use profiler_tests::swiftprof::{file, run, swiftprof};
use serde_json::Value;
use std::fs::{self, File};

/// Prints a run of the sort in this format.
async fn exported(format: &[&str]) -> Option<String> {
    if !has("native", Choice::Native).await {
        return None;
    }
    let file = sort();
    let args = ["run", &file, "--backend", "native", "--sizes", "1,1000,5000,20000"];
    let output = run(&[&args[..], format].concat()).await;
    assert_eq!(output.status.code(), Some(REPORT), "{}", stderr(&output));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[tokio::test]
async fn csv_has_a_row_for_each_size() {
    let Some(table) = exported(&["--format", "csv"]).await else { return };
    let lines: Vec<_> = table.lines().collect();
    assert_eq!(lines.len(), 5, "{table}");
    let at = lines[0].split(',').position(|name| name == "size").unwrap();
    let sizes: Vec<_> = lines[1..].iter().map(|line| line.split(',').nth(at).unwrap()).collect();
    assert_eq!(sizes, ["1", "1000", "5000", "20000"]);
}

#[tokio::test]
async fn perun_profile_has_every_repetition() {
    let Some(profile) = exported(&["--format", "perun", "--perun-type", "time"]).await else {
        return;
    };
    let profile: Value = serde_json::from_str(&profile).unwrap();
    assert_eq!(profile["header"]["type"], "time");
    let resources = profile["snapshots"][0]["resources"].as_array().unwrap();
    for size in [1, 1000, 5000, 20_000] {
        let here = resources.iter().filter(|it| it["structure-unit-size"] == size);
        let repeated = here.filter(|it| it["uid"] == "runtime").count();
        assert!(repeated >= 5, "{size}: {repeated}");
    }
}

/// One run gives the table and both files, and a saved report gives further ones.
#[tokio::test]
async fn program_from_stdin_has_several_documents() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let [page, saved, table] = ["a.html", "a.json", "a.csv"].map(path);
    let args = ["run", "-", "--backend", "native", "--sizes", "1", "-o", &page, "-o", &saved];
    let mut command = swiftprof(&args);
    let output = command.stdin(File::open(sort()).unwrap()).output().await.unwrap();
    assert_eq!(output.status.code(), Some(REPORT), "{}", stderr(&output));
    assert!(String::from_utf8(output.stdout).unwrap().contains("\nstdin · native"));
    assert!(fs::read_to_string(&page).unwrap().starts_with("<!doctype html>"));
    let output = run(&["report", &saved, "-o", &table, "--format", "swiftsolve"]).await;
    assert_eq!(json(&output, REPORT)["task_id"], "stdin");
    assert_eq!(fs::read_to_string(&table).unwrap().lines().count(), 2);
}

/// The annotations on stdout of a program in `tests/programs` that is unsuccessful.
async fn annotations(file: &str, files: &[&str]) -> String {
    let args = ["run", file, "--backend", "native", "--sizes", "1", "--format", "github"];
    let output = run(&[&args[..], files].concat()).await;
    assert_eq!(output.status.code(), Some(SANDBOX_ERROR), "{}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
async fn continuous_integration_has_its_forms() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let [junit, sarif, saved] = ["a.xml", "a.sarif", "a.json"].map(path);
    let program = file("tests/programs/exit_seven.cpp");
    let files = ["-o", &junit, "-o", &sarif, "-o", &saved, "--fail-on", "failure"];
    let said = annotations(&program, &files).await;
    let place = format!("::error file={program},title=swiftprof");
    let failure = format!("{place} (RUNTIME_ERROR)::n = 1: RUNTIME_ERROR, exit code 7\n");
    assert!(said.contains(&failure), "{said}");
    let check = "(--fail-on failure)::--fail-on failure: RUNTIME_ERROR at n = 1\n";
    assert!(said.ends_with(&format!("{place} {check}")), "{said}");
    let junit = fs::read_to_string(&junit).unwrap();
    assert!(junit.contains("<failure message=\"RUNTIME_ERROR, exit code 7\">"), "{junit}");
    assert!(junit.contains("name=\"--fail-on failure\""), "{junit}");
    let sarif: Value = serde_json::from_slice(&fs::read(&sarif).unwrap()).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), said.lines().count());
    let output = run(&["report", &saved, "--format", "sarif"]).await;
    assert_eq!(json(&output, REPORT)["runs"][0]["results"][0]["ruleId"], "RUNTIME_ERROR");
    let program = file("tests/programs/does_not_compile.cpp");
    let said = annotations(&program, &[]).await;
    let place = format!("::error file={program},line=");
    assert!(said.lines().all(|line| line.starts_with(&place)), "{said}");
}

/// A program that never ends well has no result to build on.
#[tokio::test]
async fn report_without_any_ok_size_is_unsuccessful() {
    if !has("native", Choice::Native).await {
        return;
    }
    let file = file("tests/programs/exit_seven.cpp");
    let output = run(&["run", &file, "--backend", "native", "--sizes", "1"]).await;
    assert_eq!(output.status.code(), Some(SANDBOX_ERROR), "{}", stderr(&output));
}

#[tokio::test]
async fn format_without_what_it_needs_is_refused_before_anything_runs() {
    let file = sort();
    for (format, argument) in [
        (&["--format", "folded"][..], "--hotspots"),
        (&["--format", "flame-graph"], "--hotspots"),
        (&["--format", "perun", "--perun-type", "memory"], "--allocations"),
    ] {
        let output = run(&[&["run", &file][..], format].concat()).await;
        assert_eq!(output.status.code(), Some(BAD_INPUT));
        let said = stderr(&output);
        assert_eq!(said, format!("swiftprof: --format: this format requires {argument}\n"));
    }
}
